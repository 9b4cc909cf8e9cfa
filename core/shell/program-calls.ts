import { knownOutput } from "./known-output.ts";
import { reopened } from "./descriptors.ts";
import { baseName, isAbsolute, isNoFile, joined, tidied } from "./paths.ts";
import { isKnownProgram } from "./programs/program-effects.ts";
import type { Effects, ProgramCall, Started, Word } from "./programs/effects.ts";
import { MUTE, OPEN, type Outcome, type Reader } from "./reader.ts";
import {
  childShell,
  givesOpen,
  isMissing,
  isShell,
  isShellText,
  projectOf,
  readScript,
  scriptText,
} from "./script-texts.ts";
import type { ShellState } from "./shell-state.ts";
import { throwawayEffects } from "./throwaway-scripts.ts";
import type { SpokenWord } from "./words.ts";

/** Where anybody may have put a file a moment ago. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev|proc|run)(\/|$)/;
const SYSTEM = /^\/(usr|bin|sbin|opt|nix|snap|System|Library|home\/linuxbrew)(\/|$)/;

/** Reads a program that is no part of the shell. */
export function programCall(words: readonly SpokenWord[], reader: Reader, state: ShellState): Outcome {
  const [first, ...args] = words;
  const path = first?.text;
  if (path === undefined || path === "") {
    reader.facts.unknown("program");
    return OPEN;
  }
  const name = baseName(path);
  const called = path.includes("/") ? ownProgram(path, args, reader, state) : name;
  if (called !== undefined) {
    for (const cwd of state.cwds ?? [undefined]) {
      const call: ProgramCall = {
        name: called,
        path: called,
        args,
        cwd,
        home: reader.home,
        stdin: state.stdin,
      };
      merge(call, reader.effectsOf(call, reader.files), reader, state);
    }
  }
  if (/^skillctl(\.[cm]?[jt]s)?$/.test(name) && args.some(({ text }) => text === undefined)) {
    reader.facts.unknown("program");
  }
  const output = called === undefined ? undefined : knownOutput(called, args, reader, state);
  return output === undefined ? OPEN : { ...MUTE, output };
}

/**
 * A program that is named with its folder: outside of the system's folders its file is a script of the project.
 * @returns the name under which its words are understood, if that is known
 */
