import { isOwnRun, runName } from "../event/run-name.ts";
import { keysOf, textOf, type EventKeys } from "../log/event-keys.ts";
import type { Gap, LogEvent, LogLine } from "../log/log-lines.ts";

/** Which events are asked for: values of one field are alternatives, fields all hold. Values may hold commas. */
export interface Asked {
  readonly hypothesisId?: readonly string[] | undefined;
  readonly runId?: readonly string[] | undefined;
  readonly traceId?: readonly string[] | undefined;
  readonly location?: readonly string[] | undefined;
  readonly q?: string | undefined;
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** Tells events that are asked for from others. */
export class EventFilter {
  /** Only events with a greater number; -1 when that does not matter. */
  readonly since: number;
  /** Only events with a smaller number; infinite when that does not matter. */
  readonly before: number;
  readonly #hypotheses: ReadonlySet<string> | undefined;
  readonly #runs: ReadonlySet<string> | undefined;
  /** Whether names are among these that events may give themselves in any run. */
  readonly #byName: boolean;
  readonly #locations: readonly string[] | undefined;
  readonly #traces: ReadonlySet<string> | undefined;
  readonly #text: string | undefined;

  constructor({ hypothesisId, runId, traceId, location, q, since, before }: Asked) {
    this.since = since ?? -1;
    this.before = before ?? Number.POSITIVE_INFINITY;
    this.#hypotheses =
      hypothesisId && new Set(values(hypothesisId).flatMap((text) => [...hypothesisNames(text)]));
    this.#runs = runId && new Set(values(runId).map(runName));
    this.#byName = [...(this.#runs ?? [])].some((name) => !isOwnRun(name));
    this.#locations = location && values(location);
    this.#traces = traceId && new Set(values(traceId));
    this.#text = q?.toLowerCase();
  }

  /** Whether the keys of events tell, so that it is known of those too that were left out. */
  get byKeyOnly(): boolean {
    return !this.#byNumber && !this.#byName && this.#traces === undefined && this.#text === undefined;
  }

  /** Whether every event is asked for. */
  get fitsAll(): boolean {
    return this.byKeyOnly && !this.#byKeys;
  }

  /** Whether a line is an event that is asked for. */
  fits({ event, seq, text }: LogLine): boolean {
    if (!event) return false;
    if (this.#byNumber && (seq === 0 || seq <= this.since || seq >= this.before)) return false;
    if (this.#text !== undefined && !text.toLowerCase().includes(this.#text)) return false;
    if (this.#traces && !this.#traces.has(textOf(event["traceId"]))) return false;
    return !this.#byKeys || this.fitsKeys(this.keysOf(event));
  }

  /** What an event is counted by: where runs are asked for by the names that events give themselves, by those. */
  keysOf(event: LogEvent): EventKeys {
    return keysOf(event, this.#runs);
  }

  fitsKeys({ run, location, hypothesis }: EventKeys, inAnyRun = false): boolean {
    if (!inAnyRun && this.#runs && !this.#runs.has(run)) return false;
    if (this.#locations && !this.#locations.some((asked) => isAt(location, asked))) return false;
    const hypotheses = this.#hypotheses;
    if (!hypotheses || hypotheses.has(hypothesis)) return true;
    return [...hypothesisNames(hypothesis)].some((name) => hypotheses.has(name));
  }

  /** How many of the events that a gap left out were asked for, or may have been: at the most. */
  leftOut({ events, counts, fromSeq, toSeq }: Gap): number {
    if (toSeq > 0 && (toSeq <= this.since || fromSeq >= this.before)) return 0;
    return counts.reduce((left, [hypothesis, run, location, probe, count]) => {
      // Rows of "other" stand for several keys.
      const isSum = [hypothesis, run, location, probe].every((name) => name === "other");
      const fits = this.fitsKeys({ hypothesis, run, location, probe }, this.#byName);
      return isSum || fits ? left : left - count;
    }, events);
  }

  get #byNumber(): boolean {
    return this.since >= 0 || this.before !== Number.POSITIVE_INFINITY;
  }

  get #byKeys(): boolean {
    return this.#runs !== undefined || this.#locations !== undefined || this.#hypotheses !== undefined;
  }
}

/** The single values, of which each part may hold several. */
export function values(asked: readonly string[]): readonly string[] {
  const all = asked.flatMap((part) => part.split(",").map((value) => value.trim()));
  return all.filter((value) => value !== "");
}

function isAt(location: string, asked: string): boolean {
  return asked.endsWith("*") ? location.startsWith(asked.slice(0, -1)) : location === asked;
}

const RANGE = /^([A-Za-z]*?)(\d{1,4}|[A-Za-z])\s*(?:-|–|\.\.)\s*\1(\d{1,4}|[A-Za-z])$/;
const MOST_OF_A_RANGE = 100;

/**
 * The hypotheses that a text names: `A,D` names A and D, `A-D` and `H1-H3` all from one to the other. The text itself
 * is always among them.
 */
export function hypothesisNames(text: string): ReadonlySet<string> {
  const names = new Set([text]);
  if (/^\w*$/.test(text)) return names;
  for (const part of text.split(/[,;/|&+\s]+(?![-–.])(?<![-–.])/)) {
    if (part === "") continue;
    names.add(part);
    for (const name of rangeOf(part)) names.add(name);
  }
  return names;
}

function rangeOf(part: string): readonly string[] {
  const [, prefix = "", first = "", last = ""] = RANGE.exec(part) ?? [];
  const isNumber = /^\d/.test(first);
  const [from, to] = [first, last].map((name) => (isNumber ? Number(name) : (name.codePointAt(0) ?? 0)));
  const steps = (to ?? 0) - (from ?? 0);
  if (first === "" || isNumber !== /^\d/.test(last) || steps < 0 || steps > MOST_OF_A_RANGE) return [];
  return Array.from({ length: steps + 1 }, (_, step) => {
    const code = (from ?? 0) + step;
    return prefix + (isNumber ? String(code) : String.fromCodePoint(code));
  });
}
