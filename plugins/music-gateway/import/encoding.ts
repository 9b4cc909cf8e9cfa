import { isUtf8 } from "node:buffer";

/** How a file's text is written. Latin 1 is what is left: any bytes are that. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

/** By the byte-order mark, by where the zero bytes of plain letters stand, or by what UTF-8 allows. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 400);
  const zeros = [0, 1].map((odd) => head.filter((byte, index) => byte === 0 && index % 2 === odd).length);
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even < odd / 4) return "utf-16le";
  if (even > head.length / 4 && odd < even / 4) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "latin1";
}

/** The text of bytes, without a byte-order mark. */
export function decoded(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** The bytes as UTF-8; the very same where they are that already. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const encoding = encodingOf(bytes);
  return encoding === "utf-8" ? bytes : new TextEncoder().encode(decoded(bytes, encoding));
}
