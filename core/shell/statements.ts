import type { AndOr, CommandNode, CompoundList, Pipeline, PipelineNode, Statement } from "unbash";
import { compoundCommand } from "./compound-commands.ts";
import { MUTE, OPEN, type Outcome, type Reader } from "./reader.ts";
import { trapRead } from "./traps.ts";
import { redirected } from "./redirections.ts";
import { eitherFolder, type ShellState } from "./shell-state.ts";
import { simpleCommand, throughStreams } from "./simple-command.ts";

/** Functions that a shell calls by itself, at some time. */
const CALLED_BY_THE_SHELL =
  /^(?:command_not_found_handler?|precmd|preexec|chpwd|periodic|zshexit|zshaddhistory|TRAP[A-Z]+)$/;

/** One command after another. */
export function listed(statements: readonly Statement[], reader: Reader, state: ShellState): Outcome {
  let output: string | undefined = "";
  let last: Outcome = MUTE;
  for (const { command, background } of statements) {
    last = background ? inBackground(command, reader, state) : readNode(command, reader, state);
    settle(last, state);
    output = output === undefined || last.output === undefined ? undefined : output + last.output;
  }
  return { output, ok: last.ok };
}

/** Reads any node of the tree. */
export function readNode(
  node: CommandNode | Pipeline | AndOr | CompoundList,
  reader: Reader,
  state: ShellState,
): Outcome {
  reader.step();
  switch (node.type) {
    case "Command":
      return simpleCommand(node, reader, state);
    case "AndOr":
      return andOr(node, reader, state);
    case "Pipeline":
      return piped(node, reader, state);
    case "Redirected": {
      const streams = redirected(node.redirects, reader, state);
      return throughStreams(streams, state, () => readNode(node.command, reader, state));
    }
    case "CompoundList":
      return reader.deeper(() => listed(node.commands, reader, state));
    case "Function":
      state.functions.set(node.name.value, [node.body]);
      for (const { text, last } of state.traps) trapRead(text, last, reader, state);
      if (CALLED_BY_THE_SHELL.test(node.name.value)) {
        const inner = state.clone();
        inner.forget();
        reader.deeper(() => readNode(node.body, reader, inner));
      }
      return MUTE;
    case "Coproc": {
      const inner = state.clone();
      inner.stdin = { kind: "unknown" };
      readNode(node.body, reader, inner);
      return OPEN;
    }
    default:
      return reader.deeper(() => compoundCommand(node, reader, state));
  }
}

function inBackground(node: PipelineNode | AndOr, reader: Reader, state: ShellState): Outcome {
  readNode(node, reader, state.clone());
  return OPEN;
}

/** A command that failed has left the shell where it was. */
function settle(outcome: Outcome, state: ShellState): void {
  if ("elsewhere" in outcome) state.cwds = eitherFolder(state.cwds, outcome.elsewhere);
}

/** Each command may run or not, unless the one before is sure to succeed. */
function andOr(node: AndOr, reader: Reader, state: ShellState): Outcome {
  const [first, ...others] = node.commands;
  if (!first) return OPEN;
  let outcome = readNode(first, reader, state);
  /** Where the shell is when the chain ends early. */
  const ends: ShellState[] = [];
  for (const [index, command] of others.entries()) {
    const both = node.operators[index] === "&&";
    const stopped = state.clone();
    settle(outcome, stopped);
    if (both) {
      if (!outcome.ok) ends.push(stopped);
      const next = readNode(command, reader, state);
      outcome = joinedOutcome(outcome, next);
    } else if (outcome.ok) {
      readNode(command, reader, stopped);
    } else {
      // It runs after a failure, of this command or of one before it.
      settle(outcome, state);
      const succeeded = state.clone();
      for (const end of ends.splice(0)) state.join(end);
      const next = readNode(command, reader, state);
      settle(next, state);
      state.join(succeeded);
      outcome = { output: undefined, ok: next.ok };
    }
  }
  settle(outcome, state);
  for (const end of ends) state.join(end);
  return { output: outcome.output, ok: outcome.ok };
}

function joinedOutcome(before: Outcome, next: Outcome): Outcome {
  const sure = before.ok && before.output !== undefined && next.output !== undefined;
  return { ...next, ok: before.ok && next.ok, output: sure ? `${before.output}${next.output}` : undefined };
}

/** Each command of a pipe has a shell of its own; some shells keep the last. */
function piped(node: Pipeline, reader: Reader, state: ShellState): Outcome {
  for (const { type } of node.prefixes)
    if (type !== "Time" && type !== "Negation") reader.facts.unknown("syntax");
  const [only, ...more] = node.commands;
  if (!only) return OPEN;
  if (more.length === 0) {
    const outcome = readNode(only, reader, state);
    const timed = node.prefixes.some(({ type }) => type === "Time");
    settle(outcome, state);
    return { output: timed ? undefined : outcome.output, ok: node.prefixes.length === 0 && outcome.ok };
  }
  let outcome: Outcome = MUTE;
  let last = state;
  for (const [index, command] of node.commands.entries()) {
    last = state.clone();
    if (index > 0) {
      const both = node.operators[index - 1] === "|&";
      last.stdin =
        outcome.output === undefined || both ? { kind: "unknown" } : { kind: "text", text: outcome.output };
    }
    const pipes = [...(index > 0 ? [0] : []), ...(index < node.commands.length - 1 ? [1] : [])];
    last.descriptors = new Map([...last.descriptors, ...pipes.map((each) => [each, []] as const)]);
    last.silenced = index < node.commands.length - 1 ? false : state.silenced;
    outcome = readNode(command, reader, last);
    settle(outcome, last);
  }
  last.stdin = state.stdin;
  last.descriptors = state.descriptors;
  last.silenced = state.silenced;
  state.join(last);
  return { output: outcome.output, ok: false };
}
