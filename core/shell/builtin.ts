import type { Outcome, Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import type { SpokenWord } from "./words.ts";

export interface BuiltinCall {
  readonly name: string;
  /** Its words without the name. */
  readonly args: readonly SpokenWord[];
  readonly reader: Reader;
  /** The shell itself: what is done to it lasts. */
  readonly state: ShellState;
  /** Reads a command of words once more, functions left out when `command` or `builtin` says so. */
  readonly again: (words: readonly SpokenWord[], state: ShellState) => Outcome;
}

export type Builtin = (call: BuiltinCall) => Outcome;
