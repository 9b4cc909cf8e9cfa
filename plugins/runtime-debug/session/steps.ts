import type { StartOutput } from "../contract.ts";

/** The states of a session, in the order of its phases (specification of runtime debugging, "States and transitions"). */
export type State = StartOutput["state"];

export interface Step {
  /** The number of the current step, of eleven. */
  readonly number: number;
  /** Completes "The session is at step N: ". */
  readonly title: string;
  /** The next action, for an agent. */
  readonly next: string;
}

export const STEPS: Readonly<Record<State, Step>> = {
  observing: {
    number: 2,
    title: "hypotheses must be listed",
    next: "List 3 to 5 hypotheses (in a later round one is enough) that log lines can refute, each with one observation point: hypothesize.",
  },
  instrumenting: {
    number: 4,
    title: "probes must be set",
    next: "Set a probe for each hypothesis and change nothing else: probe, or observe for a running program. Then: check.",
  },
  reproducing: {
    number: 6,
    title: "the user must reproduce the bug",
    next: "Tell the user what to do, with the options, and end your turn; then pass on the answer: answer.",
  },
  judging: {
    number: 7,
    title: "the hypotheses must be judged by log lines",
    next: "Judge each hypothesis by its lines: judge (more lines: logs).",
  },
  fixing: {
    number: 8,
    title: "the smallest fix must be applied",
    next: "Apply the smallest fix, keep the probes, and describe the change: fix.",
  },
  verifying: {
    number: 9,
    title: "the user must try again with the fix",
    next: "Tell the user what to do, with the options, and end your turn; then compare both runs and ask: verify, or answer.",
  },
  confirming: {
    number: 10,
    title: "the user must confirm",
    next: "Show the comparison, ask the user, and pass on the answer: answer.",
  },
  cleaning: {
    number: 11,
    title: "all parts of the session must be removed",
    next: "Remove probes, server, record and logs: cleanup.",
  },
  closed: { number: 11, title: "it is over", next: "Nothing: the session is closed." },
};

/** The states in which a session can be aborted: all states in which it is open. */
const OPEN_STATES = (Object.keys(STEPS) as State[]).filter(
  (state) => state !== "cleaning" && state !== "closed",
);

/** The answers that a question offers; D is always to abort. */
export type Letter = "A" | "B" | "C" | "D";

/** A question to the user and its options (specification of runtime debugging, "User answers at verification"). */
export interface Question {
  readonly text: string;
  readonly options: Readonly<Record<Letter, string>>;
}

const ABORT = "Abort debugging";

/** The question for information that narrows the bug down. */
export const INFORMATION: Question = {
  text: "Can you provide the information that is missing?",
  options: { A: "Provided", B: "Unable to obtain it", C: "I need help to collect it", D: ABORT },
};

/** The question whether the fix has solved the bug. */
export const CONFIRMATION: Question = {
  text: "Is the bug gone?",
  options: {
    A: "Fixed, or no longer reproducible",
    B: "Still reproducible",
    C: "The symptoms have changed, or it needs further analysis",
    D: ABORT,
  },
};

/** The question of each state. In the others only D can be answered: an abort is always possible. */
export const QUESTIONS: Readonly<Partial<Record<State, Question>>> = {
  observing: INFORMATION,
  reproducing: {
    text: "Did the bug show while you followed the steps?",
    options: {
      A: "Reproduced as described",
      B: "Cannot reproduce it",
      C: "The behaviour differs",
      D: ABORT,
    },
  },
  verifying: {
    text: "Did you follow the steps once more, with the fix?",
    options: {
      A: "Followed as described",
      B: "Cannot follow them",
      C: "The behaviour differs",
      D: ABORT,
    },
  },
  confirming: CONFIRMATION,
};

/** The question as text with its letters, for surfaces that cannot ask. */
export function questionText({ text, options }: Question): string {
  return [text, ...Object.entries(options).map(([letter, option]) => `  ${letter}) ${option}`)].join("\n");
}

/** The actions on a session. Reading (`status`, `logs`, `compare`, `doctor`) and `serve` change no state. */
export const ACTIONS = [
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
] as const;

export type Action = (typeof ACTIONS)[number];

/** A condition of an edge; the caller finds out whether it holds. */
export type Fact = "evidence" | "judged" | "confirmed" | "changed";

/** The reason for a refusal when a fact does not hold. */
const MISSING: Readonly<Record<Fact, string>> = {
  evidence: "no event has been collected in this run",
  judged: "not every hypothesis has been judged",
  confirmed: "no hypothesis has been confirmed by log lines",
  changed: "nothing but probes has changed",
};

/** How a session ended. */
export type Outcome = "fixed" | "aborted";

interface Edge {
  readonly from: State;
  readonly action: Action;
  readonly to: State;
  readonly needs?: readonly Fact[];
  readonly outcome?: Outcome;
}

/**
 * The transitions between states; of several for the same action, the first whose conditions are met is taken. Evidence
 * precedes a fix, and an answer A or D precedes the cleanup.
 */
