import { objectOf } from "../log/line-text.ts";

const LAST_MS = 8.64e15;
/** What is shown by name; all else of an event comes after it as JSON. */
const NAMED = new Set(["ts", "runId", "hypothesisId", "location", "msg", "message", "data", "sessionId"]);

/**
 * A stored event as one line for reading: number, time, run, hypothesis, location, message, data. One whose JSON holds
 * what reading it would change is shown as it is stored.
 */
export function eventText(line: string): string {
  const event = objectOf(line);
  if (!event) return line;
  const { _seq: seq, _flags: flags, msg, message, data } = event;
  const marks = Array.isArray(flags) ? flags.map(String) : [];
  if (marks.includes("number") || marks.includes("duplicate")) return line;
  const rest = Object.entries(event).filter(
    ([name]) => !NAMED.has(name) && !/^_(?:seq|at|run|src|flags)$/.test(name),
  );
  return [
    `#${typeof seq === "number" ? seq : "-"}`,
    timeText(event),
    oneLine(event["_run"] ?? event["runId"]),
    oneLine(event["hypothesisId"]),
    oneLine(event["location"]),
    oneLine(msg ?? message),
    data === undefined ? "" : JSON.stringify(data),
    rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest)),
    marks.length === 0 ? "" : `(${marks.map(oneLine).join(" ")})`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** When the program says it was, else when it was received. */
function timeText({ ts, _at: at }: Readonly<Record<string, unknown>>): string {
  const time = typeof ts === "number" ? ts : typeof ts === "string" ? ts : at;
  if (typeof time !== "number") return oneLine(time);
  return Math.abs(time) <= LAST_MS ? new Date(time).toISOString() : String(time);
}

/** A value in one line; a text without its quotes. */
function oneLine(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return JSON.stringify(value);
  return /[\n\r\t]/.test(value) ? JSON.stringify(value) : value;
}
