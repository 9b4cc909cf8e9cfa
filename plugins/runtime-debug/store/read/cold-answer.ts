import { basename } from "node:path";
import type { LogsInput, LogsOutput } from "../../contract.ts";
import { framed } from "../event/inert-text.ts";
import { inertJson } from "./budget.ts";
import { comparison } from "./comparison.ts";
import { eventLines, whole } from "./event-lines.ts";
import { leftOut } from "./left-out.ts";
import type { ColdLog } from "./cold-log.ts";
import { NOTICE } from "./notice.ts";
import { readingText } from "./reading-text.ts";
import { completeIn, select } from "./selection.ts";
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

/** A question of the command line whose session is known. */
export type LogsQuestion = LogsInput & { readonly session: string };

/**
 * The answer to a question on the command line: framed text for reading, or JSON for programs; `undefined` where it needs
 * more of the log than is there.
 * @throws SkillError `INPUT_INVALID` as `select` and `countable` do, `FILE_UNREADABLE`
 */
export async function coldAnswer(
  { sources, isWhole }: ColdLog,
  question: LogsQuestion,
  beside: BesideLog,
): Promise<LogsOutput | undefined> {
  const { format = "text", session } = question;
  if (format === "summary") {
    const run = (await beside.run()) ?? (await lastRun(sources));
    const facts = { session, run, rejected: await beside.rejected() };
    return resultOutput(format, await summary(sources, question, facts));
  }
  if (format === "diff") return resultOutput(format, await comparison(sources, question, session));
  const selection = await select(sources, question);
  if (!isWhole && !selection.isFull) return undefined;
  if (format === "text")
    return { format, ...(await readingText(selection, session, await refusedText(beside))) };
  const gaps = leftOut(selection.sources, selection.filter, completeIn(selection));
  const dropped = gaps.reduce((sum, { events }) => sum + events, 0);
  const { count } = selection;
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