const EDGES: readonly Edge[] = [
  { from: "observing", action: "hypothesize", to: "instrumenting" },
  { from: "observing", action: "answer A", to: "observing" },
  { from: "observing", action: "answer B", to: "observing" },
  { from: "observing", action: "answer C", to: "observing" },

  { from: "instrumenting", action: "hypothesize", to: "instrumenting" },
  { from: "instrumenting", action: "probe", to: "instrumenting" },
  { from: "instrumenting", action: "check", to: "reproducing" },

  { from: "reproducing", action: "probe", to: "instrumenting" },
  { from: "reproducing", action: "answer A", to: "judging", needs: ["evidence"] },
  { from: "reproducing", action: "answer B", to: "instrumenting" },
  { from: "reproducing", action: "answer C", to: "observing" },

  { from: "judging", action: "judge", to: "fixing", needs: ["judged", "confirmed"] },
  { from: "judging", action: "judge", to: "judging" },
  { from: "judging", action: "probe", to: "instrumenting" },
  { from: "judging", action: "hypothesize", to: "instrumenting" },

  { from: "fixing", action: "probe", to: "fixing" },
  { from: "fixing", action: "fix", to: "verifying", needs: ["changed"] },

  { from: "verifying", action: "verify", to: "confirming", needs: ["evidence"] },
  { from: "verifying", action: "answer A", to: "confirming", needs: ["evidence"] },
  { from: "verifying", action: "answer B", to: "verifying" },
  { from: "verifying", action: "answer C", to: "confirming", needs: ["evidence"] },

  { from: "confirming", action: "answer A", to: "cleaning", outcome: "fixed" },
  { from: "confirming", action: "answer B", to: "judging" },
  { from: "confirming", action: "answer C", to: "observing" },

  ...OPEN_STATES.map((from): Edge => ({ from, action: "answer D", to: "cleaning", outcome: "aborted" })),

  { from: "cleaning", action: "cleanup", to: "closed" },
];

/** The state after an action, or the reason why it is not possible. */
export type Transition =
  | { readonly ok: true; readonly state: State; readonly outcome?: Outcome }
  | {
      readonly ok: false;
      readonly sentence: string;
      /** The fact that is not true; missing where the action belongs to another step. */
      readonly missing?: Fact;
    };

/**
 * Takes an action in a state, by the table of edges. `holds` returns whether a fact is true and is called only for the
 * facts that the edge needs. A refusal names the missing step.
 */
export function transition(state: State, action: Action, holds: (fact: Fact) => boolean): Transition {
  const edges = EDGES.filter((edge) => edge.from === state && edge.action === action);
  const open = edges.find(({ needs = [] }) => needs.every(holds));
  if (open) return { ok: true, state: open.to, ...(open.outcome && { outcome: open.outcome }) };
  const missing = edges.flatMap(({ needs = [] }) => needs).find((fact) => !holds(fact));
  const why = missing ? MISSING[missing] : placeOf(action);
  return {
    ok: false,
    sentence: impossible(state, action, why),
    ...(missing && { missing }),
  };
}

/** The reason why an action is not possible, with the current step. */
export function impossible(state: State, action: Action | "reproduce", why: string): string {
  const { number, title } = STEPS[state];
  return `"${action}" is not possible now: ${why}. The session is at step ${number} of 11: ${title}.`;
}

/** Whether an action belongs to a state, regardless of its conditions. */
export function isPossible(state: State, action: Action | "reproduce"): boolean {
  return action === "reproduce" ? isCollecting(state) : edgesOf(action).some(({ from }) => from === state);
}

/** The command that inserts a probe. */
export function probeCommand(session: string, letter = "LETTER", point = "NAME"): string {
  return `skillctl run runtime-debug probe --session ${session} --hypothesis ${letter} --point ${point} --data EXPRESSION --apply FILE:LINE`;
}

const FIX_STATES: ReadonlySet<State> = new Set<State>([
  "fixing",
  "verifying",
  "confirming",
  "cleaning",
  "closed",
]);

/** Whether code may differ from the start: log lines have confirmed a hypothesis. */
export function isFixState(state: State): boolean {
  return FIX_STATES.has(state);
}

/** Whether the user is to run the program, whose events are collected. */
export function isCollecting(state: State): boolean {
  return state === "reproducing" || state === "verifying";
}

/** States in which code may differ from the accepted state: during the fix, or after the session. */
const FREE: ReadonlySet<State> = new Set<State>(["fixing", "cleaning", "closed"]);

/** Whether code may differ only by probes or by an accepted fix (specification, Gates 1): any other difference is drift. */
export function isHeld(state: State): boolean {
  return !FREE.has(state);
}

function placeOf(action: Action): string {
  const steps = new Set(edgesOf(action).map(({ from }) => STEPS[from].number));
  const numbers = [...steps].sort((one, other) => one - other);
  const last = numbers.pop();
  return numbers.length === 0
    ? `it belongs to step ${last}`
    : `it belongs to steps ${numbers.join(", ")} and ${last}`;
}

function edgesOf(action: Action): readonly Edge[] {
  return EDGES.filter((edge) => edge.action === action);
}
