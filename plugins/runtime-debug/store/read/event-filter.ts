import type { LogQuery } from "../../contract.ts";
import { runName } from "../event/run-name.ts";
import type { Gap, LogEvent, LogLine } from "../log/log-lines.ts";

/** The keys by which events are counted and searched. */
export interface EventKeys {
  /** The hypotheses as text, lists as they were sent (`A,D`); empty if the event names none. */
  readonly hypothesis: string;
  /** The run of the event: `pre-fix`, `post-fix`, or the name of another served run. */
  readonly run: string;
  /** Empty if the event names none. */
  readonly location: string;
  /** The name of the probe: the location, or the message without one. At most 200 characters. */
  readonly probe: string;
}

const PREFIX = /^\s*\[[^\]]*\]\s*/;
const MOST_PROBE = 200;

export function keysOf({ hypothesisId, runId, _run, location, msg, message }: LogEvent): EventKeys {
  const place = textOf(location);
  return {
    hypothesis: Array.isArray(hypothesisId) ? hypothesisId.map(textOf).join(",") : textOf(hypothesisId),
    run: runName(textOf(_run ?? runId)),
    location: place,
    probe: (place || textOf(msg ?? message).replace(PREFIX, "")).slice(0, MOST_PROBE),
  };
}

/** The last millisecond that a date can name. */
const LAST_MS = 8.64e15;

/** Milliseconds since the epoch as ISO 8601; `undefined` if it is not a time. */
export function isoTime(time: unknown): string | undefined {
  return typeof time === "number" && Math.abs(time) <= LAST_MS ? new Date(time).toISOString() : undefined;
}

/** The searched form of a value. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A name without characters that JSON must escape. */
const PLAIN = /^[\w.:-]+$/;
/** An escaped character, or the start of a gap: such lines must be parsed. */
const UNTOLD = String.raw`\\u|^\{"msg":"\[skillctl\]`;

/** Selects the requested events. */
export class EventFilter {
  /** Only events with a greater number are selected; -1 for no limit. */
  readonly since: number;
  /** Only events with a smaller number are selected; infinite for no limit. */
  readonly before: number;
  readonly #hypotheses: readonly string[] | undefined;
  readonly #runs: readonly string[] | undefined;
  readonly #conditions: readonly Condition[];

  /** Values of one field are alternatives; all fields must match. A value may be a list with commas. */
  constructor({
    hypothesisId,
    runId,
    since,
    before,
    where = [],
  }: Pick<LogQuery, "hypothesisId" | "runId" | "since" | "before" | "where">) {
    this.since = since ?? -1;
    this.before = before ?? Number.POSITIVE_INFINITY;
    this.#hypotheses = hypothesisId && values(hypothesisId).flatMap((text) => [...hypothesisNames(text)]);
    this.#runs = runId && values(runId).map(runName);
    this.#conditions = where.map(conditionIn);
  }

  /** A pattern in the bytes of each line that is a gap or may belong to a requested run; `undefined` if no pattern can decide that. */
  get hint(): RegExp | undefined {
    // The long name of a run contains the short one.
    const runs = this.#runs?.map((run) => run.replace(/^(pre|post)-fix$/, "$1"));
    if (!runs?.every((name) => PLAIN.test(name))) return undefined;
    return new RegExp([...runs.map((run) => run.replaceAll(".", String.raw`\.`)), UNTOLD].join("|"));
  }

  /** Whether every event is requested. */
  get fitsAll(): boolean {
    return !this.#byNumber && !this.#hypotheses && !this.#runs && this.#conditions.length === 0;
  }

