import type { Journal } from "skillctl";
import { chosenCut, writeCut, type Cut } from "./compaction.ts";
import { copy } from "./file-scan.ts";
import { UNFINISHED } from "./file-names.ts";
import type { BookSegment, OpenSegments, Place } from "./open-segments.ts";
import { SegmentReader } from "./segment-reader.ts";

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
