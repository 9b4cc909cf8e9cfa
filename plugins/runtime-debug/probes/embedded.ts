/** A script in a page or in a component of Vue; its end may be missing. */
const SCRIPT = /(<script\b[^>]*>)([^]*?)(?:<\/script\s*>|$)/gi;
/** Scripts that hold data or templates. */
const NO_SCRIPT = /\btype\s*=\s*["']?(?!module\b|(?:text|application)\/(?:java|ecma|type)script\b)[\w/+-]/i;
/** One that editors do not count. */
const LINE_END = "\u2028";

/**
 * The scripts of a page or component, everything around them blanked out, so that each place is where it was in the
 * text. A comment of a script ends with it.
 */
export function scriptsOf(page: string): string {
  let scripts = "";
  for (const { 1: tag = "", 2: script = "", index } of page.matchAll(SCRIPT)) {
    if (NO_SCRIPT.test(tag)) continue;
    const begin = index + tag.length;
    scripts += blank(page.slice(scripts.length, begin)) + script;
    if (scripts.length < page.length) scripts += LINE_END;
  }
  return scripts + blank(page.slice(scripts.length));
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, " ");
}
