import { Buffer } from "node:buffer";

/** The text of a file and the way back to its bytes. */
export interface ExactText {
  readonly text: string;
  readonly bytes: (text: string) => Uint8Array;
}

const UTF8 = codec("utf8");
const UTF16 = codec("utf16le");
/** Every byte is a character: whatever else the bytes are, markers in them are found and the rest stays. */
const BYTES = codec("latin1");

/** Reads bytes as UTF-8, as UTF-16 behind its mark, or byte by byte: always so that writing it again gives the same bytes. */
export function exactText(bytes: Uint8Array): ExactText {
  const likely = bytes[0] === 0xff && bytes[1] === 0xfe ? UTF16 : UTF8;
  const read = likely(bytes);
  return sameBytes(read.bytes(read.text), bytes) ? read : BYTES(bytes);
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function codec(encoding: "utf8" | "utf16le" | "latin1"): (bytes: Uint8Array) => ExactText {
  return (bytes) => ({
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding),
    bytes: (text) => Buffer.from(text, encoding),
  });
}
