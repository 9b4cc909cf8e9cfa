import { type Runs, type SessionEntry, STEP_FIELDS, type PastStep } from "./entry.ts";
import { type Action, isPossible, type State } from "./steps.ts";

/** The runs of a session that begins. */
export const FIRST_RUNS: Runs = { before: "pre-fix" };

/** The run that events get now. */
export function runOf({ runs }: Pick<SessionEntry, "runs">): string {
  return runs.after ?? runs.before;
}

/** The run that a further fix begins: `post-fix`, then `post-fix-2`; never one of a fix that was taken back. */
export function nextFixRun({ fixes, runs }: Pick<SessionEntry, "fixes" | "runs">): string {
  const named = Math.max(fixes.length, runs.fixRuns ?? 0);
  return named === 0 ? "post-fix" : `post-fix-${named + 1}`;
}

/** The run that a comparison begins with: also after "still there", when another run is judged, the one before any fix. */
export function firstRun({ runs }: Pick<SessionEntry, "runs">): string {
  return runs.first ?? runs.before;
}

/** After "still there": hypotheses are judged by the run with the fix from now on. */
export function judgedByFix({ runs }: Pick<SessionEntry, "runs">): Runs {
  const { after, ...rest } = runs;
  return { ...rest, before: after ?? rest.before, first: firstRun({ runs }) };
}

/** The runs of a new reproduction, so that events of another one never count for it: `pre-fix-2`. */
export function nextReproduction({ runs }: Pick<SessionEntry, "runs">): Runs {
  const { after: _, ...rest } = runs;
  const reproductions = (runs.reproductions ?? 1) + 1;
  return { ...rest, before: `pre-fix-${reproductions}`, reproductions };
}

/** After "the symptoms have changed": what is reproduced then is another bug, and its comparison begins there. */
export function otherSymptoms(entry: Pick<SessionEntry, "runs">): Runs {
  const { first: _, ...rest } = nextReproduction(entry);
  return rest;
}

/** Runs as they were before a step that is taken back. Those that it has named stay used: no events of theirs count again. */
function runsBefore(former: Runs, { runs, fixes }: Pick<SessionEntry, "runs" | "fixes">): Runs {
  const reproductions = Math.max(former.reproductions ?? 1, runs.reproductions ?? 1);
  const fixRuns = Math.max(former.fixRuns ?? 0, runs.fixRuns ?? 0, fixes.length);
  return {
    ...former,
    ...(reproductions > 1 && { reproductions }),
    ...(fixRuns > 0 && { fixRuns }),
  };
}

/** The runs after code was kept as it has become, or put back: events of other code never count for it. */
export function runsAgain(entry: Pick<SessionEntry, "runs">, why: "kept" | "undone"): Runs {
  const { runs } = entry;
  return runs.after === undefined ? nextReproduction(entry) : { ...runs, after: `${runs.after}-${why}` };
}

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
