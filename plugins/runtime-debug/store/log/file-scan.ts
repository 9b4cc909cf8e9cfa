import { Buffer } from "node:buffer";
import type { Journal, JournalReader } from "skillctl";

const CHUNK_BYTES = 1024 * 1024;
const LF = 10;

/** A stretch of a file in pieces of at most 1 MiB; ends early where the file does. */
export async function* pieces(reader: JournalReader, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const bytes = await reader.read(at, Math.min(CHUNK_BYTES, to - at));
    if (bytes.length === 0) return;
    at += bytes.length;
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** Copies a stretch to the end of a journal; answers where in the source it ended. */
export async function copy(
  source: JournalReader,
  from: number,
  to: number,
  target: Journal,
  copied: () => void = () => undefined,
): Promise<number> {
  let at = from;
  for await (const piece of pieces(source, from, to)) {
    await target.append(piece);
    at += piece.length;
    copied();
  }
  return at;
}

/** Where the first line begins that does not begin before an offset; `end` when none does. */
export async function lineStart(reader: JournalReader, offset: number, end: number): Promise<number> {
  if (offset <= 0) return 0;
  let at = offset - 1;
  for await (const piece of pieces(reader, at, end)) {
    const found = piece.indexOf(LF);
    if (found !== -1) return at + found + 1;
    at += piece.length;
  }
  return end;
}

/** Where what follows the last line feed before `end` begins; 0 when there is none. */
export async function lastLineStart(reader: JournalReader, end: number): Promise<number> {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - CHUNK_BYTES / 16);
    const found = Buffer.from(await reader.read(from, to - from)).lastIndexOf(LF);
    if (found !== -1) return from + found + 1;
    to = from;
  }
  return 0;
}

/** The line that begins at an offset, without its line feed; at most `most` bytes of it. */
export async function lineAt(reader: JournalReader, offset: number, most: number): Promise<Buffer> {
  const bytes = Buffer.from(await reader.read(offset, most));
  const end = bytes.indexOf(LF);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
