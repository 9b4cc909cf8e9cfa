import type { Frame, Page } from "playwright-core";
import type { Answer, Witness } from "./browser-witness.ts";

/** What came of an attempt: what the page saw, and what was answered under its address. */
export interface Outcome {
  readonly name: string;
  readonly saw: string;
  readonly answered: readonly Answer[];
}

const WRITES: Readonly<Record<string, string>> = {
  "fetch-text": "/event",
  "fetch-json": "/event",
  "fetch-cursor": "/ingest/0a1b2c3d-0000-4000-8000-0123456789ab",
  "fetch-opaque": "/log",
  "fetch-redirected": "/event",
  "beacon-text": "/event",
  "beacon-json": "/event",
  form: "/event",
  "form-anonymous": "/",
  "violation-report": "/event",
};
const READS: Readonly<Record<string, string>> = {
  read: "/logs",
  "read-opaque": "/event/logs",
  "read-script": "/logs",
  "read-frame": "/logs",
  "read-socket": "/logs",
};
const CHANGES: Readonly<Record<string, string>> = { run: "/run", "run-opaque": "/run", delete: "/logs" };

/** By name, the path under which an attempt is made: to write, to read, to change what is there. */
export const ATTEMPTS = { writes: WRITES, reads: READS, changes: CHANGES } as const;

let count = 0;

/**
 * Makes some attempts one after the other, and waits until each was answered. Servers without keys do not look at `k`,
 * so that it can name the attempt.
 */
export async function attempted(
  place: Page | Frame,
  witness: Witness,
  base: string,
  attempts: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const [name, path] of Object.entries(attempts)) {
    const mark = `${path.includes("?") ? "&" : "?"}k=${name}-${++count}.`;
    const saw = await place.evaluate<string>(`attempt(${JSON.stringify([name, base + path + mark])})`);
    outcomes.set(name, { name, saw, answered: await witness.answered(mark) });
  }
  return outcomes;
}

/** The names of what the page could read the answer of. */
export function readable(outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  return [...outcomes.values()].filter(({ saw }) => /^read: ./.test(saw)).map(({ name }) => name);
}

/** The names of what came to the server, as more than a question beforehand, and was not refused. */
export function admitted(outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  const passed = ({ method, status }: Answer): boolean => method !== "OPTIONS" && status < 400;
  return [...outcomes.values()].filter(({ answered }) => answered.some(passed)).map(({ name }) => name);
}
