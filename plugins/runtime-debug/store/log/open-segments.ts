import { basename } from "node:path";
import type { Clock, Durability, Journal } from "skillctl";
import type { LogFiles, RejectedFile } from "./log-files.ts";
import { bytesAt, lastLineStart, objectOf } from "./log-lines.ts";
import { SegmentFacts } from "./segment-facts.ts";

/** So much of a torn line is looked at, and of one that is no event kept. */
const LONGEST_TAIL = 4 * 1024 * 1024;
const MOST_KEPT = 64 * 1024;

/** What the files of a session are opened with. */
export interface LogPlace {
  readonly files: LogFiles;
  readonly clock: Clock;
  readonly durability: Durability;
  readonly rejected: RejectedFile;
  /** Takes a sentence about what was found and mended. */
  readonly found: (sentence: string) => void;
  /** What the visible segment may become before its middle goes. */
  readonly maxBytes: number;
}

/** The segment that is written; the earlier ones lie in the folder as they are. */
export interface OpenSegment {
  /** From 1, greater than those of all earlier ones. */
  readonly number: number;
  readonly facts: SegmentFacts;
  readonly journal: Journal;
}

/**
 * Opens the visible segment, and first completes what a killed process, or a failure, has left half-done.
 * @throws SkillError as `Journals.open` and `Journal.append` do
 */
export async function openSegment(place: LogPlace): Promise<OpenSegment> {
  const { files: log, durability, found } = place;
  const { files, journals, visible, unfinished } = log;
  // The old file was set aside, and the new one not yet put there.
  const isBetween = !(await files.facts(visible)) && (await files.facts(unfinished));
  if (isBetween) await journals.rename(unfinished, visible);
  else await files.remove(unfinished);
  const earlier = await log.earlierNumbers();
  const journal = await journals.open(visible, { durability });
  try {
    await mendTail(journal, place);
    const facts = await SegmentFacts.of(journal);
    if (facts.noEvents > 0) found(`Lines of ${basename(visible)} that are no events: ${facts.noEvents}.`);
    for (const number of earlier.toReversed()) facts.lastSeq ||= await lastSeqOf(log, number);
    return { number: (earlier.at(-1) ?? 0) + 1, facts, journal };
  } catch (caught) {
    await journal.close();
    throw caught;
  }
}

async function lastSeqOf(log: LogFiles, earlier: number): Promise<number> {
  const reader = await log.journals.openToRead(log.earlier(earlier));
  if (!reader) return 0;
  try {
    return (await SegmentFacts.of(reader)).lastSeq;
  } finally {
    await reader.close();
  }
}

/**
 * Makes a log end in a whole line again, as it does not after a power failure: what is no whole event is kept as a
 * rejection and cut off, a whole one gets its line feed. Done again after any interruption, it comes to the same.
 */
async function mendTail(journal: Journal, { rejected, files, found }: LogPlace): Promise<void> {
  const start = await lastLineStart(journal, journal.bytes);
  const gone = journal.bytes - start;
  if (gone === 0) return;
  const tail = await bytesAt(journal, start, Math.min(gone, LONGEST_TAIL));
  let length = tail.length;
  while (tail[length - 1] === 0) length -= 1;
  const text = tail.toString("utf8", 0, length);
  if (gone <= LONGEST_TAIL && objectOf(text)) {
    await journal.cut(start + length);
    await journal.append("\n");
    found("The last line of the log had no end; it was whole and got one.");
    return;
  }
  const sentence = `torn: ${basename(journal.path)} at ${start}`;
  await rejected.add({ code: "DEBUG_BAD_JSON", sentence, text: text.slice(0, MOST_KEPT) });
  await journal.cut(start);
  found(
    `The log ended in ${gone} bytes that are no whole event; they were cut off, and their beginning kept in ${basename(files.rejected)}.`,
  );
}