  /** Whether a line is a requested event. */
  fits({ event, seq }: LogLine): boolean {
    if (!event) return false;
    if (this.#byNumber && (seq === 0 || seq <= this.since || seq >= this.before)) return false;
    if (!this.#conditions.every((condition) => holds(condition, event))) return false;
    const [hypotheses, runs] = [this.#hypotheses, this.#runs];
    if (!hypotheses && !runs) return true;
    const { hypothesis, run } = keysOf(event);
    // An event is also found by the run that it names, even if it belongs to another one.
    if (runs && !runs.includes(run) && !runs.includes(runName(textOf(event["runId"])))) return false;
    return !hypotheses || [...hypothesisNames(hypothesis)].some((name) => hypotheses.includes(name));
  }

  /** How many of the events in a gap may have been requested. */
  leftOut({ events, fromSeq, toSeq }: Gap): number {
    return toSeq > 0 && (toSeq <= this.since || fromSeq >= this.before) ? 0 : events;
  }

  get #byNumber(): boolean {
    return this.since >= 0 || this.before !== Number.POSITIVE_INFINITY;
  }
}

/** The single values; each part may contain several. */
function values(asked: readonly string[]): readonly string[] {
  const all = asked.flatMap((part) => part.split(",").map((value) => value.trim()));
  return all.filter((value) => value !== "");
}

const RANGE = /^([A-Za-z]*?)(\d{1,4}|[A-Za-z])\s*(?:-|–|\.\.)\s*\1(\d{1,4}|[A-Za-z])$/;
const MOST_OF_A_RANGE = 100;

/**
 * The hypotheses that a text names: `A,D` names A and D, `A-D` and `H1-H3` name all hypotheses in the range. The text
 * itself is always among them.
 */
export function hypothesisNames(text: string): ReadonlySet<string> {
  if (/^\w*$/.test(text)) return new Set([text]);
  const parts = text.split(/[,;/|&+\s]+(?![-–.])(?<![-–.])/).filter((part) => part !== "");
  return new Set([text, ...parts, ...parts.flatMap(rangeOf)]);
}

function rangeOf(part: string): readonly string[] {
  const [, prefix = "", first = "", last = ""] = RANGE.exec(part) ?? [];
  const isNumber = /^\d/.test(first);
  const [from = 0, to = 0] = [first, last].map((name) => (isNumber ? Number(name) : name.codePointAt(0)));
  if (first === "" || isNumber !== /^\d/.test(last) || to < from || to - from > MOST_OF_A_RANGE) return [];
  return Array.from({ length: to - from + 1 }, (_, step) => {
    const code = from + step;
    return prefix + (isNumber ? String(code) : String.fromCodePoint(code));
  });
}

/** A condition on a value of an event, such as `total>100`. */
interface Condition {
  readonly name: string;
  readonly operator: string;
  readonly wanted: string;
}

const CONDITION = /^([^=!<>]+)(!=|[<>]=?|=)([^]*)$/;
/** Whether an operator is true for an order, which is negative, 0 or positive. */
const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** @param text in the form of the schema `log-query` */
function conditionIn(text: string): Condition {
  const [, name = "", operator = "", wanted = ""] = CONDITION.exec(text) ?? [];
  return { name: name.trim(), operator, wanted: wanted.trim() };
}

/** If an event lacks the value, every condition is false, including `!=`. */
function holds({ name, operator, wanted }: Condition, event: LogEvent): boolean {
  const reported = valueAt(event["data"], name);
  const value = reported === undefined ? valueAt(event, name) : reported;
  if (value === undefined) return false;
  const order = orderOf(value, wanted);
  return order === undefined ? operator === "!=" : (HOLDS[operator]?.(order) ?? false);
}

/** The value of a name; a dot leads into a nested value, unless a name contains it. */
function valueAt(within: unknown, name: string): unknown {
  if (typeof within !== "object" || within === null) return undefined;
  if (Object.hasOwn(within, name)) return (within as Record<string, unknown>)[name];
  for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
    const found = valueAt(valueAt(within, name.slice(0, dot)), name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Compares a value with the expected one: numbers as numbers, texts as texts; `undefined` if they have no order. */
function orderOf(value: unknown, wanted: string): number | undefined {
  if (value === wanted || JSON.stringify(value) === wanted) return 0;
  const [is, than] = [numberIn(value), numberIn(wanted)];
  if (is !== undefined && than !== undefined) return is - than;
  return typeof value === "string" && than === undefined ? (value < wanted ? -1 : 1) : undefined;
}

/** A number, or a number written as text. */
function numberIn(value: unknown): number | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return isNumber && !Number.isNaN(Number(value)) ? Number(value) : undefined;
}
