import type { ParsedScript } from "unbash";
import type { Word } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { withoutEnd } from "./without-end.ts";
import { NOT_KNOWN } from "./variable.ts";

interface Substitution {
  readonly text: string;
  readonly script: ParsedScript | undefined;
}

/** What `$(…)` stands for. The commands in it are read; what they would write is known of a few only. */
export function substituted({ text, script }: Substitution, reader: Reader, state: ShellState): Word {
  const inner = state.clone();
  const { output } = reader.script(script, inner);
  // `${ …; }` runs in the shell itself where it is known, and is an error elsewhere.
  if (text.startsWith("${")) state.join(inner);
  if (output === undefined || output.includes("\0") || text.startsWith("${|")) return NOT_KNOWN;
  return { text: withoutEnd(output, "\n") };
}
