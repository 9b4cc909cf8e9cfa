import { runName } from "../event/run-name.ts";
import { gapOf, type Gap } from "./gap-line.ts";
import { objectOf } from "./line-text.ts";

/** What events are counted and searched by. */
export interface EventKeys {
  /** As text, lists as they were sent (`A,D`); empty when the event names none. */
  readonly hypothesis: string;
  /** The normalised run: `pre-fix`, `post-fix`, or the text or number as sent. */
  readonly run: string;
  /** Empty when the event names none. */
  readonly location: string;
  /** What names the probe: the location, or the message where there is none. At most 200 characters. */
  readonly probe: string;
}

/**
 * Keys of events that are not counted one by one, because a log holds too many different ones or a text is longer than
 * 1,000 characters. What such an event names only its line says.
 */
export const OTHER: EventKeys = { hypothesis: "", run: "", location: "", probe: "(other)" };

/** What the index holds of a line. `seq` is missing where the line names none that could be ours. */
export type LineFacts =
  | { readonly kind: "event"; readonly seq?: number; readonly at?: number; readonly keys: EventKeys }
  | { readonly kind: "gap"; readonly gap: Gap }
  | { readonly kind: "none" };

const NONE: LineFacts = { kind: "none" };
const PREFIX = /^\s*\[[^\]]*\]\s*/;
const MOST_PROBE = 200;

/** Reads a line of a log, whoever wrote it; one without a text is too long to be an event. */
export function lineFacts(text: string | undefined): LineFacts {
  if (text === undefined) return NONE;
  const gap = gapOf(text);
  if (gap) return isSound(gap) ? { kind: "gap", gap } : NONE;
  const line = objectOf(text);
  if (!line) return NONE;
  const { _seq: seq, _at: at } = line;
  return {
    kind: "event",
    ...(isNumber(seq) && { seq }),
    ...(isNumber(at) && { at }),
    keys: keysOf(line),
  };
}

/** What an event is counted and searched by: docs/runtime-debug.md, section Events. */
export function keysOf(line: Readonly<Record<string, unknown>>): EventKeys {
  const { hypothesisId, runId, _run, location, msg, message } = line;
  const place = textOf(location);
  return {
    hypothesis: Array.isArray(hypothesisId) ? hypothesisId.map(textOf).join(",") : textOf(hypothesisId),
    run: runName(textOf(_run ?? runId)),
    location: place,
    probe: (place || textOf(msg ?? message).replace(PREFIX, "")).slice(0, MOST_PROBE),
  };
}

/** A value as it is searched for. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isSound({ events, counts }: Gap): boolean {
  return isNumber(events) && Array.isArray(counts) && counts.every((row) => isNumber(row?.[4]));
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
