import { Buffer } from "node:buffer";
import type { Journal } from "skillctl";
import { chosenCut, writeCut, type Cut } from "./compaction.ts";
import { copy } from "./file-scan.ts";
import { UNFINISHED } from "./file-names.ts";
import type { BookSegment, OpenSegments, Place } from "./open-segments.ts";
import { SegmentReader } from "./segment-reader.ts";

/** So much of what came during the copy is left for the moment in which appends wait. */
const REST_BYTES = 256 * 1024;
const MOST_ROUNDS = 16;

/** Leaves out the middle of an earlier segment; the same one when nothing could be left out. */
export async function halve(place: Place, segment: BookSegment): Promise<BookSegment> {
  const { reader, index, path } = segment;
  const cut = await chosenFor(place, segment, reader.bytes / 4);
  if (!cut) return segment;
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
  index.cut(cut.from, cut.to, Buffer.byteLength(cut.line));
  return { ...segment, reader: new SegmentReader(journals, path, { bytes }) };
}

/** How the visible log becomes another one. */
export interface Swapping {
  /** Does something while no append is under way. */
  readonly hold: (action: () => Promise<void>) => Promise<void>;
  /** Takes over what comes out; if that fails it is looked up in the folder what there is. */
  readonly swap: (replace: () => Promise<OpenSegments>) => Promise<void>;
}

/**
 * Leaves out the middle of the visible log while it is being written; false when nothing could be left out. A process
 * that is killed leaves the old file or the new one.
 */
export async function shorten(
  place: Place,
  open: OpenSegments,
  keep: number,
  { hold, swap }: Swapping,
): Promise<boolean> {
  const { visible, journal } = open;
  const { reader, index, path } = visible;
  const cut = await chosenFor(place, visible, keep);
  if (!cut) return false;
  const { journals } = place.ports;
  const target = await begun(place, path);
  try {
    let done = reader.bytes;
    await writeCut(reader, cut, done, target);
    for (let round = 0; round < MOST_ROUNDS && reader.bytes - done > REST_BYTES; round += 1)
      done = await copy(reader, done, reader.bytes, target);
    await hold(async () => {
      await copy(reader, done, reader.bytes, target);
      await journal.verify();
      await target.close();
      await swap(async () => {
        await journals.replace(target.path, path);
        index.cut(cut.from, cut.to, Buffer.byteLength(cut.line));
        const shorter = await journals.open(path, { durability: place.durability });
        const source = new SegmentReader(journals, path, { source: shorter });
        return { ...open, visible: { ...visible, reader: source }, journal: shorter };
      });
    });
    return true;
  } catch (caught) {
    await abandon(place, target);
    throw caught;
  }
}

function chosenFor(place: Place, { reader, index }: BookSegment, keep: number): Promise<Cut | undefined> {
  return chosenCut({
    reader,
    bytes: reader.bytes,
    keep: Math.floor(keep),
    at: place.ports.clock.now(),
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
