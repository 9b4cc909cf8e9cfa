import type { Action } from "../protocol/edges.ts";
import { isPossible } from "../protocol/machine.ts";
import type { State } from "../protocol/steps.ts";
import { STEP_FIELDS, type PastStep, type SessionEntry } from "./entry.ts";
import { runsBefore } from "./rounds.ts";

/** So many steps can be taken back, one after the other. */
const MOST_STEPS = 10;
/** What the user has said, and what was concluded. Behind anything else code or probes are no more what they were. */
const TAKEN_BACK = /^(?:answer|judge|fix|verify)\b/;

/** The steps that can be taken back after another one. */
export function pastAfter(action: Action, before: SessionEntry, after: SessionEntry): readonly PastStep[] {
  if (!TAKEN_BACK.test(action)) return [];
  const changed = STEP_FIELDS.filter((name) => before[name] !== after[name]);
  const past = before.past ?? [];
  if (changed.length === 0) return past;
  const former = Object.fromEntries(changed.map((name) => [name, before[name] ?? null]));
  return [...past, { action, former }].slice(-MOST_STEPS);
}

/** A session as it was before its last step; `undefined` where none can be taken back. What was said stays said. */
export function entryBefore(
  entry: SessionEntry,
): { readonly entry: SessionEntry; readonly action: string } | undefined {
  const { past = [], ...now } = entry;
  const last = past.at(-1);
  if (!last) return undefined;
  const gone = new Set(Object.keys(last.former));
  const kept = Object.fromEntries(Object.entries(now).filter(([name]) => !gone.has(name)));
  const former = Object.fromEntries(Object.entries(last.former).filter(([, value]) => value !== null));
  const before = { ...kept, ...former, past: past.slice(0, -1) } as unknown as SessionEntry;
  return {
    entry: {
      ...before,
      runs: runsBefore(before.runs, entry),
      iterations: [...entry.iterations, `Taken back: ${last.action}`],
    },
    action: last.action,
  };
}

/** What to type where the last step may have been wrong; `undefined` where none can be taken back. */
export function backLine({ id, past = [] }: Pick<SessionEntry, "id" | "past">): string | undefined {
  const last = past.at(-1);
  return last && `If \`${last.action}\` was wrong, take it back: skillctl run runtime-debug back ${id}`;
}

/** The same for an action that is refused now, where it was possible before one of the past steps. */
export function backFor(action: Action, entry: SessionEntry): string | undefined {
  const { id, past = [] } = entry;
  let { state }: { state: State } = entry;
  for (const [count, step] of past.toReversed().entries()) {
    state = step.former.state ?? state;
    if (!isPossible(state, action)) continue;
    const times = count === 0 ? "" : `, ${count + 1} times`;
    return `If \`${step.action}\` was wrong, take it back${times}: skillctl run runtime-debug back ${id}`;
  }
  return undefined;
}
