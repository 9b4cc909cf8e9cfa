import { isNoFile, joined } from "./paths.ts";
import type { Unknown, Word } from "./programs/effects.ts";
import { contentOf } from "./redirections.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import type { Variable } from "./variable.ts";

/** Longer scripts are not read; of texts on the command line nothing counts as known then. */
const LONGEST = 256 * 1024;
/** Where programs put files: a script that lies there need not be anybody's work. */
const MADE = /\/(?:dist|build|out|target|coverage|tmp|temp|logs?|\.cache|\.dbg)\//;
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

/** The folder with `.git` that a folder lies in, or that folder. */
export function projectOf(folder: string, { files }: Reader): string {
  let project = folder;
  for (let each = folder; each !== ""; each = each.slice(0, each.lastIndexOf("/")))
    if (files.kind(`${each}/.git`) !== undefined) project = each;
  return project;
}

/**
 * Reads a script file that is there and that nothing in the command changes. What is not known of it is not told when it is the
 * project's own and is given nothing unknown; else it is work that cannot be seen.
 */
export function readStored(
  path: string,
  args: readonly Word[] | undefined,
  reader: Reader,
  state: ShellState,
  read: () => void,
): void {
  const [cwd, ...more] = state.cwds ?? [];
  const whole = cwd === undefined || more.length > 0 ? undefined : joined(path, cwd);
  const real = whole === undefined ? undefined : reader.files.realPath(whole);
  if (cwd === undefined || real === undefined || isNoFile(whole ?? "")) return read();
  const project = projectOf(cwd, reader);
  const isInside = cwd !== "/" && real.startsWith(`${project}/`) && !MADE.test(real.slice(project.length));
  const given = args?.every(({ text }) => text !== undefined) === true && state.stdin.kind !== "unknown";
  if (isInside && given && !givesOpen(state)) reader.facts.own(read);
  else reader.facts.stored(read);
}

/** Whether programs get a variable whose value the command computes. */
export function givesOpen({ exported, variables }: ShellState): boolean {
  const isOpen = (variable: Variable | undefined) =>
    variable?.kind === "text" && variable.value.text === undefined;
  return [...exported].some((name) => isOpen(variables.get(name)));
}

/** Whether a script is not there, and nothing in the command makes it: then it does nothing that can be seen. */
export function isMissing(path: string, reader: Reader, state: ShellState): boolean {
  if (state.cwds?.length !== 1 || isNoFile(path)) return false;
  const whole = joined(path, state.cwds[0]);
  if (whole === undefined || reader.facts.mayHaveChanged(whole)) return false;
  return reader.files.kind(reader.files.realPath(whole) ?? whole) === undefined;
}

/** Why the text of a script is not known: it is too long, or of another kind; or it may be another by then. */
export function whyUnread(path: string, reader: Reader, state: ShellState): Unknown {
  const whole = state.cwds?.length === 1 ? joined(path, state.cwds[0]) : undefined;
  return whole === undefined || isNoFile(path) || reader.facts.mayHaveChanged(whole) ? "code" : "unlisted";
}

/** Reads a script that a shell runs as a program. */
export function readScript(
  path: string,
  args: readonly Word[] | undefined,
  reader: Reader,
  state: ShellState,
): void {
  const text = scriptText(path, reader, state);
  if (text === undefined || text.length > LONGEST) {
    reader.facts.unknown(whyUnread(path, reader, state));
    return;
  }
  const child = childShell(state, args);
  child.calledAs = { text: state.cwds?.length === 1 ? joined(path, state.cwds[0]) : undefined };
  readStored(path, args, reader, state, () => reader.deeper(() => reader.text(text, child)));
}

/** Whether a text that is started by itself is read by a shell. */
export function isShellText(text: string, path: string): boolean {
  const [first = ""] = text.split("\n", 1);
  if (first.startsWith("#!"))
    return /^#!\s*\S*?(\benv\s+(-\S+\s+)*)?(\/|\b)(ba|da|z|k|mk|a)?sh\b/.test(first);
  return /\.(sh|bash|zsh|ksh)$/.test(path) || !text.includes("\0");
}
