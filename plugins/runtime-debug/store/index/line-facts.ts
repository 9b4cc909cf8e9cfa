import { runName } from "../event/run-name.ts";
import type { EventKeys } from "../event/stamped.ts";
import { traceHash } from "../event/trace-hash.ts";
import { gapOf, type Gap } from "../log/gap-line.ts";
import { objectOf } from "../log/line-text.ts";

/** What the index holds of a line. `seq` is missing where the line names none that could be ours. */
export type LineFacts =
  | ({ readonly kind: "event"; readonly seq: number | undefined; readonly at: number | undefined } & {
      readonly keys: EventKeys;
      readonly trace: number;
    })
  | { readonly kind: "gap"; readonly gap: Gap }
  | { readonly kind: "none" };

const NONE: LineFacts = { kind: "none" };
const PREFIX = /^\s*\[[^\]]*\]\s*/;
const MOST_PROBE = 200;

/** Reads a line of a log, whoever wrote it. */
export function lineFacts(text: string): LineFacts {
  const gap = gapOf(text);
  if (gap) return isSound(gap) ? { kind: "gap", gap } : NONE;
  const line = objectOf(text);
  if (!line) return NONE;
  const { _seq: seq, _at: at, traceId } = line;
  return {
    kind: "event",
    seq: isNumber(seq) ? seq : undefined,
    at: isNumber(at) ? at : undefined,
    keys: keysOf(line),
    trace: traceOf(textOf(traceId)),
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

export function traceOf(id: string): number {
  return id === "" ? 0 : traceHash(id);
}

function isSound({ events, counts }: Gap): boolean {
  return isNumber(events) && Array.isArray(counts) && counts.every((row) => isNumber(row?.[4]));
}

export function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
