import { runName } from "../event/run-name.ts";
import { objectOf } from "../log/log-lines.ts";
import { inertJson } from "../event/inert-text.ts";
import { textOf } from "./event-filter.ts";

const LAST_MS = 8.64e15;
/** What has a place of its own; all else of an event comes after it as JSON. */
const PLACED = new Set(["ts", "hypothesisId", "location", "msg", "message", "data", "sessionId"]);
/** A text that cannot be taken for anything but itself. */
const WORD = /^[\p{L}\p{N}_./:@#+*$~<>=%,-]+$/u;
const MISSING = "-";

/**
 * A stored event as one line for reading: number, time, run, hypothesis, location, message, data, the rest, flags. Each
 * of the first seven is always there, `-` when the event has none, so that no value can pass for another: the message is
 * always JSON, the others are too unless they are one word. The session is told where it is another one.
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

/** When the program says it was, else when it was received. */
function timeText({ ts, _at: at }: Readonly<Record<string, unknown>>): string {
  const time = typeof ts === "number" || typeof ts === "string" ? ts : at;
  if (typeof time !== "number") return word(time);
  return Math.abs(time) <= LAST_MS ? new Date(time).toISOString() : String(time);
}

export function word(value: unknown): string {
  if (value === undefined || value === null || value === "") return MISSING;
  return typeof value === "string" && value !== MISSING && WORD.test(value) ? value : json(value);
}

function json(value: unknown): string {
  return value === undefined ? MISSING : inertJson(value);
}
