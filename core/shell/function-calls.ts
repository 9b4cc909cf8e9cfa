import type { Function as FunctionNode } from "unbash";
import type { Word } from "./programs/effects.ts";
import { OPEN, type Outcome, type Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";

/** Reads the body of a function with its parameters. Several bodies: each may be the one. */
export function functionCall(
  name: string,
  bodies: readonly (FunctionNode["body"] | undefined)[],
  args: readonly Word[],
  reader: Reader,
  state: ShellState,
): Outcome {
  const after: ShellState[] = [];
  let outcome: Outcome = OPEN;
  for (const body of bodies) {
    const inner = state.clone();
    if (body) outcome = reader.deeper(() => called(body, args, reader, inner));
    after.push(inner);
  }
  const [only, ...others] = after;
  if (!only) {
    reader.facts.unknown("program");
    return OPEN;
  }
  for (const other of others) only.join(other);
  const { positional, locals, returns, loops } = state;
  Object.assign(state, only, { positional, locals, returns, loops });
  return bodies.length === 1 ? outcome : OPEN;
}

function called(
  body: FunctionNode["body"],
  args: readonly Word[],
  reader: Reader,
  state: ShellState,
): Outcome {
  const locals = new Map<string, ReturnType<ShellState["variables"]["get"]>>();
  const returns: ShellState[] = [];
  state.positional = args;
  state.locals = locals;
  state.returns = returns;
  state.loops = [];
  const outcome = reader.node(body, state);
  for (const other of returns) state.join(other);
  for (const [name, before] of locals) {
    if (before) state.variables.set(name, before);
    else state.variables.delete(name);
  }
  return returns.length > 0 ? { output: undefined, ok: false } : outcome;
}
