import type { Word } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";

const COMMAND = /`|\$[({[]/;

/**
 * What the shell reckons with (Bash manual 6.5): an index, an offset, an operand. Names in it stand for their values, those
 * are reckoned with in turn, and an index in a value may hold commands.
 */
export function reckoned(word: Word, reader: Reader, state: ShellState, seen = new Set<string>()): void {
  const text = word.text ?? word.known ?? "";
  if (/[`$]/.test(text) || (word.text === undefined && state.indexedCode)) reader.facts.unknown("code");
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
    if (seen.has(name)) continue;
    seen.add(name);
    reader.step();
    const variable = state.variables.get(name);
    if (variable?.kind === "text") reckoned(variable.value, reader, state, seen);
    else
      for (const item of variable ? (variable.items ?? [{ text: undefined }]) : [])
        reckoned(item, reader, state, seen);
  }
}

/** The same for the index in `name[index]`, whatever stands behind it. */
export function reckonedIndex({ text, known }: Word, reader: Reader, state: ShellState): void {
  const spoken = text ?? known ?? "";
  const start = spoken.indexOf("[");
  if (start < 0) return;
  const value = spoken.indexOf("]=", start);
  const end = value < 0 ? spoken.lastIndexOf("]") : value;
  const index = spoken.slice(start + 1, end < start ? undefined : end);
  if (index === "@" || index === "*") return;
  reckoned(
    text === undefined && end < start ? { text: undefined, known: index } : { text: index },
    reader,
    state,
  );
}

/** Whether a text, where it is reckoned with, may run a command. */
export function holdsIndexedCode({ text, known }: Word): boolean {
  const spoken = text ?? known ?? "";
  const start = spoken.indexOf("[");
  return start >= 0 && COMMAND.test(spoken.slice(start));
}
