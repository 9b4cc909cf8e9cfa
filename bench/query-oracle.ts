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
  let lines = 0;
  eachLine(log, (chunk, start, end) => {
    const text = chunk.toString("utf8", start, end);
    const { hypothesisId, runId } = JSON.parse(text) as Readonly<Record<"hypothesisId" | "runId", string>>;
    lines += 1;
    counts.set(hypothesisId, (counts.get(hypothesisId) ?? 0) + 1);
    if (hypothesisId === ASKED.hypothesis && runId === ASKED.run) found.push(text);
  });
  return { lines, last: found.slice(-ASKED.last), counts };
}

/** Whether a text with one event a line, whatever stands around them, holds exactly the events asked for. */
export function holdsLast(text: string, { last }: Truth): boolean {
  const events = text.split("\n").filter((line) => line.startsWith("{"));
  return events.length === last.length && events.every((event, index) => event === last[index]);
}
