import { BACKSLASH, QUOTE } from "./bytes.ts";
import { fieldText } from "./field-text.ts";

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * 32-bit FNV-1a of a trace id's UTF-8 bytes; never 0, which means that there is none. Two ids can share one: what is
 * found by it is then compared.
 */
export function traceHash(text: string): number {
  const bytes = Buffer.from(text);
  let hash = BASIS;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0 || 1;
}

/** The same of a JSON value among bytes, as text; 0 for null and for an empty text. */
export function traceHashOf(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] === QUOTE) {
    if (end - start === 2) return 0;
    let hash = BASIS;
    let at = start + 1;
    for (; at < end - 1 && bytes[at] !== BACKSLASH; at++)
      hash = Math.imul(hash ^ (bytes[at] as number), PRIME);
    if (at === end - 1) return hash >>> 0 || 1;
  }
  const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
  return value === null ? 0 : traceHash(fieldText(value));
}
