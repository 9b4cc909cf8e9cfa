import { basename } from "node:path";
import type { LogsInput, LogsOutput } from "../../contract.ts";
import { framed, inertJson } from "../event/inert-text.ts";
import type { LogSource } from "../log/log-lines.ts";
import { comparison } from "./comparison.ts";
import { eventLines, whole } from "./event-lines.ts";
import { NOTICE } from "./notice.ts";
import { readingText } from "./reading-text.ts";
import { select } from "./selection.ts";
import { lastRun, summary } from "./summary.ts";
import { summaryLines } from "./summary-text.ts";

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
    return resultOutput(format, await summary(sources, question, facts));
  }
  if (format === "diff") return resultOutput(format, await comparison(sources, question, session));
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

function resultOutput(format: "summary" | "diff", json: string): LogsOutput {
  const result = JSON.parse(json) as Record<string, unknown>;
  const lines = format === "summary" ? summaryLines(result) : [inertJson(result, 2)];
  return { format, result, text: framed(lines, NOTICE) };
}

async function refusedText({ rejected, rejectedPath }: BesideLog): Promise<string> {
  const count = await rejected();
  if (count === 0) return "";
  const what = count === 1 ? "1 body or part of one was" : `${count} bodies or parts of them were`;
  return `${what} refused: see ${basename(rejectedPath)}.`;
}
