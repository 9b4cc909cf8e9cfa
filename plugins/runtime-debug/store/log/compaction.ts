import { Buffer } from "node:buffer";
import type { Journal, JournalReader } from "skillctl";
import { KeyCounts, keysOf } from "./event-keys.ts";
import { UNFINISHED } from "./file-names.ts";
import { bytesAt, lineStart, linesBetween, ownLine, type Gap, type GapCount } from "./log-lines.ts";
import type { LogPlace } from "./open-segments.ts";
import { SegmentFacts } from "./segment-facts.ts";

const PIECE_BYTES = 1024 * 1024;
const MOST_ROWS = 200;
const REST = "other";

/** A log without its middle, beside the log whose place it is to take. */
export interface ShorterLog {
  readonly journal: Journal;
  readonly facts: SegmentFacts;
  /** So much of the old one is in it, or counted by the gap. */
  readonly copied: number;
}

/**
 * Writes a log without its middle: about so many bytes of its beginning and of its end, and between them a line that
 * says what was left out; an older gap becomes part of it. `undefined` when too little would go.
 * @throws SkillError as `Journal.append` does; then nothing is left of it
 */
export async function shorterLog(
  place: LogPlace,
  reader: JournalReader,
  older: SegmentFacts["gap"],
  keep: number,
): Promise<ShorterLog | undefined> {
  const { ports, durability } = place;
  const copied = reader.bytes;
  const first = await lineStart(reader, Math.floor(keep), copied);
  const last = await lineStart(reader, copied - Math.floor(keep), copied);
  const from = Math.min(first, older?.offset ?? first);
  const to = Math.max(last, older ? older.offset + older.bytes : last);
  const line = gapLine(await gapOf(reader, from, to), ports.clock.now(), Math.max(512, keep / 4));
  // A log of a few huge lines would be rewritten for nothing.
  if (Buffer.byteLength(line) * 2 >= to - from) return undefined;
  await ports.files.remove(reader.path + UNFINISHED);
  const journal = await ports.journals.open(reader.path + UNFINISHED, { durability });
  try {
    await copy(reader, 0, from, journal);
    await journal.append(line);
    await copy(reader, to, copied, journal);
    return { journal, facts: await new SegmentFacts().read(journal), copied };
  } catch (caught) {
    await discard(place, journal);
    throw caught;
  }
}

/** Gives up a log that was to take the place of another. */
export async function discard({ ports }: LogPlace, journal: Journal): Promise<void> {
  await journal.close();
  await ports.files.remove(journal.path);
}

/** Copies a stretch to the end of a journal. @returns where in the source it ended, which may have become shorter */
export async function copy(
  source: JournalReader,
  from: number,
  to: number,
  target: Journal,
): Promise<number> {
  for (let at = from; at < to;) {
    const piece = await bytesAt(source, at, Math.min(PIECE_BYTES, to - at));
    if (piece.length === 0) return at;
    await target.append(piece);
    at += piece.length;
  }
  return to;
}

/** What a stretch of whole lines holds, gaps in it included. */
async function gapOf(reader: JournalReader, from: number, to: number): Promise<Gap> {
  const counts = new KeyCounts();
  let [events, bytes, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for await (const lines of linesBetween(reader, from, to)) {
    for (const { bytes: length, seq, event, gap } of lines) {
      bytes += gap ? gap.bytes : length;
      events += gap ? gap.events : event ? 1 : 0;
      if (gap) counts.addGap(gap, () => true);
      if (event) counts.add(keysOf(event));
      first = Math.min(first, (gap ? gap.fromSeq : seq) || first);
      last = Math.max(last, seq);
    }
  }
  return { events, bytes, fromSeq: last === 0 ? 0 : first, toSeq: last, counts: counts.gapCounts };
}

/** The line of a gap, `most` bytes long at the most as far as the rows allow: the rarest are summed up as "other". */
function gapLine(gap: Gap, at: number, most: number): string {
  for (let rows = MOST_ROWS; ; rows = Math.floor(rows / 2)) {
    const line = ownLine({
      msg: `[skillctl] ${gap.events} events left out`,
      _gap: { ...gap, counts: shortened(gap.counts, rows) },
      _at: at,
    });
    if (rows <= 1 || Buffer.byteLength(line) <= most) return line;
  }
}

function shortened(rows: readonly GapCount[], most: number): readonly GapCount[] {
  if (rows.length <= most) return rows;
  const sorted = rows.toSorted((a, b) => Number(a[0] === REST) - Number(b[0] === REST) || b[4] - a[4]);
  const rest = sorted.slice(most - 1).reduce((total, row) => total + row[4], 0);
  return [...sorted.slice(0, most - 1), [REST, REST, REST, REST, rest]];
}
