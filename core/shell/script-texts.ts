import { joined } from "./paths.ts";
import type { Word } from "./programs/effects.ts";
import { contentOf } from "./redirections.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "busybox"]);

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** The text of a script; `undefined` when it is not there or may be another by then. */
export function scriptText(path: string, reader: Reader, state: ShellState): string | undefined {
  const content = contentOf({ text: path }, reader, state);
  return content.kind === "text" ? content.text : undefined;
}

/** A shell of its own: it gets what is exported, and the folder. */
export function childShell(state: ShellState, positional: readonly Word[] | undefined): ShellState {
  const child = state.clone();
  for (const name of child.variables.keys()) {
    if (!child.exported.has(name)) child.variables.set(name, { kind: "text", value: { text: undefined } });
  }
  for (const [name, bodies] of child.functions)
    child.functions.set(name, [...new Set([...bodies, undefined])]);
  child.aliases = new Map();
  child.positional = positional;
  child.calledAs = { text: undefined };
  child.oddWords = false;
  child.silenced = false;
  child.locals = undefined;
  child.returns = undefined;
  child.loops = [];
  return child;
}

/** Reads a script that a shell runs as a program. */
export function readScript(
  path: string,
  args: readonly Word[] | undefined,
  reader: Reader,
  state: ShellState,
): void {
  const text = scriptText(path, reader, state);
  if (text === undefined) {
    reader.facts.unknown("code");
    return;
  }
  const child = childShell(state, args);
  child.calledAs = { text: state.cwds?.length === 1 ? joined(path, state.cwds[0]) : undefined };
  reader.deeper(() => reader.text(text, child));
}

/** Whether a text that is started by itself is read by a shell. */
export function isShellText(text: string, path: string): boolean {
  const [first = ""] = text.split("\n", 1);
  if (first.startsWith("#!"))
    return /^#!\s*\S*?(\benv\s+(-\S+\s+)*)?(\/|\b)(ba|da|z|k|mk|a)?sh\b/.test(first);
  return /\.(sh|bash|zsh|ksh)$/.test(path) || !text.includes("\0");
}
