import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { Journal } from "skillctl";
import { lastLineStart } from "./file-scan.ts";
import { LONGEST_LINE_BYTES, objectOf } from "./line-text.ts";
import type { RejectedFile } from "./rejected-file.ts";

/** So much of a torn line is kept. */
const KEPT_BYTES = 64 * 1024;

/**
 * Makes a log end in a whole line again, as it does not after a power failure: what is no whole event is kept as a
 * rejection and cut off, a whole one gets its line feed. Done again after any interruption, it comes to the same.
 * Answers a sentence about what was mended.
 */
export async function mendTail(journal: Journal, rejected: RejectedFile): Promise<string | undefined> {
  const start = await lastLineStart(journal, journal.bytes);
  if (start === journal.bytes) return undefined;
  const tail = Buffer.from(await journal.read(start, Math.min(journal.bytes - start, LONGEST_LINE_BYTES)));
  const text = tail.subarray(0, lengthWithoutNuls(tail));
  if (objectOf(text.toString()) && start + tail.length === journal.bytes) {
    if (text.length < tail.length) await journal.cut(start + text.length);
    await journal.append("\n");
    return "The last line of the log had no end; it was whole and got one.";
  }
  const bytes = text.subarray(0, KEPT_BYTES);
  await rejected.keepTorn({ log: basename(journal.path), offset: start, bytes });
  const gone = journal.bytes - start;
  await journal.cut(start);
  return `The log ended in ${gone} bytes that are no whole event; they were cut off, and ${bytes.length} of them kept in ${basename(rejected.path)}.`;
}

function lengthWithoutNuls(bytes: Uint8Array): number {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  return length;
}
