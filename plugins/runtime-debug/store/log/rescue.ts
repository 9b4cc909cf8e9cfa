import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { Journal, JournalLoss, JournalReader } from "skillctl";
import { copy, lastLineStart, pieces } from "./file-scan.ts";
import { UNFINISHED } from "./file-names.ts";
import { LONGEST_LINE_BYTES, objectOf } from "./line-text.ts";
import type { OpenSegments, Place } from "./open-segments.ts";

const WHAT: Readonly<Record<JournalLoss, string>> = {
  removed: "removed",
  renamed: "given another name",
  replaced: "replaced by another file",
  cut: "made shorter",
  grown: "written to",
  changed: "changed",
};

/** So much of what others wrote is added at once. */
const PIECE_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * What was acknowledged becomes an earlier segment when somebody else has laid hands on the visible log, read through
 * the descriptor that is still open. A file that is in its place now is set aside first, and goes when the segment holds
 * all of it; lines that somebody else has added are kept. Then there is no visible log any more. Killed in between, the
 * next start takes what was set aside.
 */
export async function rescue(place: Place, { visible, journal }: OpenSegments): Promise<void> {
  const { ports, names, durability, found } = place;
  const { number } = visible;
  const aside = await setAside(place, number);
  const temporary = names.earlier(number) + UNFINISHED;
  await ports.files.remove(temporary);
  const target = await ports.journals.open(temporary, { durability });
  const events = visible.index.events;
  let gone = 0;
  let whole = true;
  try {
    const copied = await copy(journal, 0, journal.bytes, target);
    if (copied < journal.bytes) await target.cut(await lastLineStart(target, copied));
    gone = visible.index.counts(target.bytes, journal.bytes).reduce((sum, row) => sum + row[4], 0);
    if (aside) whole = await addWhatOthersWrote(aside, target, visible.index.lastSeq);
  } finally {
    await aside?.close();
    await target.close();
  }
  if (target.bytes > 0) await ports.journals.rename(temporary, names.earlier(number));
  else await ports.files.remove(temporary);
  if (aside && whole) await ports.files.remove(aside.path);
  const lost = gone > 0 ? `; ${gone} events are gone` : "";
  const kept = aside && !whole ? `; what is in its place is kept as ${basename(aside.path)}` : "";
  found(
    `The log was ${WHAT[journal.loss ?? "changed"]} by somebody else; ${events - gone} events were rescued into segment ${number}${lost}${kept}.`,
  );
}

/** Gives what is at the path of the visible log another name, and opens it. */
async function setAside({ ports, names }: Place, segment: number): Promise<JournalReader | undefined> {
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

/**
 * Adds the lines that a file has beyond what was rescued, when it begins with that. Of lines of ours, numbered beyond
 * `lastSeq`, nobody was told that they last: they are sent again. False when the file holds something else.
 */
async function addWhatOthersWrote(aside: JournalReader, target: Journal, lastSeq: number): Promise<boolean> {
  const rescued = target.bytes;
  if (!(await sameStart(aside, target, Math.min(aside.bytes, rescued)))) return false;
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const line of lines(aside, rescued)) {
    if (seqOf(line) > lastSeq) continue;
    waiting.push(line);
    bytes += line.length;
    if (bytes < PIECE_BYTES) continue;
    await add(target, waiting);
    waiting = [];
    bytes = 0;
  }
  await add(target, waiting);
  return true;
}

/** 0 where it names none. */
function seqOf(line: Buffer): number {
  if (line.length > LONGEST_LINE_BYTES) return 0;
  const seq = objectOf(line.toString())?.["_seq"];
  return typeof seq === "number" ? seq : 0;
}

/** A line of others may be longer than what a journal takes at once. */
async function add(target: Journal, waiting: readonly Buffer[]): Promise<void> {
  const bytes = Buffer.concat(waiting);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    await target.append(bytes.subarray(at, at + PIECE_BYTES));
}

async function sameStart(one: JournalReader, other: JournalReader, bytes: number): Promise<boolean> {
  let at = 0;
  for await (const piece of pieces(one, 0, bytes)) {
    if (!piece.equals(await other.read(at, piece.length))) return false;
    at += piece.length;
  }
  return true;
}

/** Each with its line feed, the last one too, byte for byte: what others write need not be UTF-8. */
async function* lines(reader: JournalReader, from: number): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const piece of pieces(reader, from, reader.bytes)) {
    let start = 0;
    for (let end; (end = piece.indexOf(LINE_FEED, start) + 1) > 0; start = end) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]);
      begun = [];
    }
    begun.push(piece.subarray(start));
  }
  const last = Buffer.concat(begun);
  if (last.length > 0) yield Buffer.concat([last, Buffer.from("\n")]);
}
