import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { Journal, JournalLoss, JournalReader } from "skillctl";
import { UNFINISHED } from "./log-files.ts";
import { bytesAt, lastLineStart, lineStart, linesBetween, ownLine, type Gap } from "./log-lines.ts";
import { SegmentFacts, type LogPlace, type OpenSegments } from "./open-segments.ts";

const PIECE_BYTES = 1024 * 1024;

/** Copies a stretch to the end of a journal. @returns where in the source it ended, which may have become shorter */
async function copy(source: JournalReader, from: number, to: number, target: Journal): Promise<number> {
  for (let at = from; at < to;) {
    const piece = await bytesAt(source, at, Math.min(PIECE_BYTES, to - at));
    if (piece.length === 0) return at;
    await target.append(piece);
    at += piece.length;
  }
  return to;
}

/** A log without its middle, beside the log whose place it is to take. */
interface ShorterLog {
  readonly path: string;
  readonly bytes: number;
  readonly facts: SegmentFacts;
}

/**
 * Writes a log without its middle: about so many bytes of its beginning and of its end, and between them a line that
 * says how much was left out; an older gap becomes part of it. `undefined` when too little would go.
 * @throws SkillError as `Journal.append` does; then nothing is left of it
 */
export async function shorterLog(
  { ports, durability }: LogPlace,
  reader: JournalReader,
  older: SegmentFacts["gap"],
  keep: number,
): Promise<ShorterLog | undefined> {
  const whole = reader.bytes;
  const first = await lineStart(reader, Math.floor(keep), whole);
  const last = await lineStart(reader, whole - Math.floor(keep), whole);
  const from = Math.min(first, older?.offset ?? first);
  const to = Math.max(last, older ? older.offset + older.bytes : last);
  const gap = await gapOf(reader, from, to);
  const msg = `[skillctl] ${gap.events} events left out`;
  const line = ownLine({ msg, _gap: gap, _at: ports.clock.now() });
  // A log of a few huge lines would be rewritten for nothing.
  if (Buffer.byteLength(line) * 2 >= to - from) return undefined;
  const path = reader.path + UNFINISHED;
  await ports.files.remove(path);
  const journal = await ports.journals.open(path, { durability });
  try {
    await copy(reader, 0, from, journal);
    await journal.append(line);
    await copy(reader, to, whole, journal);
    return { path, bytes: journal.bytes, facts: await new SegmentFacts().read(journal) };
  } catch (caught) {
    await ports.files.remove(path);
    throw caught;
  } finally {
    await journal.close();
  }
}

/** What a stretch of whole lines holds, gaps in it included. */
async function gapOf(reader: JournalReader, from: number, to: number): Promise<Gap> {
  let [events, bytes, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for await (const lines of linesBetween(reader, from, to)) {
    for (const { bytes: length, seq, event, gap } of lines) {
      bytes += gap ? gap.bytes : length;
      events += gap ? gap.events : event ? 1 : 0;
      first = Math.min(first, (gap ? gap.fromSeq : seq) || first);
      last = Math.max(last, seq);
    }
  }
  return { events, bytes, fromSeq: last === 0 ? 0 : first, toSeq: last };
}

const WHAT: Readonly<Record<JournalLoss, string>> = {
  removed: "removed",
  renamed: "given another name",
  replaced: "replaced by another file",
  cut: "made shorter",
  grown: "written to",
  changed: "changed",
};

/**
 * What was acknowledged becomes an earlier segment when somebody else has laid hands on the visible log, read through
 * the descriptor that is still open. A file that is in its place now is set aside first, and goes when the segment holds
 * all of it. Then there is no visible log any more. Killed in between, the next start takes what was set aside.
 */
export async function rescue(place: LogPlace, { visible, journal }: OpenSegments): Promise<void> {
  const { ports, names, durability, found } = place;
  const { number, facts } = visible;
  const aside = await setAside(place, number);
  const temporary = names.earlier(number) + UNFINISHED;
  await ports.files.remove(temporary);
  const target = await ports.journals.open(temporary, { durability });
  let rescued = 0;
  let isKept = false;
  try {
    const copied = await copy(journal, 0, journal.bytes, target);
    if (copied < journal.bytes) await target.cut(await lastLineStart(target, copied));
    rescued = (await new SegmentFacts().read(target)).events;
    isKept = aside !== undefined && !(await holds(target, aside));
  } finally {
    await aside?.close();
    await target.close();
  }
  if (target.bytes > 0) await ports.journals.rename(temporary, names.earlier(number));
  else await ports.files.remove(temporary);
  if (aside && !isKept) await ports.files.remove(aside.path);
  const gone = facts.events - rescued;
  const lost = gone > 0 ? `; ${gone} events are gone` : "";
  const kept = aside && isKept ? `; what is in its place is kept as ${basename(aside.path)}` : "";
  found(
    `The log was ${WHAT[journal.loss ?? "changed"]} by somebody else; ${rescued} events were rescued into segment ${number}${lost}${kept}.`,
  );
}

/** Gives what is at the path of the visible log another name, and opens it. */
async function setAside({ ports, names }: LogPlace, segment: number): Promise<JournalReader | undefined> {
  const { journals, files } = ports;
  const there = await journals.openToRead(names.visible);
  await there?.close();
  // A rescue that failed half-way has set one aside already.
  if (!there) return journals.openToRead(names.aside(segment));
  let number = segment;
  while (await files.facts(names.aside(number))) number += 1;
  await journals.rename(names.visible, names.aside(number));
  return journals.openToRead(names.aside(number));
}

/** Whether a file begins with all that is in another one. */
async function holds(whole: JournalReader, part: JournalReader): Promise<boolean> {
  if (part.bytes > whole.bytes) return false;
  for (let at = 0; at < part.bytes; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, part.bytes - at);
    if (!(await bytesAt(part, at, length)).equals(await bytesAt(whole, at, length))) return false;
  }
  return true;
}
