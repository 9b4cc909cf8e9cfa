import { builtPage, type PageText } from "./built-page.ts";

/** Made of the files in client/start/. The build puts the result in the place of this module (scripts/build.ts). */
export function startPage(): PageText {
  return builtPage(new URL("client/start/", import.meta.url));
}
