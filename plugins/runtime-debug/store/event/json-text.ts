const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];
/** Digits that a double holds. */
const SIGNIFICANT = 17;
/** Levels of objects and arrays in an event, and keys on all levels together. */
const MOST_DEPTH = 32;
const MOST_KEYS = 10_000;

/** What is seen of JSON by its brackets, colons and commas alone. */
export interface Outline {
  /** Of an array its elements, else the text itself. */
  readonly parts: readonly string[];
  /** How many keys each part has, doubled ones included. */
  readonly keys: readonly number[];
  /** Where a part goes deeper than 32 levels or has its 10,001st key. */
  readonly beyond?: number;
}

/** Looks at a text before it is parsed, because a parser takes long over a megabyte of brackets or of different keys. */
export function outline(json: string): Outline {
  const [parts, keys]: [string[], number[]] = [[], []];
  const top = /^[ \t\r\n]*\[/.test(json) ? 1 : 0;
  let [depth, count, start] = [0, 0, 0];
  const end = (at: number): void => {
    parts.push(json.slice(start, at));
    keys.push(count);
    [count, start] = [0, at + 1];
  };
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(json, at) - 1;
    else if (code === COLON) count += 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth === 1 && top === 1) start = at + 1;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1;
      if (depth === 0) end(top === 1 ? at : json.length);
    } else if (code === COMMA && depth === 1 && top === 1) end(at);
    if (depth > MOST_DEPTH + top || count > MOST_KEYS) return { parts, keys, beyond: at };
  }
  return { parts, keys };
}

/** Where the string ends, behind its closing quote, whose opening one is at a place in valid JSON. */
function stringEnd(json: string, quote: number): number {
  for (let at = json.indexOf('"', quote + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}

/** A text of JSON with its numbers, which are all outside of strings, replaced by what somebody makes of them. */
export function replaceNumbers(json: string, replacement: (number: string) => string): string {
  let [replaced, copied] = ["", 0];
  const next = /"|-?\d[\d.eE+-]*/g;
  for (let found = next.exec(json); found !== null; found = next.exec(json)) {
    if (found[0] === '"') next.lastIndex = stringEnd(json, found.index);
    else {
      replaced += json.slice(copied, found.index) + replacement(found[0]);
      copied = next.lastIndex;
    }
  }
  return replaced + json.slice(copied);
}

/** Whether any number of a text may be one that readers of JSON change. */
export const MAY_CHANGE = /[\d.]{16}|\d[eE]/;

/**
 * Whether readers of JSON keep a number's value: whole numbers exactly, others to the 17 digits that a double holds;
 * none becomes infinite, and none 0 that is not.
 */
export function faithful(text: string): boolean {
  if (text.length > 400) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(text)) return BigInt(text) === BigInt(value);
  const digits = text
    .replace(/e.*$/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
  return digits.length <= SIGNIFICANT && (value !== 0 || digits === "");
}
