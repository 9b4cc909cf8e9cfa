import type { Word } from "./programs/effects.ts";
import { OPEN, type Outcome } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { UNKNOWN_VARIABLE } from "./variable.ts";

const MOST_VALUES = 50;
const MOST_ROUNDS = 5;

/** A loop over words: once for each when they are known and few. */
export function valuesLoop(
  name: string,
  values: readonly Word[] | undefined,
  body: () => Outcome,
  state: ShellState,
): Outcome {
  if (!values || values.length > MOST_VALUES || values.some(({ text }) => text === undefined)) {
    return loop(() => {
      state.variables.set(name, UNKNOWN_VARIABLE);
      body();
    }, state);
  }
  let output: string | undefined = "";
  const exits: ShellState[] = [];
  for (const { text } of values) {
    state.variables.set(name, { kind: "text", value: { text } });
    const outcome = inLoop(body, state, exits);
    output =
      output === undefined || outcome?.output === undefined || exits.length > 0
        ? undefined
        : output + outcome.output;
  }
  return { output, ok: false };
}

/** A loop of any number of rounds, none included: read until it changes nothing more of what is known. */
export function loop(body: () => void, state: ShellState): Outcome {
  for (let round = 0; ; round++) {
    const before = state.clone();
    inLoop(body, state, []);
    state.join(before);
    if (state.sameAs(before)) return OPEN;
    if (round >= MOST_ROUNDS) state.forget();
  }
}

/** `break` and `continue` lead to the end of the loop, or to its next round. */
function inLoop<T>(body: () => T, state: ShellState, exits: ShellState[]): T {
  const { loops } = state;
  state.loops = [...loops, exits];
  const result = body();
  state.loops = loops;
  for (const exit of exits) state.join(exit);
  return result;
}
