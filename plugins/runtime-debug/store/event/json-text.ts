const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
/** Digits that a double holds. */
const SIGNIFICANT = 17;

/** Where the string ends, behind its closing quote, whose opening one is at a place in valid JSON. */
export function stringEnd(json: string, quote: number): number {
  for (let at = json.indexOf('"', quote + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}

/** The texts of the elements of a valid array, as they stand in it. */
export function elementsOf(array: string): readonly string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < array.length; at += 1) {
    const code = array.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(array, at) - 1;
    else depth += step(code);
    if ((code === COMMA && depth === 1) || depth === 0) {
      const element = withoutBlanks(array.slice(start, at));
      if (element !== "") elements.push(element);
      start = at + 1;
    }
  }
  return elements;
}

/** Whether brackets go deeper than that; asked before a text is parsed, because a parser takes long over a megabyte of them. */
export function isDeeper(json: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(json, at) - 1;
    else depth += step(code);
    if (depth > most) return true;
  }
  return false;
}

/** A bracket opens a level, or closes one. */
function step(code: number): number {
  if (code === 0x7b || code === 0x5b) return 1;
  return code === 0x7d || code === 0x5d ? -1 : 0;
}

/** Without the white space of JSON around it. */
export function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Space, tab, line feed, carriage return. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

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
