import type { SkillError } from "../../errors/skill-error.ts";
import type { ByteStream } from "../../adapters/hook-input.ts";
import type { ForeignSkills } from "../../adapters/foreign-skills.ts";
import type { ServedSkills } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { OwnRules } from "../../guard.ts";
import type { KeyRing } from "../../key-ring.ts";
import type { Environment } from "../../ports/environment.ts";
import type { HostedSkill, SkillSummary } from "../../skill.ts";
import type { PendingTrust } from "../../trust/trust.ts";
import type { Flags, GlobalWords } from "./words.ts";

/** The streams of a command line. Results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Like `err`, but for our own control sequences that move the cursor. Default: `err`. */
  readonly draw?: (text: string) => void;
  /** From now on, output of third-party code to the streams or to descriptor 1 goes to `err`. */
  readonly divertPrints?: () => void;
  /** Shows one line on standard error that the next output removes; "" only removes it. Missing without a terminal. */
  readonly status?: (line: string) => void;
  /** Standard error is a terminal that can redraw a line, outside CI and without --no-progress. */
  readonly lively: boolean;
  /** Colour may be used on standard error: a terminal, and no NO_COLOR. */
  readonly colour: boolean;
  /** Width in columns. Default 80. */
  readonly columns: number;
  /** Width of standard error in columns; missing if it is not a terminal. */
  readonly errorColumns?: number | undefined;
  /** Whether standard output is a terminal. Default: false. */
  readonly showsOut?: boolean;
  /** Aborted by SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /**
   * Calls `say` if the code of a skill ends the process before the verb returns, or does not handle a failure (the `cause`).
   * `say` returns the exit status, or undefined to continue. Returns a function that removes the listeners. Missing if the
   * process belongs to another program.
   */
  readonly lastWord?: (say: (reason: string, cause?: unknown) => number | undefined) => () => void;
  /** Has the effect of Ctrl-C while keys are read one by one and the system does not handle it. */
  readonly interrupt?: () => void;
}

/** The input and services of a verb. */
export interface Invocation extends Pick<
  Surroundings,
  | "builtin"
  | "summaries"
  | "variables"
  | "workingFolder"
  | "ownProgram"
  | "ruleFiles"
  | "standardInput"
  | "keyRing"
> {
  readonly terminal: Terminal;
  /** Flags that every verb understands; `plugins`: folders of third-party skills, absolute: --plugin, SKILLCTL_PLUGINS, skillctl.json. */
  readonly options: Pick<GlobalWords, "json" | "verbose" | "progress" | "plugins"> & {
    /** The paths of `--plugin`, as typed. */
    readonly named: readonly string[];
    /** The paths of `--plugin` and SKILLCTL_PLUGINS, absolute: they need no trust. */
    readonly namedPaths: readonly string[];
  };
  /** The error of an unusable skillctl.json. Only verbs marked as `lenient` in the table run with it. */
  readonly configurationFault?: SkillError;
  /** The rules of such a file that still apply. */
  readonly tighteningRules?: OwnRules["workspace"];
  /** The setting `skills` of skillctl.json. */
  readonly skills?: ServedSkills;
  /** The contents of skillctl.json that are ignored until the person trusts the folder. */
  readonly waiting?: PendingTrust;
  /** Plain SKILL.md folders, for verbs marked with `documents` in the table. */
  readonly documents: () => Promise<ForeignSkills>;
  /** The call or test in progress, as the subject of a sentence about its early end. */
  readonly running: {
    current?: string;
    /** Reports of failures of skills whose host had already been closed. */
    late?: readonly { readonly skill: string; readonly sentence: string }[];
  };
  /** The host with all skills. It is created at the first call and closed by `main`. */
  readonly host: () => Promise<Host>;
  /** The environment with `state` of the person's own settings. @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
  readonly environment: () => Promise<Environment>;
  /** Rules outside of skills. @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` */
  readonly rules: () => Promise<OwnRules>;
}

/** One verb of the command line: `core/surfaces/cli/verbs/<name>.ts` exports `verb`. */
export interface Verb {
  /** `words`: the words after the verb, without global flags. Returns the exit status; errors are thrown. */
  readonly run: (words: readonly string[], invocation: Invocation) => Promise<number>;
  /** Its own flags, for shells that complete them. Default: none. */
  readonly flags?: Flags;
  /** The text of `skillctl <verb> --help`. */
  readonly help: string;
  /** A help that depends on the words: `skillctl run SKILL --help`. Called only with words. */
  readonly helpFor?: (words: readonly string[], invocation: Invocation) => Promise<string>;
}

/** The surroundings of a command line, given by the program. */
export interface Surroundings {
  readonly version: string;
  /** Loads the built-in skills. Verbs that do not look at skills do without their manifests. */
  readonly builtin: () => Promise<readonly HostedSkill[]>;
  /** Names and summaries of the built-in skills, without the rest of their manifests. */
  readonly summaries: () => readonly SkillSummary[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absolute; "" if it has been removed. */
  readonly workingFolder: string;
  /** The words that start this program, for commands that continue in the background. Without them no command can. */
  readonly ownProgram?: readonly string[];
  /** The files with the rules of the person and of the operator, absolute. Default: none. */
  readonly ruleFiles?: Partial<Readonly<Record<"user" | "operator", string>>>;
  /** Standard input of hooks. Default: that of the process. */
  readonly standardInput?: () => ByteStream;
  /** The key ring of secret settings. Default: that of the system. */
  readonly keyRing?: KeyRing;
  /** Returns the terminal to write to. */
  readonly terminal: (progress: boolean) => Terminal;
}
