import { Buffer } from "node:buffer";

/** The text of a file and the way back to its bytes. */
export interface ExactText {
  readonly text: string;
  readonly bytes: (text: string) => Uint8Array;
}

/** Two states of a file, read in one way. */
export interface ExactTexts extends ExactText {
  /** `undefined` if the file did not exist. */
  readonly before: string | undefined;
}

type Encoding = "utf8" | "utf16le" | "latin1";

/** Reads bytes as UTF-8, as UTF-16 with a byte order mark, or byte by byte, so that writing the text gives the same bytes. */
export function exactText(bytes: Uint8Array): ExactText {
  return readAs(encodingOf(bytes), bytes);
}

/** Reads the present and the earlier state of a file in the same way, so that equal texts mean equal bytes. */
export function exactTexts(now: Uint8Array, before: Uint8Array | undefined): ExactTexts {
  const encoding = encodingOf(now);
  const isShared = before === undefined || encodingOf(before) === encoding;
  // Latin-1 maps every byte to a character: markers are found in any bytes, and the rest is preserved.
  const shared = isShared ? encoding : "latin1";
  return { ...readAs(shared, now), before: before && readAs(shared, before).text };
}

/** Text in UTF-8, with its byte order mark; `undefined` for other bytes, and for text with a zero byte. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  const { text, bytes: bytesOf } = readAs("utf8", bytes);
  return text.includes("\0") || !sameBytes(bytesOf(text), bytes) ? undefined : text;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function encodingOf(bytes: Uint8Array): Encoding {
  const likely = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf16le" : "utf8";
  const read = readAs(likely, bytes);
  return sameBytes(read.bytes(read.text), bytes) ? likely : "latin1";
}

function readAs(encoding: Encoding, bytes: Uint8Array): ExactText {
  return {
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding),
    bytes: (text) => Buffer.from(text, encoding),
  };
}
