import { Buffer } from "node:buffer";
import { escapeUnsafe } from "../event/unsafe-characters.ts";

/** JSON text with nothing in it that does something where it is shown. */
export function inertJson(value: unknown, indent?: number): string {
  return escapeUnsafe(JSON.stringify(value, undefined, indent));
}

/** Rows that find no room may stand before ones that do; so many of them are passed over. */
const MOST_PASSED_OVER = 64;

/** The rows that have room in so many bytes of JSON, in their order; a long one does not keep out those after it. */
export function within<Row>(rows: Iterable<Row>, bytes: number): readonly Row[] {
  const shown: Row[] = [];
  let left = bytes;
  let passed = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(inertJson(row)) + 1;
    if (size <= left) {
      left -= size;
      shown.push(row);
    } else if ((passed += 1) === MOST_PASSED_OVER) break;
  }
  return shown;
}

/** A text of at most so many characters; what is left out is counted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}…(+${text.length - kept.length})`;
}
