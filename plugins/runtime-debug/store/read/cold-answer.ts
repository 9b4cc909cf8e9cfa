import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { LogsInput, LogsOutput } from "../../contract.ts";
import { framed, shortened } from "../event/inert-text.ts";
import type { LogLine, LogSource } from "../log/log-lines.ts";
import { eventText } from "./event-text.ts";
import { eventLines, select, selected, whole, type Question, type Selection } from "./selection.ts";
import { lastRun, summary, summaryLines } from "./summary.ts";

/** What is asked of the files beside the log, where an answer needs it. */
export interface BesideLog {
  /** The run that the server stamps, or stamped last; `undefined` when no file says so. */
  readonly run: () => Promise<string | undefined>;
  /** Bodies, or parts of them, that were no events. */
  readonly rejected: () => Promise<number>;
  /** The file that keeps those. */
  readonly rejectedPath: string;
}

/**
 * The answer to a question on the command line: framed text for reading, or JSON for programs.
 * @param sources the segments that the question is about
 * @throws SkillError `INPUT_INVALID` as `countable` does, `FILE_UNREADABLE`
 */
export async function coldAnswer(
  sources: readonly LogSource[],
  question: LogsInput & { readonly session: string },
  beside: BesideLog,
): Promise<LogsOutput> {
  const { format = "text", session } = question;
  if (format === "summary") {
    const run = (await beside.run()) ?? (await lastRun(sources));
    const facts = { session, run, rejected: await beside.rejected() };
    const result = await summary(sources, question, facts);
    return { format, result: { ...result }, text: framed(summaryLines(result)) };
  }
  if (format === "text") {
    const remark = await refusedText(beside);
    return { format, ...(await readingText(sources, question, session, remark)) };
  }
  const selection = await select(sources, question);
  const { count, dropped } = selection;
  const text = await whole(eventLines(selection, format));
  if (format === "ndjson") return { format, count, dropped, text };
  return { format, count, dropped, events: JSON.parse(text) as Record<string, unknown>[], text };
}

async function refusedText({ rejected, rejectedPath }: BesideLog): Promise<string> {
  const count = await rejected();
  if (count === 0) return "";
  const what = count === 1 ? "1 body or part of one was" : `${count} bodies or parts of them were`;
  return `${what} refused: see ${basename(rejectedPath)}.`;
}

/** What is shown of one event, in characters. */
const MOST_LINE = 2_000;
/** What is shown of all of them, in bytes. */
const MOST_BYTES = 64 * 1024;

/** What can be read, and how much of the log that is. */
interface ReadingText {
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
async function readingText(
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
  const parts = [lines.length === 0 ? "No event fits." : framed(lines), goOn(more), remark];
  return { count, dropped, text: parts.filter((part) => part !== "").join("\n") };
}

function goOn(next: Selection["more"]): string {
  if (next === undefined) return "";
  return "since" in next
    ? `More events fit: go on with --since ${next.since}.`
    : `Earlier events fit too: go on with --before ${next.before}.`;
}
