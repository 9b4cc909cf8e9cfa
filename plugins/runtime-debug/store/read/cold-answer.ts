import { basename } from "node:path";
import type { LogsInput, LogsOutput } from "../../contract.ts";
import { framed, shortened } from "../event/inert-text.ts";
import type { LogSource } from "../log/log-lines.ts";
import { eventText } from "./event-text.ts";
import { eventLines, select, type Selection } from "./selection.ts";
import { summary, summaryLines } from "./summary.ts";

/** What is asked of the files beside the log, where an answer needs it. */
export interface BesideLog {
  /** The run that the server stamps, or stamped last; `undefined` when no file says so. */
  readonly run: () => Promise<string | undefined>;
  /** Bodies, or parts of them, that were no events. */
  readonly rejected: () => Promise<number>;
  /** The file that keeps those. */
  readonly rejectedPath: string;
}

/** What is shown of one event, in characters, and of all of them, in bytes. */
const MOST_LINE = 2_000;
const MOST_BYTES = 64 * 1024;

/**
 * The answer to a question on the command line: framed text for reading, or JSON for programs.
 * @param sources the segments that the question is about
 * @throws SkillError `INPUT_INVALID` as `summary` does, `FILE_UNREADABLE`
 */
export async function coldAnswer(
  sources: readonly LogSource[],
  question: LogsInput & { readonly session: string },
  beside: BesideLog,
): Promise<LogsOutput> {
  const { format = "text", session } = question;
  if (format === "summary") {
    const facts = { session, run: await beside.run(), rejected: await beside.rejected() };
    const result = await summary(sources, question, facts);
    return { format, result: { ...result }, text: framed(summaryLines(result)) };
  }
  if (format === "text") {
    const line = (stored: string): string => shortened(eventText(stored, session), MOST_LINE);
    const selection = await select(sources, question, line, MOST_BYTES);
    const { count, dropped } = selection;
    return { format, count, dropped, text: readingText(selection, await refusedText(beside)) };
  }
  const selection = await select(sources, question);
  const { count, dropped } = selection;
  const text = [...eventLines(selection, format)].join("");
  if (format === "ndjson") return { format, count, dropped, text };
  return { format, count, dropped, events: JSON.parse(text) as Record<string, unknown>[], text };
}

async function refusedText({ rejected, rejectedPath }: BesideLog): Promise<string> {
  const count = await rejected();
  if (count === 0) return "";
  const what = count === 1 ? "1 body or part of one was" : `${count} bodies or parts of them were`;
  return `${what} refused: see ${basename(rejectedPath)}.`;
}

/**
 * Events for reading, in a frame, one a line. What is not shown, or is no longer in the log, is said.
 * @param remark a line about the session after the frame; empty for none
 */
function readingText({ shown, filter, more }: Selection, remark: string): string {
  const most = filter.fitsAll ? "" : "up to ";
  const lines = shown.map(({ text, leftOut }) =>
    leftOut > 0 ? `… ${most}${leftOut.toLocaleString("en")} events left out here: the log was full …` : text,
  );
  const parts = [lines.length === 0 ? "No event fits." : framed(lines), goOn(more), remark];
  return parts.filter((part) => part !== "").join("\n");
}

function goOn(next: Selection["more"]): string {
  if (next === undefined) return "";
  return "since" in next
    ? `More events fit: go on with --since ${next.since}.`
    : `Earlier events fit too: go on with --before ${next.before}.`;
}
