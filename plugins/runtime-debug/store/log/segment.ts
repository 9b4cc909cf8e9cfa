import { basename } from "node:path";
import type { Durability, Journal } from "skillctl";
import type { LogFiles, RejectedFile } from "./log-files.ts";
import { bytesAt, lastLineStart, linesBackwards, linesBetween, objectOf } from "./log-lines.ts";

/** The number of bytes that are read of a torn line, and kept of one that is not an event. */
const LONGEST_TAIL = 4 * 1024 * 1024;
const MOST_KEPT = 64 * 1024;

/** Receives a sentence about a repair. */
export type Found = (sentence: string) => void;

/** The segment that is written, and how much it holds; earlier segments in the folder are not changed. */
export class Segment {
  /** The number of events in the log, without those in gaps. */
  events = 0;
  /** The number of events that were left out, according to gaps. */
  dropped = 0;
  /** The greatest `_seq` of the log so far, of events or in gaps; 0 for an empty log. */
  lastSeq = 0;
  /** When the last event was received, in milliseconds since the epoch; 0 if unknown. */
  lastAt = 0;

  private constructor(
    readonly journal: Journal,
    /** The number, from 1, greater than those of all earlier segments. */
    readonly number: number,
  ) {}

  /**
   * Opens the visible segment, and first completes the unfinished changes of a killed process or a failure.
   * @throws SkillError as `Journals.open` and `Journal.append` do
   */
  static async open(
    log: LogFiles,
    durability: Durability,
    rejected: RejectedFile,
    found: Found,
  ): Promise<Segment> {
    const { files, journals, visible, unfinished } = log;
    // The process ended after the old file was moved away and before the new one was in place.
    const isBetween = !(await files.facts(visible)) && (await files.facts(unfinished));
    if (isBetween) await journals.rename(unfinished, visible);
    else await files.remove(unfinished);
    const earlier = await log.earlierNumbers();
    const journal = await journals.open(visible, { durability });
    try {
      await mendTail(journal, log, rejected, found);
      const segment = new Segment(journal, (earlier.at(-1) ?? 0) + 1);
      const others = await segment.#count();
      if (others > 0) found(`Lines of ${basename(visible)} that are not events: ${others}.`);
      for (const number of earlier.toReversed()) segment.lastSeq ||= await lastSeqOf(log, number);
      return segment;
    } catch (caught) {
      await journal.close();
      throw caught;
    }
  }

  /** Reads the whole segment. @returns how many lines are neither events nor gaps */
  async #count(): Promise<number> {
    let others = 0;
    for await (const lines of linesBetween(this.journal, 0, this.journal.bytes))
      for (const { seq, event, gap } of lines) {
        this.lastSeq = Math.max(this.lastSeq, seq);
        this.dropped += gap?.events ?? 0;
        if (event) {
          const { _at: at } = event;
          this.events += 1;
          if (Number.isSafeInteger(at)) this.lastAt = at as number;
        } else if (!gap) others += 1;
      }
    return others;
  }
}

/** The last number in an earlier segment; 0 without one. */
async function lastSeqOf(log: LogFiles, number: number): Promise<number> {
  const reader = await log.journals.openToRead(log.earlier(number));
  if (!reader) return 0;
  try {
    for await (const lines of linesBackwards(reader, reader.bytes))
      for (const { seq } of lines) if (seq > 0) return seq;
    return 0;
  } finally {
    await reader.close();
  }
}

/**
 * Repairs the end of a log after a power failure: an incomplete event is moved to the rejections, a complete one
 * gets its line feed. The operation is idempotent.
 */
async function mendTail(
  journal: Journal,
  log: LogFiles,
  rejected: RejectedFile,
  found: Found,
): Promise<void> {
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
    found("The last line of the log had no line ending; it was complete, and one was added.");
    return;
  }
  const sentence = `torn: ${basename(journal.path)} at ${start}`;
  await rejected.add({ code: "DEBUG_BAD_JSON", sentence, text: text.slice(0, MOST_KEPT) });
  await journal.cut(start);
  found(
    `The log ended in ${gone} bytes that are not a complete event; they were removed, and their beginning is kept in ${basename(log.rejected)}.`,
  );
}
