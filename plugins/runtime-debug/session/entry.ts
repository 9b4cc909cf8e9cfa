import type { HypothesizeInput, JudgeOutput } from "../contract.ts";
import type { ServerRecord } from "../server/server-files.ts";
import type { Outcome, State } from "./steps.ts";
import type { Baseline } from "../worktree/worktree.ts";

/**
 * The stored state of a session. It is in the state folder of the user and not in the project, where an agent or the
 * observed program could change it.
 */
export interface SessionEntry {
  readonly id: string;
  readonly state: State;
  /** Present once the user has answered A or D. */
  readonly outcome?: Outcome;
  readonly issue: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly steps: readonly string[];
  readonly environment?: string;
  readonly impact?: string;
  /** Logs, stacks, screenshots and failing tests of the user: texts, or names of files. Default: nothing. */
  readonly material?: readonly string[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The state of the code before the session. */
  readonly baseline: Baseline;
  readonly hypotheses: readonly Hypothesis[];
  /** The letters of all earlier hypotheses, which are not reused. Default: those of `hypotheses`. */
  readonly letters?: readonly string[];
  readonly probes: readonly SetProbe[];
  /** Texts that identify events of regions that `check` has seen: other events are not evidence. Default: nothing. */
  readonly signs?: readonly string[];
  /** The number of events of the run when the code was last found unchanged, at an answer A or `verify`. Default: 0. */
  readonly seen?: number;
  /** The current or last server of the session at the last step, since its files may be lost. */
  readonly server?: KnownServer;
  /** The runs that the events of this round belong to. */
  readonly runs: Runs;
  /** All runs that were begun, also by steps that were undone. Default: those of `runs`. */
  readonly runNames?: readonly string[];
  /** The command that shows the bug. Default: the user shows it. */
  readonly reproduction?: Reproduction;
  /** Its runs, the newest last, at most 1,000. Default: none. */
  readonly tries?: readonly Try[];
  /** The fixes, the newest last. */
  readonly fixes: readonly Fix[];
  /** The root cause, once it is named. */
  readonly cause?: string;
  /** Why another round was needed: one line for each answer B or C. */
  readonly iterations: readonly string[];
  /** Notes of the user: one line for each other answer that has one. Default: nothing. */
  readonly notes?: readonly string[];
  /** The person's last answer on the page or at the terminal. Default: the session has already continued from it. */
  readonly answered?: string;
  /** Code that was changed too early and was restored or kept: one line for each case. Default: nothing. */
  readonly drift?: readonly string[];
  /** The comparison for the newest fix as text; empty before it is made. */
  readonly conclusion: string;
  /**
   * Files whose changes were accepted, by a fix or by `keep`: relative to the project folder, with the SHA-256 in hex of
   * the text without its probes; "" for a removed file; the mark of a link, a folder or a file that is too large.
   */
  readonly accepted: Readonly<Record<string, string>>;
  /**
   * The files with probes, with changes or with observed points at the last check: relative to the project folder, with
   * their `codeHash`. Events that arrive while one of them differs are not evidence. Default: no check, and no evidence.
   */
  readonly checked?: Readonly<Record<string, string>> | undefined;
  /** The accepted files of other sessions of the project since this one began; `Ledger` updates it. Default: nothing. */
  readonly shared?: Readonly<Record<string, SharedChange>>;
  /** Judged hypotheses of earlier rounds, the newest last, at most 100. Default: none. */
  readonly earlier?: readonly Hypothesis[];
  /** The steps that can be undone, the newest last, at most 10. Default: none. */
  readonly past?: readonly PastStep[];
  /** The last text written into the record, to keep text that people have added since. */
  readonly recordText: string;
}

/** A file in the state that another session of the project has accepted. */
export interface SharedChange {
  /** The hash, as in `SessionEntry.accepted`. */
  readonly hash: string;
  /**
   * The state of the file that this session had accepted then: while it is unchanged, the state of the other session is
   * newer. Default: none.
   */
  readonly after?: string;
}

/**
 * The last accepted state of a file, by this session or by another one; `undefined` for a file in its state from the
 * start.
 */
export function lastAccepted(
  { accepted, shared = {} }: Pick<SessionEntry, "accepted" | "shared">,
  path: string,
): { readonly hash: string; readonly isShared: boolean } | undefined {
  // A file can have the name of a member that every object has.
  const own = Object.hasOwn(accepted, path) ? accepted[path] : undefined;
  const other = Object.hasOwn(shared, path) ? shared[path] : undefined;
  if (other && (own === undefined || own === other.after)) return { hash: other.hash, isShared: true };
  return own === undefined ? undefined : { hash: own, isShared: false };
}

/** A listed hypothesis. */
export type NewHypothesis = Readonly<Exclude<HypothesizeInput["hypotheses"][number], string>>;

export interface Hypothesis extends NewHypothesis {
  /** A to P. */
  readonly id: string;
  readonly verdict: JudgeOutput["hypotheses"][number]["verdict"];
  /** Citations of log lines: `#12`, `#15-18`. */
  readonly lines: readonly string[];
  /** The run whose lines are cited. Default: none. */
  readonly run?: string;
  readonly because?: string;
  /** The cited events, for reading; at most the first few. Default: none. */
  readonly cited?: readonly string[];
}

/** A probe that `probe` has created. Agents may write others by hand: `check` finds those in the files. */
export interface SetProbe {
  readonly hypothesis: string;
  readonly point: string;
  readonly language: string;
  /** Relative to the project folder, with `/`; missing if no file was requested. */
  readonly file?: string;
  /** A hash that shows whether its region has changed since `probe` inserted it. */
  readonly hash?: string;
  /** The place at which it is observed without an edit: `cart.js:8`. Missing for a probe in the code. */
  readonly at?: string;
  /** For an observation point: the data to set it again at its statement. */
  readonly observed?: {
    readonly anchor: { readonly before: string; readonly line: string; readonly after: string };
    readonly data: readonly { readonly name: string; readonly expression: string }[];
    readonly when?: string;
    readonly allowCall: boolean;
    readonly perSecond: number;
    readonly most: number;
  };
}

/** The facts about a server that the server itself reports: docs/runtime-debug.md, section Health. */
export type KnownServer = Pick<ServerRecord, "url" | "pid" | "instance">;

export interface Runs {
  /**
   * The run of the reproduction, by which hypotheses are judged: `pre-fix`, in a later round `pre-fix-2` or `post-fix`.
   */
  readonly before: string;
  /** The run with the newest fix: `post-fix`, `post-fix-2`; missing before a fix. */
  readonly after?: string;
}

/** A command that shows the bug. */
export interface Reproduction {
  /** The command, or the address of a page. */
  readonly command: string;
  /** How the page is shown, if it is a page: a script that it runs once it is loaded, and a browser of the user. */
  readonly page?: { readonly act?: string; readonly inspect?: string };
  /** Its working folder, absolute. */
  readonly folder: string;
  /** A text in the output that means that it has failed. Default: any exit status except 0. */
  readonly failsWhen?: string;
  readonly times: number;
  /** Time limit of a try, in seconds. */
  readonly timeout: number;
  /** Whether probes of Node wait until an event is stored. */
  readonly sync?: boolean;
  /** A server that runs during a try, and its port. */
  readonly server?: { readonly command: string; readonly port: number };
}

/** One run of the command that shows the bug. */
export interface Try {
  readonly command: string;
  /** The mark of its settings: runs with other settings are another measurement. */
  readonly settings: string;
  /** The run that its events belong to. */
  readonly run: string;
  /** Its events, by `_seq`, both inclusive; empty if `to` is less than `from`. */
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

export interface Fix {
  readonly summary: string;
  /** Relative to the project folder. */
  readonly files: readonly string[];
}

/** The members that a step may change; notes and iterations only grow. */
export const STEP_FIELDS = [
  "state",
  "outcome",
  "hypotheses",
  "runs",
  "fixes",
  "cause",
  "conclusion",
  "accepted",
  "checked",
  "earlier",
  "answered",
] as const;

/** A step that can be undone. */
export interface PastStep {
  /** The action in its typed form: `answer B`. */
  readonly action: string;
  /** The earlier values of the members that it has changed; null for missing ones. */
  readonly former: { readonly [Name in (typeof STEP_FIELDS)[number]]?: SessionEntry[Name] | null };
}
