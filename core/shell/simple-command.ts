import type { Assignment, Command } from "unbash";
import { assign, valueOf } from "./assignments.ts";
import { BUILTINS } from "./builtins.ts";
import { functionCall } from "./function-calls.ts";
import { eitherDescriptors } from "./descriptors.ts";
import { baseName } from "./paths.ts";
import { programCall } from "./program-calls.ts";
import { MUTE, OPEN, type Outcome, type Reader } from "./reader.ts";
import { redirected, type Streams } from "./redirections.ts";
import type { ShellState } from "./shell-state.ts";
import { UNKNOWN_VARIABLE } from "./variable.ts";
import { wordsOf, type SpokenWord } from "./words.ts";

/** Reads a command of words (Bash manual 3.7.1). */
export function simpleCommand(node: Command, reader: Reader, state: ShellState): Outcome {
  reader.step();
  const words = node.name ? [...wordsOf(node.name, reader, state)] : [];
  const name = words[0]?.text;
  for (const argument of node.args) {
    if (argument.type === "Word") words.push(...wordsOf(argument, reader, state));
    else words.push(declaration(argument, reader, state));
  }
  const streams = redirected(node.redirects, reader, state);
  const given = node.prefix.filter((each): each is Assignment => each.type === "Assignment");
  if (words.length === 0) return assignments(given, streams, reader, state);
  if (name !== undefined && node.name?.text === name) aliasCall(node, name, reader, state);
  const before = given.map((each) => {
    const value = valueOf(each, reader, state);
    const old = {
      name: each.name,
      variable: state.variables.get(each.name),
      value,
      exported: state.exported.has(each.name),
    };
    assign(each.name, value, reader, state, false);
    state.exported.add(each.name);
    return old;
  });
  const { oddWords } = state;
  const divided = given.some((each) => each.name === "IFS") && name !== "read";
  if (divided) state.oddWords = true;
  const outcome = throughStreams(streams, state, () => {
    const said = dispatch(words, reader, state);
    if (streams.file !== undefined && said.output !== undefined)
      reader.facts.hold(streams.file, state.cwds, said.output);
    return said;
  });
  if (divided) state.oddWords = oddWords;
  if (name === "exec" && words.length === 1) kept(streams, state);
  for (const { name: each, variable, value, exported } of before.reverse()) {
    // What the command itself did to the name may last or not.
    if (state.variables.get(each) !== value) state.variables.set(each, UNKNOWN_VARIABLE);
    else if (variable) state.variables.set(each, variable);
    else state.variables.delete(each);
    if (!exported) state.exported.delete(each);
  }
  return outcome;
}

/** Reads words as a command: a function, a built-in command, or a program. */
export function dispatch(
  words: readonly SpokenWord[],
  reader: Reader,
  state: ShellState,
  functions = true,
): Outcome {
  const [first, ...args] = words;
  const name = first?.text;
  if (name === undefined) {
    reader.facts.unknown("program");
    return OPEN;
  }
  reader.facts.program(
    shownName(name),
    args.map(({ text, raw }) => text ?? raw),
    state.cwds,
  );
  const bodies = functions ? state.functions.get(name) : undefined;
  if (bodies) {
    const outcome = functionCall(name, bodies, args, reader, state);
    if (!bodies.includes(undefined)) return outcome;
  }
  const builtin = BUILTINS.get(name);
  if (!builtin) return programCall(words, reader, state);
  return builtin({ name, args, reader, state, again: (more, inner) => dispatch(more, reader, inner, false) });
}

/** Runs something with standard streams of its own. */
export function throughStreams(streams: Streams, state: ShellState, run: () => Outcome): Outcome {
  const { stdin, descriptors } = state;
  if (streams.stdin) state.stdin = streams.stdin;
  if (streams.descriptors) state.descriptors = streams.descriptors;
  const inside = state.descriptors;
  const outcome = run();
  state.stdin = stdin;
  // What `exec` has opened on the way lasts.
  state.descriptors =
    state.descriptors === inside ? descriptors : eitherDescriptors(descriptors, state.descriptors);
  if (streams.stdout === "gone" || state.silenced) return { ...outcome, output: "" };
  return streams.stdout === "unknown" ? { ...outcome, output: undefined } : outcome;
}

function shownName(path: string): string {
  const name = baseName(path);
  return /^skillctl\.[cm]?[jt]s$/.test(name) ? "skillctl" : name;
}

/** `exec` with redirections alone: they last. */
function kept(streams: Streams, state: ShellState): void {
  if (streams.descriptors) state.descriptors = streams.descriptors;
  if (streams.stdin) state.stdin = streams.stdin;
  if (streams.stdout !== "kept") state.silenced = streams.stdout === "gone";
}

/** `NAME=value` behind `export` and its kin; what cannot be one word is given right away. */
function declaration(node: Assignment, reader: Reader, state: ShellState): SpokenWord {
  const variable = valueOf(node, reader, state);
  if (variable.kind === "list") {
    assign(node.name, variable, reader, state, true);
    return { text: node.index ? "--" : node.name, raw: node.text };
  }
  const { text, known } = variable.value;
  if (text === undefined) return { text, known: `${node.name}=${known ?? ""}`, raw: node.text };
  return { text: `${node.name}=${text}`, raw: node.text };
}

function assignments(
  nodes: readonly Assignment[],
  streams: Streams,
  reader: Reader,
  state: ShellState,
): Outcome {
  for (const node of nodes) assign(node.name, valueOf(node, reader, state), reader, state, true);
  if (nodes.length > 0)
    return nodes.some((node) => node.text.includes("$") || node.text.includes("`"))
      ? { output: "", ok: false }
      : MUTE;
  // `$(<file)` stands for the file.
  const { stdin } = streams;
  return { output: stdin ? (stdin.kind === "text" ? stdin.text : undefined) : "", ok: false };
}

/** A name that an alias of the same text may stand for. The alias is read as well. */
function aliasCall(node: Command, name: string, reader: Reader, state: ShellState): void {
  const alias = state.aliases.get(name);
  if (alias === undefined) return;
  const other = state.clone();
  other.aliases.delete(name);
  // Behind a blank at its end the next word may be an alias too.
  const next = /\s$/.test(alias) ? state.aliases.get(node.args[0]?.text ?? "") : undefined;
  const rest = node.args.map(({ text }, at) => (at === 0 && next !== undefined ? next : text)).join(" ");
  reader.deeper(() => reader.text(`${alias} ${rest}`, other));
  state.join(other);
}