function ownProgram(
  path: string,
  args: readonly Word[],
  reader: Reader,
  state: ShellState,
): string | undefined {
  const name = baseName(path);
  if (isAbsolute(path) && SYSTEM.test(tidied(path))) return name;
  const whole = state.cwds?.length === 1 ? joined(path, state.cwds[0]) : undefined;
  const real = whole === undefined ? undefined : reader.files.realPath(whole);
  if (whole !== undefined && real !== undefined && SYSTEM.test(real) && !reader.facts.mayHaveChanged(whole)) {
    return baseName(real);
  }
  if (isAbsolute(path) && real !== undefined && isInstalled(name, whole, real, reader, state)) return name;
  reader.facts.script(path, state.cwds);
  const tool = /(^|\/)(node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//.test(path);
  if (whole === undefined || real === undefined || reader.files.kind(real) !== "file") {
    if (isMissing(path, reader, state)) return tool ? name : undefined;
    const built = whole !== undefined && reader.facts.isBuilt(tidied(whole));
    reader.facts.unknown(built ? "unlisted" : "program");
    return name;
  }
  if (tool) return name;
  const text = scriptText(path, reader, state);
  if (text !== undefined && isShellText(text, path)) readScript(path, args, reader, state);
  else if (reader.facts.isBuilt(tidied(whole))) reader.facts.unknown("unlisted");
  else if (reader.facts.mayHaveChanged(whole)) reader.facts.unknown("code");
  return /^skillctl(\.[cm]?[jt]s)?$/.test(name) ? name : undefined;
}

/** A known program in a folder of version managers and the like: neither in the project nor among temporary files. */
function isInstalled(name: string, whole = "", real: string, reader: Reader, state: ShellState): boolean {
  const { facts } = reader;
  const [cwd] = state.cwds ?? [];
  if (cwd === undefined || !isKnownProgram(name) || facts.mayHaveChanged(whole)) return false;
  const project = projectOf(cwd, reader);
  return [tidied(whole), real].every(
    (place) => !TEMPORARY.test(place) && place !== project && !place.startsWith(`${project}/`),
  );
}

function merge(call: ProgramCall, effects: Effects, reader: Reader, state: ShellState): void {
  const { facts } = reader;
  const folders = call.cwd === undefined ? undefined : [call.cwd];
  facts.unknown(...effects.unknown);
  for (const path of effects.reads) facts.read(path, folders);
  for (const url of effects.urls) facts.url(url);
  for (const text of effects.sets) facts.setting(text);
  for (const name of effects.uses) facts.use(name);
  for (const path of effects.scripts) {
    const known = throwawayEffects(path, call, reader);
    if (known !== undefined) {
      for (const each of known) merge({ ...call, args: [] }, each, reader, state);
      continue;
    }
    facts.script(path, folders);
    const at = call.args.findIndex(({ text }) => text === path);
    const rest = at < 0 ? undefined : call.args.slice(at + 1);
    if (isShell(call.name)) readScript(path, rest, reader, state);
    else if (/^\/(dev\/(fd\/|stdin)|proc\/)/.test(path)) facts.unknown("code");
    else if (isMade(path, call.cwd, reader)) facts.unknown("unlisted");
    if (/^skillctl\.[cm]?[jt]s$/.test(baseName(path))) skillctl(rest, reader, state);
  }
  substitutions(call, effects, reader, state);
  for (const path of effects.writes) {
    facts.write(path, folders);
    reopened(path, folders, state.descriptors, facts);
    if (COMPILER.test(call.name) && !effects.unknown.includes("code")) facts.built(path, folders);
  }
  if (call.name === "ln") linked(call, reader);
  for (const started of effects.runs) {
    reader.deeper(() => {
      const shell = "shell" in started ? started.shell.text : undefined;
      const at = shell === undefined ? -1 : call.args.findIndex(({ text }) => text === shell);
      const inner =
        "shell" in started ? childShell(state, at < 0 ? undefined : call.args.slice(at + 2)) : state.clone();
      if ("shell" in started && at >= 0) inner.calledAs = call.args[at + 1] ?? { text: call.name };
      inner.cwds = folders;
      const isOwn = "own" in started && !givesOpen(state);
      const start = () => reader.start(call.name === "find" ? foundFiles(started) : started, inner);
      if (isOwn) return facts.own(start);
      return "own" in started ? facts.stored(start) : start();
    });
  }
}

/** Whether the command itself writes what it runs. */
function isMade(path: string, cwd: string | undefined, { facts }: Reader): boolean {
  const whole = joined(path, cwd);
  return whole !== undefined && (facts.touched(whole) || facts.written(tidied(whole)).length > 0);
}

const COMPILER = /^(?:gcc|g\+\+|clang(?:\+\+)?|cc|c\+\+|rustc|go|javac|ghc|nim|zig|ldc2|swiftc|kotlinc)$/;
/** Programs that may run what stands in a file that is named to them. */
const READERS =
  /^(node|nodejs|python[\d.]*|pypy3?|perl|ruby|php|lua|deno|bun|tsx|ts-node|Rscript|osascript|tclsh|[gmn]?awk|g?sed|g?make|git|patch|sqlite3|psql|ed|ex|vim?|nvim|emacs)$/;

/** `bash <(…)`: what runs is what another command writes. */
function substitutions(call: ProgramCall, { scripts }: Effects, reader: Reader, state: ShellState): void {
  for (const [index, { text = "" }] of call.args.entries()) {
    const path = /\/dev\/fd\/\d+$/.exec(text)?.[0];
    if (path === undefined || scripts.includes(path) || !reader.descriptors.has(path)) continue;
    if (isShell(call.name)) readScript(path, call.args.slice(index + 1), reader, state);
    else if (READERS.test(call.name)) reader.facts.unknown("code");
  }
}

/** `find -exec sh -c TEXT _ {}`: the text gets each file by name, not the folder that they are in. */
function foundFiles(started: Started): Started {
  if ("shell" in started || !isShell(baseName(started[0]?.text ?? ""))) return started;
  const code = started.findIndex(({ text }) => /^-[a-z]*c$/.test(text ?? ""));
  if (code < 0) return started;
  return started.map((word, at) => (at < code + 2 ? word : { text: undefined, known: word.text ?? "" }));
}

/** `node …/skillctl.cjs run x` is `skillctl run x`. */
function skillctl(args: readonly Word[] | undefined, { facts }: Reader, state: ShellState): void {
  if (!args || args.some(({ text }) => text === undefined)) facts.unknown("program");
  facts.program(
    "skillctl",
    (args ?? []).map(({ text, known }) => text ?? known ?? ""),
    state.cwds,
  );
}

/** What is written by way of a new link is written where it leads. */
function linked({ args, cwd }: ProgramCall, { facts, files }: Reader): void {
  const names = args.flatMap(({ text }) => (text === undefined || text.startsWith("-") ? [] : [text]));
  const [to = "", at = baseName(to)] = [names[0], names.at(-1)];
  const place = joined(names.length > 1 ? at : baseName(to), cwd);
  if (place === undefined || args.some(({ text }) => text === undefined) || names.length > 2) {
    facts.unknown("write");
    return;
  }
  const symbolic = args.some(({ text }) => /^(-[a-zA-Z]*s|--symbolic)/.test(text ?? ""));
  const inside = files.kind(files.realPath(place) ?? place) === "folder";
  const folder = inside ? place : place.slice(0, place.lastIndexOf("/")) || "/";
  const target = joined(to, symbolic ? folder : cwd);
  if (target === undefined) facts.unknown("write");
  else if (isNoFile(tidied(target)) && target !== "/dev/null") facts.unknown("write");
  else facts.link(tidied(inside ? `${place}/${baseName(to)}` : place), target);
}
