import { basename } from "node:path";
import type { Clock, Durability, Files, Journal, JournalReader, Journals, Log } from "skillctl";
import type { FileNames } from "./log-files.ts";
import {
  LONGEST_LINE_BYTES,
  bytesAt,
  lastLineStart,
  linesBetween,
  objectOf,
  type LogLine,
  type Mark,
} from "./log-lines.ts";
import type { RejectedFile } from "./rejected-file.ts";

/** Marks are about so far from each other. */
const MARK_BYTES = 256 * 1024;
/** So much of a torn line is kept. */
const KEPT_BYTES = 64 * 1024;

export interface LogPorts {
  readonly journals: Journals;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the files of a session are opened with. */
export interface LogPlace {
  readonly ports: LogPorts;
  readonly names: FileNames;
  readonly durability: Durability;
  readonly rejected: RejectedFile;
  /** Takes a sentence about what was found and mended. */
  readonly found: (sentence: string) => void;
}

/** One file of a session's log. */
export interface Segment {
  /** From 1. The visible one has the greatest. */
  readonly number: number;
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly facts: SegmentFacts;
}

/** All of a session's log. */
export interface OpenSegments {
  /** Oldest first, without the visible one. */
  readonly earlier: readonly Segment[];
  readonly visible: Omit<Segment, "bytes">;
  readonly journal: Journal;
}

/**
 * Opens what lies in the folder, and first completes what a killed process, or a failure, has left half-done. `known`
 * are earlier segments that were read already.
 * @throws SkillError as `Journals.open` and `Journal.append` do
 */
export async function openSegments(place: LogPlace, known: readonly Segment[] = []): Promise<OpenSegments> {
  const { ports, names, rejected } = place;
  const numbers = await tidied(place);
  const earlier: Segment[] = [];
  for (const number of numbers)
    earlier.push(known.find((one) => one.number === number) ?? (await earlierSegment(place, number)));
  const journal = await ports.journals.open(names.visible, { durability: place.durability });
  try {
    const mended = await mendTail(journal, rejected);
    if (mended !== undefined) place.found(mended);
    const number = Math.max(rejected.purged.segment, (numbers.at(-1) ?? 0) + 1);
    const facts = await new SegmentFacts().read(journal);
    tell(place, names.visible, facts);
    return { earlier, visible: { number, path: names.visible, facts }, journal };
  } catch (caught) {
    await journal.close();
    throw caught;
  }
}

/** The numbers of the earlier segments, once what was interrupted is completed. */
async function tidied({ ports: { files, journals }, names, rejected }: LogPlace): Promise<readonly number[]> {
  const listed = (await files.list(names.folder)) ?? [];
  for (const path of names.unfinished(listed)) await files.remove(path);
  const all = names.numbers(listed);
  const { segment } = rejected.purged;
  for (const number of names.asides(listed)) {
    if (number < segment) await files.remove(names.aside(number));
    // Set aside, and then the copy was not made: it holds what there is.
    else if (!all.includes(number)) await journals.rename(names.aside(number), names.earlier(number));
  }
  for (const number of all.filter((one) => one < segment)) await files.remove(names.earlier(number));
  return names.numbers((await files.list(names.folder)) ?? []);
}

async function earlierSegment(place: LogPlace, number: number): Promise<Segment> {
  const path = place.names.earlier(number);
  const reader = await place.ports.journals.openToRead(path);
  const facts = new SegmentFacts();
  try {
    if (reader) await facts.read(reader);
    tell(place, path, facts);
    return { number, path, bytes: reader?.bytes ?? 0, facts };
  } finally {
    await reader?.close();
  }
}

function tell({ found }: LogPlace, path: string, { noEvents }: SegmentFacts): void {
  if (noEvents === 1) found(`${basename(path)} holds a line that is no event.`);
  if (noEvents > 1) found(`${basename(path)} holds ${noEvents} lines that are no events.`);
}

/**
 * Makes a log end in a whole line again, as it does not after a power failure: what is no whole event is kept as a
 * rejection and cut off, a whole one gets its line feed. Done again after any interruption, it comes to the same.
 * Answers a sentence about what was mended.
 */
async function mendTail(journal: Journal, rejected: RejectedFile): Promise<string | undefined> {
  const start = await lastLineStart(journal, journal.bytes);
  if (start === journal.bytes) return undefined;
  const tail = await bytesAt(journal, start, Math.min(journal.bytes - start, LONGEST_LINE_BYTES));
  const text = tail.subarray(0, lengthWithoutNuls(tail));
  if (objectOf(text.toString()) && start + tail.length === journal.bytes) {
    if (text.length < tail.length) await journal.cut(start + text.length);
    await journal.append("\n");
    return "The last line of the log had no end; it was whole and got one.";
  }
  const bytes = text.subarray(0, KEPT_BYTES);
  await rejected.add({
    code: "DEBUG_BAD_JSON",
    sentence: `torn: ${basename(journal.path)} at ${start}`,
    text: bytes.toString(),
  });
  const gone = journal.bytes - start;
  await journal.cut(start);
  return `The log ended in ${gone} bytes that are no whole event; they were cut off, and ${bytes.length} of them kept in ${basename(rejected.path)}.`;
}

function lengthWithoutNuls(bytes: Uint8Array): number {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  return length;
}

/** What is known of a segment without reading it: how much it holds, and where some numbers are. */
export class SegmentFacts {
  /** In the log; those of gaps are no longer. */
  events = 0;
  /** Lines that are neither events nor gaps. */
  noEvents = 0;
  /** Events that gaps say were left out. */
  dropped = 0;
  /** The greatest `_seq`, of events or in gaps; 0 when there is none. */
  lastSeq = 0;
  /** When the last event was received, in milliseconds since the epoch; 0 when that is not known. */
  lastAt = 0;
  /** Where the line of the last gap is. */
  gap: { readonly offset: number; readonly bytes: number } | undefined;
  readonly marks: Mark[] = [];

  /** Takes note of the lines of a file from an offset on. */
  async read(reader: JournalReader, from = 0): Promise<this> {
    for await (const lines of linesBetween(reader, from, reader.bytes))
      for (const line of lines) this.#add(line);
    return this;
  }

  /** Takes note of events that were just stored from an offset on; `seq` is the number of the last one. */
  stored(count: number, { offset, seq, at }: { offset: number; seq: number; at: number }): void {
    this.#mark(offset);
    this.events += count;
    this.lastSeq = seq;
    this.lastAt = at;
  }

  #add({ offset, bytes, seq, event, gap }: LogLine): void {
    this.#mark(offset);
    this.lastSeq = Math.max(this.lastSeq, seq);
    if (gap) {
      this.dropped += gap.events;
      this.gap = { offset, bytes };
    } else if (!event) this.noEvents += 1;
    else {
      const { _at: at } = event;
      this.events += 1;
      if (Number.isSafeInteger(at)) this.lastAt = at as number;
    }
  }

  #mark(offset: number): void {
    if (offset - (this.marks.at(-1)?.offset ?? 0) < MARK_BYTES) return;
    this.marks.push({ offset, seq: this.lastSeq });
  }
}
