/** An opening bracket, or one that could begin a tag or an address, that no backslash stands before. */
const ACTIVE = /(?<!\\)(?:\\\\)*(?:\[|<(?=[a-z/!?]))/gi;

/**
 * Markdown without images, links and HTML: a backslash goes before the sign that each of them begins with. For texts that
 * hold names out of files or of services and no link of their own. What is escaped already stays as it is; a bare address
 * stays one. Takes time in proportion to the length.
 */
export function inertMarkdown(markdown: string): string {
  return markdown.replaceAll(ACTIVE, (signs) => `${signs.slice(0, -1)}\\${signs.slice(-1)}`);
}
