import type { HypothesizeInput, JudgeOutput } from "../contract.ts";
import type { ServerRecord } from "../server/server-files.ts";
import type { Outcome, State } from "./steps.ts";
import type { Baseline } from "../worktree/worktree.ts";

/**
 * What is kept of a session beside its record: the state of its gates. It lives in the state folder of the user and not
 * in the project, where an agent or the observed program could write it.
 */
export interface SessionEntry {
  readonly id: string;
  readonly state: State;
  /** Once the user has answered A or D. */
  readonly outcome?: Outcome;
  readonly issue: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly steps: readonly string[];
  readonly environment?: string;
  readonly impact?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** How the code was before the session. */
  readonly baseline: Baseline;
  readonly hypotheses: readonly Hypothesis[];
  /** The letters that hypotheses have had, so that none is given to another one. Default: those of `hypotheses`. */
  readonly letters?: readonly string[];
  readonly probes: readonly SetProbe[];
  /** What tells the events of the regions again that `check` has seen: others are no evidence. Default: nothing. */
  readonly signs?: readonly string[];
  /** How many events the run had when the code was last seen to be as it should be, at an answer A or `verify`. Default: 0. */
  readonly seen?: number;
  /** Who serves the session, or served it last, as it was known at the last step: the files of it may be lost. */
  readonly server?: KnownServer;
  /** The runs that the events of this round belong to. */
  readonly runs: Runs;
  /** All runs that have been named, also by steps that were taken back. Default: those of `runs`. */
  readonly runNames?: readonly string[];
  /** The fixes, the newest last. */
  readonly fixes: readonly Fix[];
  /** The root cause, once it was named. */
  readonly cause?: string;
  /** Why another round was needed: one line for each answer B or C. */
  readonly iterations: readonly string[];
  /** What the user has said beside: one line for each other answer that says something. Default: nothing. */
  readonly notes?: readonly string[];
  /** What was put back or kept of code that had changed too early: one line each. Default: nothing. */
  readonly drift?: readonly string[];
  /** The comparison of the newest fix as text, once it was made. */
  readonly conclusion: string;
  /**
   * Files whose code has been accepted as changed, by a fix or by `keep`: from the project folder, to the SHA-256 in hex of
   * the text without its probes; "" for a file that has been removed. For what is no text of a usual size its mark stands.
   */
  readonly accepted: Readonly<Record<string, string>>;
  /** What was judged in earlier rounds, the newest last, at most 20. Default: nothing. */
  readonly rounds?: readonly Round[];
  /** The steps that can be taken back, the newest last, at most 10. Default: none. */
  readonly past?: readonly PastStep[];
  /** The record as it was last written, to keep what people have written since. */
  readonly recordText: string;
}

/** A hypothesis as it is listed. */
export type NewHypothesis = Readonly<Exclude<HypothesizeInput["hypotheses"][number], string>>;

export interface Hypothesis extends NewHypothesis {
  /** A to P. */
  readonly id: string;
  readonly verdict: JudgeOutput["hypotheses"][number]["verdict"];
  /** Citations of log lines: `#12`, `#15-18`. */
  readonly lines: readonly string[];
  readonly because?: string;
  /** The events cited, for reading; of many the first. Default: none. */
  readonly cited?: readonly string[];
}

/** A probe that `probe` has made. Agents may write others by hand: `check` finds those in the files. */
export interface SetProbe {
  readonly hypothesis: string;
  readonly point: string;
  readonly language: string;
  /** From the project folder, with `/`; missing when it was asked for no file. */
  readonly file?: string;
  /** What tells whether its region is still as `probe` has put it into the file. */
  readonly hash?: string;
  /** Where it is observed without an edit: `cart.js:8`. Missing for a probe in the code. */
  readonly at?: string;
}

/** What a server says of itself: docs/runtime-debug.md, section Health. */
export type KnownServer = Pick<ServerRecord, "url" | "pid" | "instance">;

export interface Runs {
  /** The run of the reproduction, that hypotheses are judged by: `pre-fix`, in a later round `pre-fix-2` or `post-fix`. */
  readonly before: string;
  /** The run with the newest fix: `post-fix`, `post-fix-2`; missing before a fix. */
  readonly after?: string;
  /** The run that the first of several fixes was made by, after "still there": comparisons begin with it. Default: `before`. */
  readonly first?: string;
}

export interface Fix {
  readonly summary: string;
  /** From the project folder. */
  readonly files: readonly string[];
}

/** Hypotheses as they were judged before another round. */
export interface Round {
  /** The run that they were judged by. */
  readonly run: string;
  readonly hypotheses: readonly Hypothesis[];
}

/** What a step may change, but for what is kept of all that was said. */
export const STEP_FIELDS = [
  "state",
  "outcome",
  "hypotheses",
  "runs",
  "fixes",
  "cause",
  "conclusion",
  "accepted",
  "rounds",
] as const;

/** A step that can be taken back. */
export interface PastStep {
  /** As it is typed: `answer B`. */
  readonly action: string;
  /** What it has changed, as that was before; null for what was not there. */
  readonly former: { readonly [Name in (typeof STEP_FIELDS)[number]]?: SessionEntry[Name] | null };
}
