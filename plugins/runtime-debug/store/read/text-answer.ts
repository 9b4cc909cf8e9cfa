import { basename } from "node:path";
import type { LogsInput, LogsOutput } from "../../contract.ts";
import { framed, inertJson, MISSING, shortened, word } from "../event/inert-text.ts";
import { runName } from "../event/run-name.ts";
import type { LogFiles } from "../log/log-files.ts";
import { objectOf, type LogSource } from "../log/log-lines.ts";
import { isoTime, textOf } from "./event-filter.ts";
import { eventLines, select, type Selection } from "./selection.ts";
import { summary, summaryLines } from "./summary.ts";

/** The maximum number of characters of one event, and of bytes of all events. */
const MOST_LINE = 2_000;
const MOST_BYTES = 64 * 1024;

/**
 * The result of a query on the command line: framed text for reading, or JSON for programs. @param
 * sources the segments of the query @param run finds the current or last run of the server;
 * `undefined` if no file states it
 * @throws SkillError `INPUT_INVALID` as `summary` does, `FILE_UNREADABLE`
 */
export async function coldAnswer(
  sources: readonly LogSource[],
  question: LogsInput & { readonly session: string },
  log: LogFiles,
  run: () => Promise<string | undefined>,
): Promise<LogsOutput> {
  const { format = "text", session } = question;
  if (format === "summary") {
    const facts = { session, run: await run(), rejected: await log.rejectedCount() };
    const result = await summary(sources, question, facts);
    return { format, result: { ...result }, text: framed(summaryLines(result)) };
  }
  if (format === "text") {
    const line = (stored: string): string => shortened(eventText(stored, session), MOST_LINE);
    const selection = await select(sources, question, line, MOST_BYTES);
    const { count, dropped } = selection;
    return { format, count, dropped, text: readingText(selection, await refusedText(log)) };
  }
  const selection = await select(sources, question);
  const { count, dropped } = selection;
  const text = [...eventLines(selection, format)].join("");
  if (format === "ndjson") return { format, count, dropped, text };
  return { format, count, dropped, events: JSON.parse(text) as Record<string, unknown>[], text };
}

async function refusedText(log: LogFiles): Promise<string> {
  const count = await log.rejectedCount();
  if (count === 0) return "";
  const what = count === 1 ? "1 body or part of one was" : `${count} bodies or parts of them were`;
  return `${what} refused: see ${basename(log.rejected)}.`;
}

/**
 * Events for reading, in a frame, one per line, with the numbers of omitted events. @param remark a
 * line about the session after the frame; may be empty
 */
function readingText({ shown, filter, more }: Selection, remark: string): string {
  const most = filter.fitsAll ? "" : "up to ";
  const lines = shown.map(({ text, leftOut }) =>
    leftOut > 0 ? `… ${most}${leftOut.toLocaleString("en")} events left out here: the log was full …` : text,
  );
  const parts = [lines.length === 0 ? "No event matches." : framed(lines), goOn(more), remark];
  return parts.filter((part) => part !== "").join("\n");
}

function goOn(next: Selection["more"]): string {
  if (next === undefined) return "";
  return "since" in next
    ? `More events match: continue with --since ${next.since}.`
    : `Earlier events match too: continue with --before ${next.before}.`;
}

/** Members with a fixed place; the others of an event follow as JSON. */
const PLACED = new Set(["ts", "hypothesisId", "location", "msg", "message", "data", "sessionId"]);

/**
 * A stored event as one line for reading: number, time, run, hypothesis, location, message, data, the rest, flags. The
 * first seven are always present, `-` if missing, so that values are unambiguous: the message is always JSON, the others
 * are too unless they are one word. The session is shown if it is another one.
 */
export function eventText(line: string, session: string): string {
  const event = objectOf(line);
  if (!event) return line;
  const { _seq: seq, _flags: flags, _run: run, runId, msg, message, data, sessionId } = event;
  const marks = Array.isArray(flags) ? flags.map(String) : [];
  const isPlaced = (name: string): boolean =>
    name === "sessionId"
      ? sessionId === session
      : name === "runId"
        ? runName(textOf(runId)) === textOf(run ?? runId)
        : PLACED.has(name) || /^_(?:seq|at|run|src|flags)$/.test(name);
  const rest = Object.entries(event).filter(([name]) => !isPlaced(name));
  return [
    `#${typeof seq === "number" ? seq : MISSING}`,
    timeText(event),
    word(run ?? runId),
    word(event["hypothesisId"]),
    word(event["location"]),
    json(msg ?? message ?? undefined),
    json(data),
    ...(rest.length === 0 ? [] : [json(Object.fromEntries(rest))]),
    ...(marks.length === 0 ? [] : [`(${marks.map(word).join(" ")})`]),
  ].join(" ");
}

/** The time stated by the program, or the time of receipt. */
function timeText({ ts, _at: at }: Readonly<Record<string, unknown>>): string {
  const time = typeof ts === "number" || typeof ts === "string" ? ts : at;
  return isoTime(time) ?? (typeof time === "number" ? String(time) : word(time));
}

function json(value: unknown): string {
  return value === undefined ? MISSING : inertJson(value);
}
