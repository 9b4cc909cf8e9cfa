import { Buffer } from "node:buffer";
import type { Journal, JournalReader } from "skillctl";
import { LONGEST_LINE_BYTES, objectOf } from "./line-text.ts";

const CHUNK_BYTES = 1024 * 1024;
const SCAN_BYTES = 256 * 1024;
const LF = 10;

/** A turn of the event loop for everybody else. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Reads the lines of a log from an offset at which one begins, and tells each with its bytes, the line feed included;
 * without its text where it is too long to be an event. A last line without an end is told only when it is a whole
 * object. Others get a turn every few milliseconds.
 */
export async function scanLines(
  reader: JournalReader,
  from: number,
  found: (text: string | undefined, bytes: number) => void,
): Promise<void> {
  let parts: Buffer[] = [];
  let held = 0;
  for (let at = from; ; await nextTurn()) {
    const read = await reader.read(at, SCAN_BYTES);
    if (read.length === 0) break;
    const chunk = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    let line = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, line)) {
      const bytes = held + end - line + 1;
      found(textOf(parts, chunk.subarray(line, end), bytes), bytes);
      parts = [];
      held = 0;
      line = end + 1;
    }
    at += chunk.length;
    held += chunk.length - line;
    // Of what is too long to be an event only the length counts.
    if (held > LONGEST_LINE_BYTES) parts = [];
    else if (line < chunk.length) parts.push(chunk.subarray(line));
  }
  const last = textOf(parts, Buffer.alloc(0), held);
  if (last !== undefined && objectOf(last)) found(last, held);
}

function textOf(parts: readonly Buffer[], last: Buffer, bytes: number): string | undefined {
  if (bytes > LONGEST_LINE_BYTES) return undefined;
  return (parts.length === 0 ? last : Buffer.concat([...parts, last])).toString("utf8");
}

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
