import { builtPage, type PageText } from "#page/built-page";

/** Made of the files in client/. The build puts the result in the place of this module (scripts/build.ts). */
export function pageText(): PageText {
  return builtPage(new URL("client/", import.meta.url));
}
