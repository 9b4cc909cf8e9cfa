import { builtPage, type PageText } from "#page/built-page";

/** Assembled from the files in client/. The build replaces this module with the result (scripts/build.ts). */
export function pageText(): PageText {
  return builtPage(new URL("client/", import.meta.url));
}
