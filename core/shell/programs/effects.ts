import type { ShellFacts } from "../../contract.ts";

/** Why not everything is known: one of the words of `unknown` in `core/shell-facts`. */
export type Unknown = ShellFacts["unknown"][number];

/** A word of a command, after what the shell puts in its place. */
export interface Word {
  /** The whole text, `undefined` when it is not known. */
  readonly text: string | undefined;
  /** What is known of its beginning. */
  readonly known?: string;
  /** The whole text with a gap (`GAP`) for each variable of the environment, when nothing else of it is unknown. */
  readonly gapped?: string;
}

/** Stands in `gapped` where a value of the environment comes; a character that no text has a use for (private use area). */
export const GAP = "\uE000";

/** What a program finds on its standard input. */
export type StandardInput =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown" };

/** A program as the shell would start it. */
export interface ProgramCall {
  /** Its name, without a folder. */
  readonly name: string;
  /** As it was written. */
  readonly path: string;
  readonly args: readonly Word[];
  /** The folder it is started in, absolute; `undefined` when it is not known. */
  readonly cwd: string | undefined;
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly stdin: StandardInput;
}

/** Text that a program hands to a shell. */
export interface ShellText {
  readonly shell: Word;
  /** The folder it is run in; that of the call, if absent. */
  readonly cwd?: string;
  /** The project's own, as its programs are: what is not known of it is not told. */
  readonly own?: true;
}

/** What a program starts: an argument vector (of `env`, `sudo`, `xargs`), or text for a shell. */
export type Started = readonly Word[] | ShellText;

/** What a program does. Paths may be relative to the folder of the call. */
export interface Effects {
  /** Files that it writes, moves or removes; a folder stands for what is in it. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** Addresses it calls, in the form of the URL standard. */
  readonly urls: readonly string[];
  /** Files whose text it runs. */
  readonly scripts: readonly string[];
  /** Variables given to programs, `NAME=value`. */
  readonly sets: readonly string[];
  /** Names of variables of the environment whose value goes somewhere; `*` is all of them. */
  readonly uses: readonly string[];
  readonly unknown: readonly Unknown[];
  /** What it starts, to be read with the same care. */
  readonly runs: readonly Started[];
}
