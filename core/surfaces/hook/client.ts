import type { Dialect } from "./dialect.ts";

/** Where the settings of an agent hold: for one project, or for everything that the person does. */
export type HookScope = "project" | "user";

/** What becomes of a call when the guard gives no answer: it is stopped, or goes on as if there were no guard. */
export type WithoutAnswer = "denied" | "let through";

/** A hook as it stands in the settings. */
type Hook = Readonly<Record<string, unknown>>;

/** An agent that has hooks: where it keeps them, in which form, and what it does when one fails. */
export interface HookClient extends Dialect {
  readonly title: string;
  /** The file with its hooks, from the project's folder or the home, with /. */
  readonly file: string;
  /** The variable that names another folder than that of `file` in the home. */
  readonly home?: string;
  /** A file beside it whose settings hold too. */
  readonly beside?: string;
  /** `groups`: each event has groups of hooks. `flat`: each event has hooks. */
  readonly form: "groups" | "flat";
  /** What stands in the file beside the hooks. */
  readonly head: Readonly<Record<string, unknown>>;
  /** One hook that runs a command; `isEnd`: where the agent would stop, and a hook that fails lets it, since it would go on for ever otherwise. */
  readonly hook: (command: string, isEnd: boolean) => Hook;
  /** One that asks a running `skillctl serve`, where the agent has such, and the events at which it has none. */
  readonly http?: {
    readonly hook: (url: string, isEnd: boolean) => Hook;
    readonly without: readonly string[];
  };
  /**
   * A hook that is late. One that fails or whose file is missing is denied at every event but those: its command ends with
   * status 2; but on Windows, where no shell is certain, that is as with a late one.
   */
  readonly late: WithoutAnswer;
  /** What the person can do about it; what else has to be known. */
  readonly remedy: string;
  /** What JSON parsers do not know, and this agent's does: with it in the file, others read none of their settings. */
  readonly reads: readonly ("comments" | "mark")[];
  /** What has to be done or to be so before it runs hooks of a scope. */
  readonly before: Partial<Readonly<Record<HookScope, string>>>;
  /** Whether settings switch off all hooks, or ours. */
  readonly switchedOff: (settings: Readonly<Record<string, unknown>>) => boolean;
}

/** How long an agent waits for a hook, in seconds: longer than the guard takes to read, ask and deny. */
export const WAIT_S = 60;

/** Where hooks of the type `http` find the key of the server. */
export const KEY_VARIABLE = "SKILLCTL_KEY";

/** A hook in the form of Claude Code, with what an agent says beside. */
export const command = (line: string, more: object = {}): Hook => ({
  type: "command",
  command: line,
  timeout: WAIT_S,
  ...more,
});
/** A word for hooks that agents hold to their failure, where that stops a call. */
export const unlessEnd = (isEnd: boolean, word: object): object => (isEnd ? {} : word);
