/** Where the settings of an agent hold: for one project, or for everything that the person does. */
export type HookScope = "project" | "user";

/** What becomes of a call when the guard gives no answer: it is stopped, or goes on as if there were no guard. */
export type WithoutAnswer = "denied" | "let through";

/** An agent that has hooks: where it keeps them, in which form, and what it does when one fails. */
export interface HookClient {
  /** As in `--client` and `--dialect`. */
  readonly name: string;
  readonly title: string;
  /** The file with its hooks, from the project's folder or the home, with /. */
  readonly file: string;
  /** The variable that names another folder than that of `file` in the home. */
  readonly home?: string;
  /** Events that the dialect hears, each with the matcher that takes in every tool; "" where none is written. */
  readonly events: Readonly<Record<string, string>>;
  /** `groups`: each event has groups of hooks. `flat`: each event has hooks. */
  readonly form: "groups" | "flat";
  /** What stands in the file beside the hooks. */
  readonly head: Readonly<Record<string, unknown>>;
  /** One hook that runs a command. */
  readonly hook: (command: string) => Readonly<Record<string, unknown>>;
  /**
   * A hook that is late. One that fails or whose file is missing is denied everywhere: its command ends with status 2;
   * but on Windows, where no shell is certain, that is as with a late one.
   */
  readonly late: WithoutAnswer;
  /** What the person can do about it; what else has to be known. */
  readonly remedy: string;
  /** What JSON parsers do not know, and this agent's does: with it in the file, others read none of their settings. */
  readonly reads: readonly ("comments" | "mark")[];
  /** What has to be done or to be so before it runs hooks of a scope. */
  readonly before: Partial<Readonly<Record<HookScope, string>>>;
  /** Whether settings switch off all hooks, or this one. */
  readonly switchedOff: (settings: Readonly<Record<string, unknown>>, command: string) => boolean;
}

/** How long an agent waits for a hook, in seconds: longer than the guard takes to read, ask and deny. */
export const WAIT_S = 60;
