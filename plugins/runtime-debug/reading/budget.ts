import { Buffer } from "node:buffer";
import { escapeUnsafe } from "../event/unsafe-characters.ts";

/** JSON text with nothing in it that does something where it is shown. */
export function inertJson(value: unknown, indent?: number): string {
  return escapeUnsafe(JSON.stringify(value, undefined, indent));
}

/** As many rows as have room in so many bytes of JSON, from the first on. */
export function within<Row>(rows: readonly Row[], bytes: number): readonly Row[] {
  let left = bytes;
  const end = rows.findIndex((row) => (left -= Buffer.byteLength(inertJson(row)) + 1) < 0);
  return end === -1 ? rows : rows.slice(0, end);
}

/** A text of at most so many characters; what is left out is counted. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}…(+${text.length - kept.length})`;
}
