import type { StartInput } from "../contract.ts";
import type { SessionEntry } from "./entry.ts";
import { FIRST_RUNS } from "./rounds.ts";

/** A session before how the code was is known. */
export type Draft = Omit<SessionEntry, "baseline" | "recordText">;

/** The entry of a session that begins. `now` in milliseconds since 1970. */
export function firstEntry(id: string, input: StartInput, now: number): Draft {
  const { issue, expected, actual, steps = [], environment, impact } = input;
  return {
    id,
    revision: 0,
    state: "observing",
    issue,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    steps,
    ...(environment !== undefined && { environment }),
    ...(impact !== undefined && { impact }),
    createdAt: now,
    hypotheses: [],
    probes: [],
    runs: FIRST_RUNS,
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
  };
}

/** What the user has not told yet, for people; empty when all is known. */
export function unknownOf({ expected, actual, steps, environment, impact }: Draft): readonly string[] {
  const facts = {
    "what should happen": expected,
    "what happens instead": actual,
    "the steps that show it": steps.length === 0 ? undefined : steps,
    "the environment": environment,
    "who is affected, and since when": impact,
  };
  return Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [name] : []));
}
