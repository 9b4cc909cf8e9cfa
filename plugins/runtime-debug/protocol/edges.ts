import type { Letter } from "./questions.ts";
import { OPEN_STATES, type State } from "./steps.ts";

/** What can be done to a session. Reading (`status`, `logs`, `compare`, `doctor`) and `serve` change no state. */
export type Action =
  | "hypothesize"
  | "probe"
  | "check"
  | "judge"
  | "fix"
  | "verify"
  | "cleanup"
  | `answer ${Letter}`;

export const ACTIONS: readonly Action[] = [
  "hypothesize",
  "probe",
  "check",
  "answer A",
  "answer B",
  "answer C",
  "answer D",
  "judge",
  "fix",
  "verify",
  "cleanup",
];

/** What must be true for an edge, found out by who asks. */
export type Fact = "instrumented" | "evidence" | "judged" | "confirmed" | "changed" | "compared" | "clean";

/** What is missing when a fact does not hold. */
export const MISSING: Readonly<Record<Fact, string>> = {
  instrumented: "the change is not probes only, or a hypothesis has no probe",
  evidence: "no event has been collected in this run",
  judged: "not every hypothesis has been judged",
  confirmed: "no hypothesis has been confirmed by log lines",
  changed: "no code has been changed beside the probes",
  compared: "the events before the fix have not been compared with those after it",
  clean: "something of the session would stay behind",
};

/** How a session came to its end. */
export type Outcome = "fixed" | "aborted";

export interface Edge {
  readonly from: State;
  readonly action: Action;
  readonly to: State;
  readonly needs?: readonly Fact[];
  readonly outcome?: Outcome;
}

/**
 * Every way from one state to another; of several for the same action the first whose needs are met. Evidence comes
 * before a fix, an answer A or D before the cleanup.
 */
export const EDGES: readonly Edge[] = [
  { from: "observing", action: "hypothesize", to: "instrumenting" },
  { from: "observing", action: "answer A", to: "observing" },
  { from: "observing", action: "answer B", to: "observing" },
  { from: "observing", action: "answer C", to: "observing" },

  { from: "instrumenting", action: "hypothesize", to: "instrumenting" },
  { from: "instrumenting", action: "probe", to: "instrumenting" },
  { from: "instrumenting", action: "check", to: "reproducing", needs: ["instrumented"] },

  { from: "reproducing", action: "probe", to: "instrumenting" },
  { from: "reproducing", action: "answer A", to: "judging", needs: ["evidence"] },
  { from: "reproducing", action: "answer B", to: "instrumenting" },
  { from: "reproducing", action: "answer C", to: "observing" },

  { from: "judging", action: "judge", to: "fixing", needs: ["judged", "confirmed"] },
  { from: "judging", action: "judge", to: "judging" },
  { from: "judging", action: "probe", to: "instrumenting" },
  { from: "judging", action: "hypothesize", to: "instrumenting" },

  { from: "fixing", action: "fix", to: "verifying", needs: ["changed"] },

  { from: "verifying", action: "verify", to: "confirming", needs: ["evidence", "compared"] },

  { from: "confirming", action: "answer A", to: "cleaning", outcome: "fixed" },
  { from: "confirming", action: "answer B", to: "judging" },
  { from: "confirming", action: "answer C", to: "observing" },

  ...OPEN_STATES.map((from): Edge => ({ from, action: "answer D", to: "cleaning", outcome: "aborted" })),

  { from: "cleaning", action: "cleanup", to: "closed", needs: ["clean"] },
];
