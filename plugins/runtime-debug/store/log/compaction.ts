import { Buffer } from "node:buffer";
import type { Journal, JournalReader } from "skillctl";
import { UNFINISHED } from "./file-names.ts";
import { copy, lastLineStart, lineAt, lineStart } from "./file-scan.ts";
import { gapLine, gapOf, merged, type GapCount } from "./gap-line.ts";
import { LONGEST_LINE_BYTES, objectOf } from "./line-text.ts";
import type { BookSegment, OpenSegments, Place } from "./open-segments.ts";
import { SegmentReader } from "./segment-reader.ts";

/** What is left out of a log, and what stands in its place. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly line: string;
}

/** What is asked of a log that has become too large. */
interface TooLarge {
  readonly reader: JournalReader;
  /** How much of it is looked at. */
  readonly bytes: number;
  /** About so many bytes of its beginning stay, and so many of its end. */
  readonly keep: number;
  readonly at: number;
  /** Where the line of an older gap begins. */
  readonly gapAt: number | undefined;
  /** The events of a stretch, by key; without those that older gaps left out. */
  readonly counts: (from: number, to: number) => readonly GapCount[];
}

/** Chooses whole lines in the middle, an older gap among them; `undefined` when too little would go. */
async function chosenCut({ reader, bytes, keep, at, gapAt, counts }: TooLarge): Promise<Cut | undefined> {
  const gapText = gapAt === undefined ? "" : (await lineAt(reader, gapAt, LONGEST_LINE_BYTES)).toString();
  const older = gapOf(gapText);
  const first = await lineStart(reader, keep, bytes);
  const last = await lineStart(reader, bytes - keep, bytes);
  const from = older ? Math.min(first, gapAt ?? 0) : first;
  const to = older ? Math.max(last, (gapAt ?? 0) + Buffer.byteLength(gapText) + 1) : last;
  if (to <= from) return undefined;
  const rows = counts(from, to);
  const fresh = {
    events: rows.reduce((sum, row) => sum + row[4], 0),
    bytes: to - from - (older ? Buffer.byteLength(gapText) + 1 : 0),
    fromSeq: firstSeq(await textAt(reader, from)),
    toSeq: lastSeq(await textAt(reader, await lastLineStart(reader, to - 1))),
    counts: rows,
  };
  const line = gapLine(older ? merged([older, fresh]) : fresh, at, Math.max(512, keep / 4));
  // A log of a few huge lines would be rewritten for nothing.
  return Buffer.byteLength(line) * 2 < to - from ? { from, to, line } : undefined;
}

/** Writes the log without what is cut out, as far as `bytes`, into an empty journal. */
async function writeCut(
  reader: JournalReader,
  cut: Cut,
  bytes: number,
  target: Journal,
  copied?: () => void,
): Promise<void> {
  await copy(reader, 0, cut.from, target, copied);
  await target.append(cut.line);
  await copy(reader, cut.to, bytes, target, copied);
}

async function textAt(reader: JournalReader, offset: number): Promise<string> {
  return (await lineAt(reader, offset, LONGEST_LINE_BYTES)).toString();
}

function firstSeq(line: string): number {
  return gapOf(line)?.fromSeq ?? seqOf(line);
}

function lastSeq(line: string): number {
  return gapOf(line)?.toSeq ?? seqOf(line);
}

function seqOf(line: string): number {
  const seq = objectOf(line)?.["_seq"];
  return typeof seq === "number" ? seq : 0;
}

/** So much of what came during the copy is left for the moment in which appends wait. */
const REST_BYTES = 256 * 1024;
const MOST_ROUNDS = 16;

/**
 * What does the last step of a change, in one turn of the loop: index and reader are those of the old file until then, and
 * of the new one from then on.
 */
export type Taking<T> = () => T;

/** Leaves out the middle of an earlier segment; `undefined` when nothing could be left out. */
export async function halve(place: Place, segment: BookSegment): Promise<Taking<BookSegment> | undefined> {
  const { reader, index, path } = segment;
  const cut = await chosenFor(place, segment, reader.bytes / 4);
  if (!cut) return undefined;
  const { journals } = place.ports;
  const target = await begun(place, path);
  let bytes: number;
  try {
    await writeCut(reader, cut, reader.bytes, target);
    bytes = target.bytes;
    await target.close();
    await reader.pin();
    await journals.replace(target.path, path);
  } catch (caught) {
    await abandon(place, target);
    throw caught;
  }
  return () => {
    index.cut(cut.from, cut.to, cut.line.trimEnd());
    return { ...segment, reader: new SegmentReader(journals, path, { bytes }) };
  };
}

/** How the visible log becomes another one. */
export interface Swapping {
  /** Hears how many bytes of the new file are written. */
  readonly copied: (bytes: number) => void;
  /** Does something while no append is under way. */
  readonly hold: (action: () => Promise<void>) => Promise<void>;
  /** Takes over what comes out; if that fails it is looked up in the folder what there is. */
  readonly swap: (replace: () => Promise<Taking<OpenSegments>>) => Promise<void>;
}

/**
 * Leaves out the middle of the visible log while it is being written; false when nothing could be left out. A process
 * that is killed leaves the old file or the new one.
 */
export async function shorten(
  place: Place,
  open: OpenSegments,
  keep: number,
  { copied, hold, swap }: Swapping,
): Promise<boolean> {
  const { visible, journal } = open;
  const { reader, index, path } = visible;
  const cut = await chosenFor(place, visible, keep);
  if (!cut) return false;
  const { journals } = place.ports;
  const target = await begun(place, path);
  try {
    let done = reader.bytes;
    const step = (): void => copied(target.bytes);
    await writeCut(reader, cut, done, target, step);
    for (let round = 0; round < MOST_ROUNDS && reader.bytes - done > REST_BYTES; round += 1)
      done = await copy(reader, done, reader.bytes, target, step);
    await hold(async () => {
      await copy(reader, done, reader.bytes, target);
      await journal.verify();
      await target.close();
      await swap(async () => {
        await journals.replace(target.path, path);
        const shorter = await journals.open(path, { durability: place.durability });
        return () => {
          index.cut(cut.from, cut.to, cut.line.trimEnd());
          const source = new SegmentReader(journals, path, { source: shorter });
          return { ...open, visible: { ...visible, reader: source }, journal: shorter };
        };
      });
    });
    return true;
  } catch (caught) {
    await abandon(place, target);
    throw caught;
  }
}

async function chosenFor(
  place: Place,
  { reader, index }: BookSegment,
  keep: number,
): Promise<Cut | undefined> {
  return chosenCut({
    reader,
    bytes: reader.bytes,
    keep: Math.floor(keep),
    at: place.ports.clock.now(),
    gapAt: index.view().gaps[0]?.offset,
    counts: (from, to) => index.counts(from, to),
  });
}

/** An empty file that is to take the place of another. */
async function begun({ ports, durability }: Place, path: string): Promise<Journal> {
  await ports.files.remove(path + UNFINISHED);
  return ports.journals.open(path + UNFINISHED, { durability });
}

async function abandon({ ports }: Place, target: Journal): Promise<void> {
  await target.close();
  await ports.files.remove(target.path);
}
