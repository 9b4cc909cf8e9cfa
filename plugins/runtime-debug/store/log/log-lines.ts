import { Buffer } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JournalReader } from "skillctl";
import { escapeUnsafe } from "../event/inert-text.ts";

/** The maximum length of a line: an event of 1 MiB and the fields that the server adds. */
const LONGEST_LINE_BYTES = 4 * 1024 * 1024;
/** The size of a block; the event loop runs after each. */
const BLOCK_BYTES = 256 * 1024;
/** The size of a block if only the end of a line is searched. */
const SEEK_BYTES = 16 * 1024;
/** The start of a gap line. No event of a program can be a gap, since `_gap` in sent events is renamed. */
const GAP_START = '{"msg":"[skillctl] ';

/**
 * Flags of events that were sent by a page from another machine, or that arrived while the code was not the checked
 * code.
 */
export const [FOREIGN_ORIGIN, OTHER_CODE] = ["foreign-origin", "other-code"];

/** An event as it was stored. */
export type LogEvent = Readonly<Record<string, unknown>>;

/** Events that were left out in one place of a log: docs/runtime-debug.md, section Limits. */
export interface Gap {
  readonly events: number;
  readonly bytes: number;
  /** `_seq` of the first and the last of them, if known; otherwise 0. */
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** A line of a log: an event, a gap, or neither. It is parsed on first access. */
export class LogLine {
  readonly offset: number;
  /** Its bytes without the line feed, one character each; empty if it is too long to be an event. */
  readonly raw: string;
  #value: LogEvent | undefined;
  #isParsed = false;

  constructor(offset: number, raw: string) {
    this.offset = offset;
    this.raw = raw;
  }

  /** The stored bytes; a copy, so that keeping it does not keep the block. */
  get text(): string {
    return Buffer.from(this.raw, "latin1").toString();
  }

  get event(): LogEvent | undefined {
    return this.#gap === undefined ? this.#object : undefined;
  }

  get gap(): Gap | undefined {
    const gap = this.#gap;
    return isSound(gap) ? gap : undefined;
  }

  /** `_seq` of an event, or of the last event in a gap; 0 if there is none. */
  get seq(): number {
    const seq = this.gap?.toSeq ?? this.event?.["_seq"];
    return isCount(seq) ? seq : 0;
  }

  get #gap(): unknown {
    return this.raw.startsWith(GAP_START) ? this.#object?.["_gap"] : undefined;
  }

  get #object(): LogEvent | undefined {
    if (!this.#isParsed) {
      this.#value = objectOf(this.text);
      this.#isParsed = true;
    }
    return this.#value;
  }
}

/** A snapshot of a segment of a log. */
export interface LogSource {
  /** From 1; the visible segment has the greatest number. */
  readonly number: number;
  readonly reader: JournalReader;
  /** The number of bytes to read. */
  readonly end: number;
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is LogEvent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON object of a line. */
export function objectOf(line: string): LogEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A line of the server, with its line feed and without invisible characters. */
export function ownLine(value: object): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

/** The line that replaces omitted events. */
export function gapLine(gap: Gap, at: number): string {
  return ownLine({ msg: `[skillctl] ${gap.events} events left out`, _gap: gap, _at: at });
}

/**
 * Reads the lines of a log between the beginnings of two lines, in blocks. A last line without an end is returned
 * only if it is a whole object. @param hint decides by its bytes whether a line may be relevant; default all
 */
export async function* linesBetween(
  reader: JournalReader,
  from: number,
  to: number,
  hint?: RegExp,
): AsyncGenerator<readonly LogLine[]> {
  let [offset, rest, skipped] = [from, "", 0];
  const linesOf = (texts: readonly string[]): readonly LogLine[] => {
    const lines: LogLine[] = [];
    for (const raw of texts) {
      if (!hint || hint.test(raw)) lines.push(new LogLine(offset, skipped > 0 ? "" : raw));
      offset += skipped + raw.length + 1;
      skipped = 0;
    }
    return lines;
  };
  for (let at = from; at < to; await nextTurn()) {
    const block = await bytesAt(reader, at, Math.min(BLOCK_BYTES, to - at));
    if (block.length === 0) break;
    at += block.length;
    const texts = (rest + block.toString("latin1")).split("\n");
    rest = texts.pop() ?? "";
    yield linesOf(texts);
    if (rest.length <= LONGEST_LINE_BYTES) continue;
    // For lines that are too long to be an event, only the length is kept.
    skipped += rest.length;
    rest = "";
  }
  yield linesOf([rest]).filter(({ event, gap }) => event ?? gap);
}

/** Reads the lines of a log before the beginning of a line, the newest first. */
export async function* linesBackwards(
  reader: JournalReader,
  end: number,
  hint?: RegExp,
): AsyncGenerator<readonly LogLine[]> {
  for (let to = end; to > 0;) {
    let from = await lineStart(reader, to - BLOCK_BYTES, to);
    if (from === to) from = await lastLineStart(reader, to - 1);
    const lines: LogLine[] = [];
    for await (const some of linesBetween(reader, from, to, hint)) lines.push(...some);
    yield lines.reverse();
    to = from;
  }
}

function isSound(value: unknown): value is Gap {
  if (typeof value !== "object" || value === null) return false;
  const { events, bytes, fromSeq, toSeq } = value as Partial<Gap>;
  return [events, bytes, fromSeq, toSeq].every(isCount);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The start of the first line at or after an offset; `end` without one. */
export async function lineStart(reader: JournalReader, offset: number, end: number): Promise<number> {
  if (offset <= 0) return 0;
  for (let at = offset - 1; at < end;) {
    const piece = await bytesAt(reader, at, Math.min(SEEK_BYTES, end - at));
    if (piece.length === 0) break;
    const found = piece.indexOf("\n");
    if (found !== -1) return at + found + 1;
    at += piece.length;
  }
  return end;
}

/** The position after the last line feed before `end`; 0 without one. */
export async function lastLineStart(reader: JournalReader, end: number): Promise<number> {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - SEEK_BYTES);
    const found = (await bytesAt(reader, from, to - from)).lastIndexOf("\n");
    if (found !== -1) return from + found + 1;
    to = from;
  }
  return 0;
}

export async function bytesAt(reader: JournalReader, offset: number, length: number): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await reader.read(offset, length);
  return Buffer.from(buffer, byteOffset, byteLength);
}
