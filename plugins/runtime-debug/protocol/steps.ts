/** The phases in which a session runs, in order (specification of runtime debugging, "States and transitions"). */
export type Phase = "observe" | "instrument" | "determine" | "fix" | "verify" | "cleanup";

/** Where a session stands. */
export type State =
  | "observing"
  | "instrumenting"
  | "reproducing"
  | "judging"
  | "fixing"
  | "verifying"
  | "confirming"
  | "cleaning"
  | "closed";

export interface Step {
  readonly phase: Phase;
  /** Of the eleven steps, the one that is under way. */
  readonly number: number;
  /** Completes "The session is at step N: ". */
  readonly title: string;
  /** What is to be done now, for an agent. */
  readonly next: string;
}

export const STEPS: Readonly<Record<State, Step>> = {
  observing: {
    phase: "observe",
    number: 2,
    title: "hypotheses are to be listed",
    next: "List 3 to 5 hypotheses that log lines can refute, each with one observation point: hypothesize.",
  },
  instrumenting: {
    phase: "instrument",
    number: 4,
    title: "probes are to be set",
    next: "Set a probe for each hypothesis and nothing else: probe. Then have the change checked: check.",
  },
  reproducing: {
    phase: "instrument",
    number: 6,
    title: "the user is to reproduce the bug",
    next: "Tell the user what to do and yield the turn; then pass the answer on: answer.",
  },
  judging: {
    phase: "determine",
    number: 7,
    title: "the hypotheses are to be judged by log lines",
    next: "Read the logs and judge each hypothesis with the lines that show it: logs, judge.",
  },
  fixing: {
    phase: "fix",
    number: 8,
    title: "the smallest fix is to be applied",
    next: "Apply the smallest fix, keep the probes, and say what was changed: fix.",
  },
  verifying: {
    phase: "verify",
    number: 9,
    title: "the user is to try again with the fix",
    next: "Have the user go the same way again; then compare both runs and ask: compare, verify.",
  },
  confirming: {
    phase: "verify",
    number: 10,
    title: "the user is to confirm",
    next: "Show the comparison, ask the user, and pass the answer on: answer.",
  },
  cleaning: {
    phase: "cleanup",
    number: 11,
    title: "everything of the session is to be removed",
    next: "Remove probes, server, record and logs: cleanup.",
  },
  closed: { phase: "cleanup", number: 11, title: "it is over", next: "Nothing: the session is closed." },
};

/** The states in which a session can be aborted: all in which it is under way. */
export const OPEN_STATES = (Object.keys(STEPS) as State[]).filter(
  (state) => state !== "cleaning" && state !== "closed",
);
