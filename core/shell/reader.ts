import type { AndOr, CommandNode, CompoundList, ParsedScript, Pipeline } from "unbash";
import type { Facts } from "./facts.ts";
import type { ProgramCall, Effects, Started } from "./programs/effects.ts";
import type { ShellFiles } from "./shell-files.ts";
import type { ShellState } from "./shell-state.ts";

/** How a command ends. */
export interface Outcome {
  /** What it writes on standard output; `undefined` when that is not known. */
  readonly output: string | undefined;
  /** It succeeds for certain. */
  readonly ok: boolean;
  /** The folders in which the shell is when it fails; without it, those of the state. */
  readonly elsewhere?: readonly string[] | undefined;
}

export const MUTE: Outcome = { output: "", ok: true };
/** Nothing is known of it. */
export const OPEN: Outcome = { output: undefined, ok: false };

/** What all parts of the shell reader share while they read one text. */
export interface Reader {
  readonly facts: Facts;
  readonly files: ShellFiles;
  readonly home: string;
  /** Texts that stand behind `/dev/fd/63` and the like; `undefined` when not known. */
  readonly descriptors: Map<string, string | undefined>;
  readonly effectsOf: (call: ProgramCall, files: ShellFiles) => Effects;
  /** The tree of a text. @throws NeedsGrammar */
  readonly parse: (text: string) => ParsedScript;
  /** Counts work. @throws TooMuch */
  readonly step: () => void;
  readonly script: (script: ParsedScript | undefined, state: ShellState) => Outcome;
  readonly node: (node: CommandNode | Pipeline | AndOr | CompoundList, state: ShellState) => Outcome;
  /** Text that a shell comes to run: of `eval`, `sh -c`, a script. */
  readonly text: (text: string, state: ShellState) => Outcome;
  /** What a program starts. It changes nothing of the shell. */
  readonly start: (started: Started, state: ShellState) => Outcome;
  /** Goes one level down. @throws TooMuch */
  readonly deeper: <T>(read: () => T) => T;
}
