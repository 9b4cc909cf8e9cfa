import { Buffer } from "node:buffer";
import type { JournalReader } from "skillctl";
import { LONGEST_LINE_BYTES } from "../log/line-text.ts";
import { lineFacts, type LineFacts } from "./line-facts.ts";
import { LineScanner } from "./line-scanner.ts";

const CHUNK_BYTES = 256 * 1024;
const LF = 10;
const NONE: LineFacts = { kind: "none" };

/** A turn of the event loop for everybody else. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Reads the lines of a log from an offset at which one begins, and tells each with its length, the line feed
 * included. A last line without one is told only when it is a whole object. Others get a turn every few milliseconds.
 */
export async function scanLog(
  reader: JournalReader,
  from: number,
  found: (facts: LineFacts, length: number) => void,
): Promise<void> {
  let start = from;
  let parts: Buffer[] = [];
  let held = 0;
  let scanner: LineScanner | undefined;
  for (let at = from; ; await nextTurn()) {
    const read = await reader.read(at, CHUNK_BYTES);
    if (read.length === 0) break;
    const chunk = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    scanner ??= new LineScanner();
    scanner.begin(chunk);
    let line = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, line)) {
      const length = at + end + 1 - start;
      const facts = parts.length === 0 ? scanner.facts(line, end) : undefined;
      found(facts ?? factsOf(parts, chunk.subarray(line, end), length), length);
      parts = [];
      held = 0;
      line = end + 1;
      start += length;
    }
    at += chunk.length;
    held += chunk.length - line;
    // Of what is too long to be an event only the length counts.
    if (held > LONGEST_LINE_BYTES) parts = [];
    else if (line < chunk.length) parts.push(chunk.subarray(line));
  }
  if (held === 0) return;
  const facts = factsOf(parts, Buffer.alloc(0), held);
  if (facts.kind === "event") found(facts, held);
}

/** The line at an offset as it is in the log now; `undefined` where there is none or it is too long to be an event. */
export async function factsAt(
  reader: JournalReader,
  offset: number,
): Promise<{ readonly facts: LineFacts; readonly length: number } | undefined> {
  for (let most = CHUNK_BYTES / 4; most <= LONGEST_LINE_BYTES; most *= 8) {
    const bytes = Buffer.from(await reader.read(offset, most));
    const end = bytes.indexOf(LF);
    if (end !== -1) return { facts: lineFacts(bytes.toString("utf8", 0, end)), length: end + 1 };
    if (bytes.length < most) return undefined;
  }
  return undefined;
}

function factsOf(parts: readonly Buffer[], last: Buffer, length: number): LineFacts {
  if (length > LONGEST_LINE_BYTES) return NONE;
  const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
  return lineFacts(bytes.toString("utf8"));
}
