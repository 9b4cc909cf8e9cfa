import type { SkillError } from "../../errors/skill-error.ts";
import type { ByteStream } from "../../adapters/hook-input.ts";
import type { ServedSkills } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { OwnRules } from "../../guard.ts";
import type { HostedSkill } from "../../skill.ts";
import type { PendingTrust } from "../../trust/trust.ts";
import type { GlobalWords } from "./words.ts";

/** Where a command line writes. Results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** As `err`, for what moves the cursor and is all our own. Missing: `err`. */
  readonly draw?: (text: string) => void;
  /** What code of others prints to the streams of the process, or writes to its descriptor 1, goes to `err` from now on. */
  readonly divertPrints?: () => void;
  /** Shows one line on standard error that the next output wipes; "" only wipes. Missing where nothing is lively. */
  readonly status?: (line: string) => void;
  /** Standard error is a terminal that can redraw a line, and neither CI nor --no-progress speaks against it. */
  readonly lively: boolean;
  /** Colour may be used on standard error: a terminal, and no NO_COLOR. */
  readonly colour: boolean;
  /** Width in columns. Default 80. */
  readonly columns: number;
  /** Width of standard error in columns; missing where it is no terminal. */
  readonly errorColumns?: number | undefined;
  /** Whether standard output is a terminal. Default: it is not. */
  readonly showsOut?: boolean;
  /** Aborted by Ctrl-C or a polite kill. */
  readonly signal: AbortSignal;
  /**
   * Calls `say` when code of a skill ends the process before the verb has answered, or leaves a failure unhandled (the `cause`).
   * `say` answers the exit status, or undefined to go on. Answers the function that takes it back. Missing where the
   * process belongs to another program.
   */
  readonly lastWord?: (say: (reason: string, cause?: unknown) => number | undefined) => () => void;
  /** Does what Ctrl-C does, for when keys are read one by one and the system does not see it. */
  readonly interrupt?: () => void;
}

/** What a verb is given. */
export interface Invocation extends Pick<
  Surroundings,
  "builtin" | "variables" | "workingFolder" | "ownProgram" | "ruleFiles" | "standardInput"
> {
  readonly terminal: Terminal;
  /** Flags that every verb understands; `plugins`: folders of foreign skills, absolute: --plugin, SKILLCTL_PLUGINS, skillctl.json. */
  readonly options: Pick<GlobalWords, "json" | "verbose" | "progress" | "plugins">;
  /** Why skillctl.json cannot be used. Only verbs that the table marks `lenient` are run then. */
  readonly configurationFault?: SkillError;
  /** The rules of such a file that count. */
  readonly tighteningRules?: OwnRules["workspace"];
  /** Which skills are offered, as skillctl.json says. */
  readonly skills?: ServedSkills;
  /** What skillctl.json brings that counts for nothing until the person trusts the folder. */
  readonly waiting?: PendingTrust;
  /** The host with the skills in the box and the foreign ones; built on first call, closed by main. */
  readonly host: () => Promise<Host>;
  /** Rules that no skill brings. @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
  readonly rules: () => Promise<OwnRules>;
}

/** One verb of the command line: `core/surfaces/cli/verbs/<name>.ts` exports `verb`. */
export interface Verb {
  /** `words`: what follows the verb, without global flags. Answers the exit status; errors are thrown. */
  readonly run: (words: readonly string[], invocation: Invocation) => Promise<number>;
  /** The text of `skillctl <verb> --help`. */
  readonly help: string;
  /** The help where it depends on the words: `skillctl run SKILL --help`. Asked only when there are words. */
  readonly helpFor?: (words: readonly string[], invocation: Invocation) => Promise<string>;
}

/** What the program hands to its command line. */
export interface Surroundings {
  readonly version: string;
  /** Loads the skills in the box. Verbs that do not look at skills do without their manifests. */
  readonly builtin: () => Promise<readonly HostedSkill[]>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute; "" when it has been removed. */
  readonly workingFolder: string;
  /** How this program is started, for commands that go on in the background. Default: they cannot. */
  readonly ownProgram?: readonly string[];
  /** Where the rules of the person and of who runs the machine stand, absolute. Default: there are none. */
  readonly ruleFiles?: Partial<Readonly<Record<"user" | "operator", string>>>;
  /** Standard input of hooks. Default: the process's own. */
  readonly standardInput?: () => ByteStream;
  /** Answers the terminal to write to. */
  readonly terminal: (progress: boolean) => Terminal;
}
