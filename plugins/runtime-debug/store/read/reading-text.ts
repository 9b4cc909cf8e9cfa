import { Buffer } from "node:buffer";
import { framed, shortened } from "../event/inert-text.ts";
import type { LogLine, LogSource } from "../log/log-lines.ts";
import { eventText } from "./event-text.ts";
import { NOTICE } from "./notice.ts";
import { select, selected, type Question, type Selection } from "./selection.ts";

/** What is shown of one event, in characters. */
const MOST_LINE = 2_000;
/** What is shown of all of them, in bytes. */
const MOST_BYTES = 64 * 1024;

/** What can be read, and how much of the log that is. */
export interface ReadingText {
  /** Events that are shown. */
  readonly count: number;
  /** Events between them, at the most, that fitted and were left out of the log because it was full. */
  readonly dropped: number;
  readonly text: string;
}

/**
 * Events for reading, in a frame: one a line, at most 2,000 characters of each and 64 KiB of all of them, the newest
 * where the last were asked for. What is not shown, or is no longer in the log, is said.
 * @param remark a line about the session after the frame; empty for none
 */
export async function readingText(
  sources: readonly LogSource[],
  question: Question,
  session: string,
  remark: string,
): Promise<ReadingText> {
  const shown = ({ text }: LogLine): string => shortened(eventText(text, session), MOST_LINE);
  const bytesOf = (line: LogLine): number => Buffer.byteLength(shown(line)) + 1;
  const selection = await select(sources, question, { bytesOf, most: MOST_BYTES });
  const { filter, count, dropped, more } = selection;
  const most = filter.fitsAll ? "" : "up to ";
  const lines: string[] = [];
  for await (const some of selected(selection)) {
    for (const line of some) {
      const left = line.gap ? filter.leftOut(line.gap).toLocaleString("en") : "";
      lines.push(line.gap ? `… ${most}${left} events left out here: the log was full …` : shown(line));
    }
  }
  const parts = [lines.length === 0 ? "No event fits." : framed(lines, NOTICE), goOn(more), remark];
  return { count, dropped, text: parts.filter((part) => part !== "").join("\n") };
}

function goOn(next: Selection["more"]): string {
  if (next === undefined) return "";
  return "since" in next
    ? `More events fit: go on with --since ${next.since}.`
    : `Earlier events fit too: go on with --before ${next.before}.`;
}
