import { EDGES, MISSING, type Action, type Edge, type Fact, type Outcome } from "./edges.ts";
import { STEPS, type State } from "./steps.ts";

/** A step that was taken, or why it was not. */
export type Taken =
  | { readonly ok: true; readonly state: State; readonly outcome?: Outcome }
  | {
      readonly ok: false;
      readonly sentence: string;
      readonly hint: string;
      /** The fact that does not hold; missing where the action belongs to another step. */
      readonly missing?: Fact;
    };

/**
 * Takes an action in a state, by the table of edges. `holds` says whether a fact is true; it is asked only for what the
 * edge needs. What is refused is refused with the step that is missing.
 */
export function take(state: State, action: Action, holds: (fact: Fact) => boolean): Taken {
  const edges = EDGES.filter((edge) => edge.from === state && edge.action === action);
  const open = edges.find(({ needs = [] }) => needs.every(holds));
  if (open) return { ok: true, state: open.to, ...(open.outcome && { outcome: open.outcome }) };
  const { number, title, next } = STEPS[state];
  const missing = edges.flatMap(({ needs = [] }) => needs).find((fact) => !holds(fact));
  const why = missing ? MISSING[missing] : placeOf(action);
  return {
    ok: false,
    sentence: `"${action}" is not possible now: ${why}. The session is at step ${number} of 11: ${title}.`,
    hint: next,
    ...(missing && { missing }),
  };
}

/** Whether an action belongs to a state, whatever else it needs. */
export function isPossible(state: State, action: Action): boolean {
  return edgesOf(action).some(({ from }) => from === state);
}

const FIX_STATES: ReadonlySet<State> = new Set<State>([
  "fixing",
  "verifying",
  "confirming",
  "cleaning",
  "closed",
]);

/** Whether code may differ from the start: log lines have confirmed a hypothesis. */
export function isFixState(state: State): boolean {
  return FIX_STATES.has(state);
}

function placeOf(action: Action): string {
  const steps = new Set(edgesOf(action).map(({ from }) => STEPS[from].number));
  const numbers = [...steps].sort((one, other) => one - other).join(", ");
  return `it belongs to step ${numbers}`;
}

function edgesOf(action: Action): readonly Edge[] {
  return EDGES.filter((edge) => edge.action === action);
}
