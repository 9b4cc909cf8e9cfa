import type { Dialect } from "./dialect.ts";

/** The scope of an agent's settings: one project, or all projects of the person. */
export type HookScope = "project" | "user";

/** The outcome of a call for which the guard gives no answer. */
export type WithoutAnswer = "denied" | "let through";

/** A hook in the form of the settings. */
type Hook = Readonly<Record<string, unknown>>;

/** An agent with hooks: the place and form of its settings, and its behaviour when a hook fails. */
export interface HookClient extends Dialect {
  readonly title: string;
  /** The file with its hooks, from the project's folder or the home, with /. */
  readonly file: string;
  /** The variable that replaces the folder of `file` in the home. */
  readonly home?: string;
  /** A file beside it whose settings apply too. */
  readonly beside?: string;
  /** `groups`: each event has groups of hooks. `flat`: each event has hooks. */
  readonly form: "groups" | "flat";
  /** Properties of the file beside the hooks. */
  readonly head: Readonly<Record<string, unknown>>;
  /** A hook that runs a command. `isEnd`: at the end of a turn, where a failing hook lets the agent stop, since it would never stop otherwise. */
  readonly hook: (command: string, isEnd: boolean) => Hook;
  /** A hook that asks a running `skillctl serve`, if the agent supports it, and the events without such hooks. */
  readonly http?: {
    readonly hook: (url: string, isEnd: boolean) => Hook;
    readonly without: readonly string[];
  };
  /**
   * The outcome of a late hook. A hook that fails or whose file is missing denies, since its command ends with status 2; on Windows,
   * where no shell is certain, its outcome is that of a late hook.
   */
  readonly late: WithoutAnswer;
  /** Advice for the person about late hooks. */
  readonly remedy: string;
  /** Extensions of JSON that the agent reads. An agent that does not read them ignores a file with them. */
  readonly reads: readonly ("comments" | "mark")[];
  /** Conditions under which the agent runs hooks of a scope. */
  readonly before: Partial<Readonly<Record<HookScope, string>>>;
  /** Whether settings disable all hooks, or ours. */
  readonly switchedOff: (settings: Readonly<Record<string, unknown>>) => boolean;
  /** A further file in the folder of the settings, and the text in it that disables hooks. */
  readonly switches?: { readonly file: string; readonly off: RegExp };
  /** Files with variables that the agent reads at its start, as of the folder of the settings. */
  readonly variableFiles?: readonly string[];
}

/** How long an agent waits for a hook, in seconds: longer than the guard takes to read, ask and deny. */
export const WAIT_S = 60;

/** The variable with the key of the server for hooks of the type `http`. */
export const KEY_VARIABLE = "SKILLCTL_KEY";

/** A hook in the form of Claude Code, with further properties. */
export const command = (line: string, more: object = {}): Hook => ({
  type: "command",
  command: line,
  timeout: WAIT_S,
  ...more,
});
/** A property that makes a failing hook deny; not at the end of a turn. */
export const unlessEnd = (isEnd: boolean, word: object): object => (isEnd ? {} : word);
