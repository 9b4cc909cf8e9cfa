import { REDACTED, SECRET_HEADER, secrecy, type Secrecy } from "./secret-names.ts";

/** What may stand before a `:` or `=`: a name, and the quote it ends with, escaped as often as the text was quoted. */
const NAME = /([\w.-]{1,64})(\\*["'])?\s{0,2}$/;
const LONGEST_NAME = 80;
const SIGN = /(?<=[\w.\-"'\s])[:=]/g;
const GAP = /\s{0,8}/y;
const QUOTE = /\\*["']/y;
const BARE = /[^\s&;,"'<>()[\]{}\\]*/y;
const LINE = /[^\r\n"'\\]*/y;
/** A word behind the name of a token that is no token says something about it: `token=expired`. */
const TOKEN = /^(?=.*\d)(?![\d.]*$).{8}|^.{16}/;

/**
 * A text without the secrets that a name in it announces: members of JSON that is a text itself, parts of addresses and
 * forms (`token=…`), headers. Only what is behind the name becomes `[redacted]`.
 */
export function redactPairs(text: string): string {
  let clean = "";
  let copied = 0;
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    const [found, name = "", quote] =
      NAME.exec(text.slice(Math.max(copied, sign.index - LONGEST_NAME), sign.index)) ?? [];
    const secret = found === undefined ? 0 : secrecy(name);
    if (secret === 0) continue;
    const value = valueAt(text, SIGN.lastIndex, quote, sign[0] === "=", name);
    if (value === undefined || !isSecret(text.slice(value.start, value.end), secret, value.quoted)) continue;
    clean += text.slice(copied, value.start) + REDACTED;
    copied = value.end;
    SIGN.lastIndex = value.end;
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

function valueAt(
  text: string,
  at: number,
  quote: string | undefined,
  equals: boolean,
  name: string,
): ByteRange | undefined {
  const start = at + matched(GAP, text, at).length;
  const opened = matched(QUOTE, text, start);
  if (opened !== "") {
    const from = start + opened.length;
    return { start: from, end: closed(text, from, opened), quoted: true };
  }
  const rest = equals || quote !== undefined ? BARE : SECRET_HEADER.test(name) ? LINE : undefined;
  if (rest === undefined || (equals && start > at)) return undefined;
  return { start, end: start + matched(rest, text, start).length, quoted: rest === LINE };
}

/**
 * Where a quoted value ends, or the text with it. Quoting doubles the backslashes before a quote and adds one: the closing
 * quote has as many as the opening one, and what else is before it comes in even portions.
 */
function closed(text: string, from: number, opened: string): number {
  const depth = opened.length - 1;
  for (let at = text.indexOf(opened.slice(-1), from); at >= 0; at = text.indexOf(opened.slice(-1), at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === "\\") slashes++;
    if (slashes >= depth && (slashes - depth) % (2 * opened.length) === 0) return at - depth;
  }
  return text.length;
}

function isSecret(value: string, secret: Secrecy, quoted: boolean): boolean {
  if (value === "" || value === REDACTED) return false;
  if (quoted) return true;
  if (/^(?:null|undefined|none|nil|true|false)$/i.test(value)) return false;
  if (secret === 2) return true;
  return TOKEN.test(value);
}

function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
