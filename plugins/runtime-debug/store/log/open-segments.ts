import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { Clock, Durability, Files, Journal, Journals, Log } from "skillctl";
import { INDEX_ENDINGS, UNFINISHED, type FileNames } from "./file-names.ts";
import { lastLineStart, scanLines } from "./file-scan.ts";
import { LineIndex } from "./line-index.ts";
import { LONGEST_LINE_BYTES, objectOf } from "./line-text.ts";
import type { RejectedFile } from "./rejected-file.ts";
import { SegmentReader, type Segment } from "./segment-reader.ts";

/** So much of a torn line is kept. */
const KEPT_BYTES = 64 * 1024;

export interface LogPorts {
  readonly journals: Journals;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the files of a session are opened with. */
export interface Place {
  readonly ports: LogPorts;
  readonly names: FileNames;
  readonly durability: Durability;
  readonly rejected: RejectedFile;
  /** Takes a sentence about what was found and mended. */
  readonly found: (sentence: string) => void;
}

export interface BookSegment extends Segment {
  readonly reader: SegmentReader;
}

/** All of a session's log. */
export interface OpenSegments {
  /** Oldest first, without the visible one. */
  readonly earlier: readonly BookSegment[];
  readonly visible: BookSegment;
  readonly journal: Journal;
}

/**
 * Opens what lies in the folder, and first completes what a killed process, or a failure, has left half-done. `known`
 * are earlier segments that are open already.
 * @throws SkillError as `Journals.open` and `Journal.append` do
 */
export async function openSegments(place: Place, known: readonly BookSegment[] = []): Promise<OpenSegments> {
  const { ports, names } = place;
  const numbers = await tidied(place);
  const earlier: BookSegment[] = [];
  const open = new Map(known.map((segment) => [segment.number, segment]));
  const foreign = open.get(0) ?? (await openForeign(place));
  if (foreign) earlier.push(foreign);
  for (const number of numbers)
    earlier.push(open.get(number) ?? (await openEarlier(place, number, names.earlier(number))));
  const number = Math.max(place.rejected.purged.segment, (numbers.at(-1) ?? 0) + 1);
  const journal = await ports.journals.open(names.visible, { durability: place.durability });
  try {
    const mended = await mendTail(journal, place.rejected);
    if (mended !== undefined) place.found(mended);
    const reader = new SegmentReader(ports.journals, names.visible, { source: journal });
    const index = await openIndex(place, reader);
    return { earlier, visible: { number, path: names.visible, reader, index }, journal };
  } catch (caught) {
    await journal.close();
    throw caught;
  }
}

/** Removes a log, and the index that earlier versions kept beside it. */
async function removeLog(files: Files, path: string): Promise<void> {
  for (const ending of ["", ...INDEX_ENDINGS, UNFINISHED]) await files.remove(path + ending);
}

/** The numbers of the earlier segments, once what was interrupted is completed. */
async function tidied({ ports: { files, journals }, names, rejected }: Place): Promise<readonly number[]> {
  const listed = (await files.list(names.folder)) ?? [];
  for (const path of names.unfinished(listed)) await files.remove(path);
  const all = names.numbers(listed);
  const { segment } = rejected.purged;
  for (const number of names.asides(listed)) {
    if (number < segment) await files.remove(names.aside(number));
    // Set aside, and then the copy was not made: it holds what there is.
    else if (!all.includes(number)) await journals.rename(names.aside(number), names.earlier(number));
  }
  for (const number of all.filter((one) => one < segment)) await removeLog(files, names.earlier(number));
  return names.numbers((await files.list(names.folder)) ?? []);
}

/** A log that another tool has left, as segment 0. */
async function openForeign(place: Place): Promise<BookSegment | undefined> {
  const facts = await place.ports.files.facts(place.names.foreign);
  return facts && facts.bytes > 0 ? openEarlier(place, 0, place.names.foreign) : undefined;
}

async function openEarlier(place: Place, number: number, path: string): Promise<BookSegment> {
  const { journals } = place.ports;
  const file = await journals.openToRead(path);
  const bytes = file?.bytes ?? 0;
  await file?.close();
  const reader = new SegmentReader(journals, path, { bytes });
  return { number, path, reader, index: await openIndex(place, reader) };
}

async function openIndex({ found }: Place, reader: SegmentReader): Promise<LineIndex> {
  const index = new LineIndex();
  await scanLines(reader, 0, (text, bytes) => index.addLine(text, bytes));
  const { noEvents } = index;
  const name = basename(reader.path);
  if (noEvents === 1) found(`${name} holds a line that is no event.`);
  if (noEvents > 1) found(`${name} holds ${noEvents} lines that are no events.`);
  return index;
}

/**
 * Makes a log end in a whole line again, as it does not after a power failure: what is no whole event is kept as a
 * rejection and cut off, a whole one gets its line feed. Done again after any interruption, it comes to the same.
 * Answers a sentence about what was mended.
 */
async function mendTail(journal: Journal, rejected: RejectedFile): Promise<string | undefined> {
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
