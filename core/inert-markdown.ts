/** An opening bracket or the start of a tag or autolink, without a backslash before it. */
const ACTIVE = /(?<!\\)(?:\\\\)*(?:\[|<(?=[a-z/!?]))/gi;

/**
 * Escapes images, links and HTML in Markdown that contains names from files or services. Existing escapes stay; bare
 * addresses are not changed. Runs in linear time.
 */
export function inertMarkdown(markdown: string): string {
  return markdown.replaceAll(ACTIVE, (signs) => `${signs.slice(0, -1)}\\${signs.slice(-1)}`);
}
