import { builtPage, type PageText } from "./built-page.ts";

/** Built from the files in client/start/. The build replaces this module with the result (scripts/build.ts). */
export function startPage(): PageText {
  return builtPage(new URL("client/start/", import.meta.url));
}
