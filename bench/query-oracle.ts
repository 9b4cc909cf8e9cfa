import { eachLine } from "./log-lines.ts";

/** What is asked for: the last events of a hypothesis in a run. */
export const ASKED = { hypothesis: "H3", run: "run-7", last: 100 } as const;

/** The right answers for a log. */
export interface Truth {
  readonly lines: number;
  /** The lines asked for, as they stand in the log, in its order. */
  readonly last: readonly string[];
  /** Events of each hypothesis. */
  readonly counts: ReadonlyMap<string, number>;
  /** Events of each run, hypothesis and location, by `keyOf` them. */
  readonly keys: ReadonlyMap<string, number>;
}

interface Keys {
  readonly runId: string;
  readonly hypothesisId: string;
  readonly location: string;
}

interface SummaryRow {
  readonly run: string;
  readonly hypothesis: string;
  readonly location: string;
  readonly events: number;
}

interface Summary {
  readonly events: number;
  readonly counts: readonly SummaryRow[];
  readonly more?: string;
}

/** A log that a server has written. */
export interface FilledLog {
  /** Of its folder, in the place. */
  readonly name: string;
  readonly path: string;
  readonly truth: Truth;
}

/** Parses every line of a log and looks at it. */
export function truthOf(log: string): Truth {
  const found: string[] = [];
  const counts = new Map<string, number>();
  const keys = new Map<string, number>();
  let lines = 0;
  eachLine(log, (chunk, start, end) => {
    const text = chunk.toString("utf8", start, end);
    const { hypothesisId, runId, location } = JSON.parse(text) as Keys;
    lines += 1;
    add(counts, hypothesisId);
    add(keys, keyOf(runId, hypothesisId, location));
    if (hypothesisId === ASKED.hypothesis && runId === ASKED.run) found.push(text);
  });
  return { lines, last: found.slice(-ASKED.last), counts, keys };
}

/** Whether a text with one event a line, whatever stands around them, holds exactly the events asked for. */
export function holdsLast(text: string, { last }: Truth): boolean {
  const events = text.split("\n").filter((line) => line.startsWith("{"));
  return events.length === last.length && events.every((event, index) => event === last[index]);
}

/**
 * Whether a summary, whatever stands around it, counts every event: each row that it has room for is right, and those
 * left out are as many as are missing.
 */
export function holdsCounts(text: string, { lines, keys }: Truth): boolean {
  const { events, counts, more } = JSON.parse(
    text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1),
  ) as Summary;
  const isRight = counts.every(
    (row) => keys.get(keyOf(row.run, row.hypothesis, row.location)) === row.events,
  );
  const shown = counts.reduce((sum, row) => sum + row.events, 0);
  const left = Number(/(\d+) events$/.exec(more ?? "")?.[1] ?? 0);
  return isRight && counts.length > 0 && events === lines && shown + left === lines;
}

function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names);
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
