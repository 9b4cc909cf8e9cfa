import { basename } from "node:path";
import type { Journal, JournalLoss, JournalReader } from "skillctl";
import { copy } from "./compaction.ts";
import { UNFINISHED } from "./file-names.ts";
import { bytesAt, lastLineStart, linesBetween } from "./log-lines.ts";
import type { LogPlace, OpenSegments } from "./open-segments.ts";
import { SegmentFacts } from "./segment-facts.ts";

const WHAT: Readonly<Record<JournalLoss, string>> = {
  removed: "removed",
  renamed: "given another name",
  replaced: "replaced by another file",
  cut: "made shorter",
  grown: "written to",
  changed: "changed",
};
const PIECE_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * What was acknowledged becomes an earlier segment when somebody else has laid hands on the visible log, read through
 * the descriptor that is still open. A file that is in its place now is set aside first, and goes when the segment holds
 * all of it; lines that somebody else has added are kept. Then there is no visible log any more. Killed in between, the
 * next start takes what was set aside.
 */
export async function rescue(place: LogPlace, { visible, journal }: OpenSegments): Promise<void> {
  const { ports, names, durability, found } = place;
  const { number, facts } = visible;
  const aside = await setAside(place, number);
  const temporary = names.earlier(number) + UNFINISHED;
  await ports.files.remove(temporary);
  const target = await ports.journals.open(temporary, { durability });
  let rescued = 0;
  let whole = true;
  try {
    const copied = await copy(journal, 0, journal.bytes, target);
    if (copied < journal.bytes) await target.cut(await lastLineStart(target, copied));
    rescued = (await new SegmentFacts().read(target)).events;
    if (aside) whole = await addWhatOthersWrote(aside, target, facts.lastSeq);
  } finally {
    await aside?.close();
    await target.close();
  }
  if (target.bytes > 0) await ports.journals.rename(temporary, names.earlier(number));
  else await ports.files.remove(temporary);
  if (aside && whole) await ports.files.remove(aside.path);
  const gone = facts.events - rescued;
  const lost = gone > 0 ? `; ${gone} events are gone` : "";
  const kept = aside && !whole ? `; what is in its place is kept as ${basename(aside.path)}` : "";
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

/**
 * Adds the lines that a file has beyond what was rescued, when it begins with that, byte for byte. Of lines of ours,
 * numbered beyond `lastSeq`, nobody was told that they last: they are sent again. False when the file holds something else.
 */
async function addWhatOthersWrote(aside: JournalReader, target: Journal, lastSeq: number): Promise<boolean> {
  const rescued = target.bytes;
  if (!(await sameStart(aside, target, Math.min(aside.bytes, rescued)))) return false;
  let from = rescued;
  for await (const lines of linesBetween(aside, rescued, aside.bytes)) {
    for (const { offset, bytes, seq } of lines) {
      if (seq <= lastSeq) continue;
      await copy(aside, from, offset, target);
      from = offset + bytes;
    }
  }
  await copy(aside, from, aside.bytes, target);
  if (target.bytes > rescued && (await bytesAt(target, target.bytes - 1, 1))[0] !== LINE_FEED)
    await target.append("\n");
  return true;
}

async function sameStart(one: JournalReader, other: JournalReader, bytes: number): Promise<boolean> {
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, bytes - at);
    if (!(await bytesAt(one, at, length)).equals(await bytesAt(other, at, length))) return false;
  }
  return true;
}
