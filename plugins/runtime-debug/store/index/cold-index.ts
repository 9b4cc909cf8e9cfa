import type { JournalReader } from "skillctl";
import { Counts } from "./counts.ts";
import type { IndexView } from "./index-view.ts";
import { LineIndex } from "./line-index.ts";
import { factsAt, scanLog } from "./log-scan.ts";
import { GAP, WORDS } from "./records.ts";
import type { SidecarReader } from "./sidecar-reader.ts";

const PIECE_LINES = 65_536;

/** What the disk holds of an index was damaged in a place that has only now been looked at. */
export class IndexDamaged extends Error {}

/**
 * The index of a log as the disk has it, read only where an answer needs it, and in memory what the log holds beyond.
 * `undefined` when the disk's does not belong to the log. While it is used the sidecar stays open.
 */
export async function coldView(
  sidecar: SidecarReader,
  reader: JournalReader,
): Promise<IndexView | undefined> {
  const end = await sidecar.coveredEnd(reader);
  if (end === undefined) return undefined;
  const { lines: covered, keys, header } = sidecar;
  const last = (await sidecar.records(covered - 1, covered))?.at(1) ?? 0;
  const tail = new LineIndex({
    words: new Uint32Array(),
    keys,
    base: header.base,
    end,
    last,
    lastAt: 0,
    gaps: [],
  });
  await scanLog(reader, end, (facts, length) => tail.addLine(facts, length));
  const later = tail.view().records;
  const stored = async (from: number, to: number): Promise<Uint32Array> => {
    const words = await sidecar.records(from, to);
    if (!words || !areKeys(words, keys.length)) throw new IndexDamaged();
    return words;
  };
  const records = async (from: number, to: number): Promise<Uint32Array> => {
    if (to <= covered) return stored(from, to);
    const beyond = later(Math.max(0, from - covered), to - covered);
    if (from >= covered) return beyond;
    const joined = new Uint32Array((to - from) * WORDS);
    joined.set(await stored(from, covered));
    joined.set(beyond, (covered - from) * WORDS);
    return joined;
  };
  const lines = covered + tail.length;
  return {
    lines,
    end: tail.end,
    base: tail.base,
    lastSeq: tail.lastSeq,
    keys: tail.keys,
    records,
    counts: () => countsOf({ lines, base: tail.base, records }, reader, tail),
  };
}

/** One pass over all records; gaps are looked up in the log. */
async function countsOf(
  { lines, base, records }: Pick<IndexView, "lines" | "base" | "records">,
  reader: JournalReader,
  tail: LineIndex,
): Promise<Counts> {
  const counts = new Counts();
  for (let from = 0; from < lines; from += PIECE_LINES) {
    const words = await records(from, Math.min(lines, from + PIECE_LINES));
    counts.addRecords(words, base);
    for (let at = 0; at < words.length; at += WORDS) {
      if (words[at + 3] !== GAP) continue;
      const facts = (await factsAt(reader, words[at] as number))?.facts;
      if (facts?.kind === "gap") tail.countGap(facts.gap, counts);
    }
  }
  return counts;
}

function areKeys(words: Uint32Array, known: number): boolean {
  for (let at = 3; at < words.length; at += WORDS) {
    const key = words[at] as number;
    if (key >= known && key < GAP) return false;
  }
  return true;
}
