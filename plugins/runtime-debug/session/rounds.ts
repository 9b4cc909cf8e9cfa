import { STEP_FIELDS, type PastStep, type Runs, type SessionEntry } from "./entry.ts";
import { isPossible, type Action } from "./steps.ts";

type Running = Pick<SessionEntry, "runs" | "runNames">;

/** The run of new events. */
export function runOf({ runs }: Pick<SessionEntry, "runs">): string {
  return runs.after ?? runs.before;
}

/**
 * The run that a comparison begins with: the one whose lines confirm the cause; before that, the one that hypotheses
 * are judged by.
 */
export function citedRun({ hypotheses, runs }: Pick<SessionEntry, "hypotheses" | "runs">): string {
  const cited = hypotheses.flatMap(({ verdict, run }) => (verdict === "confirmed" && run ? [run] : []));
  return cited.includes(runs.before) ? runs.before : (cited.at(-1) ?? runs.before);
}

/** All runs that a session has begun, also by steps that were undone: their names are not reused. */
export function runNamesOf({ runs, runNames = [] }: Running): readonly string[] {
  const own = [runs.before, runs.after].filter((name) => name !== undefined);
  return [...new Set([...runNames, ...own])];
}

function unusedRun(entry: Running, kind: "pre-fix" | "post-fix"): string {
  const used = runNamesOf(entry);
  for (let number = 1, name: string = kind; ; number += 1, name = `${kind}-${number}`)
    if (!used.includes(name)) return name;
}

/** The run that a further fix begins: `post-fix`, then `post-fix-2`. */
export function nextFixRun(entry: Running): string {
  return unusedRun(entry, "post-fix");
}

/** After "still there": from now on, hypotheses are judged by the run with the fix. */
export function judgedByFix({ runs }: Pick<SessionEntry, "runs">): Runs {
  return { before: runOf({ runs }) };
}

/** The run of a new reproduction, so that events of another one never count for it: `pre-fix-2`. */
export function nextReproduction(entry: Running): Runs {
  return { before: unusedRun(entry, "pre-fix") };
}

/** The runs after changed code was kept or restored: events of other code never count for them. */
export function runsAgain(entry: Running): Runs {
  const { runs } = entry;
  return runs.after === undefined ? nextReproduction(entry) : { ...runs, after: nextFixRun(entry) };
}

/** The number of steps that can be undone, one after another. */
const MOST_STEPS = 10;
/** The answers of the user, and conclusions. Other steps have changed code or probes. */
const TAKEN_BACK = /^(?:answer|judge|fix|verify)\b/;

/** The steps that can be undone after another one. */
export function pastAfter(action: Action, before: SessionEntry, after: SessionEntry): readonly PastStep[] {
  if (!TAKEN_BACK.test(action)) return [];
  const changed = STEP_FIELDS.filter((name) => before[name] !== after[name]);
  const past = before.past ?? [];
  if (changed.length === 0) return past;
  const former = Object.fromEntries(changed.map((name) => [name, before[name] ?? null]));
  return [...past, { action, former }].slice(-MOST_STEPS);
}

/** A session in its state before the last step, with its present record; `undefined` if no step can be undone. */
export function entryBefore(
  entry: SessionEntry,
): { readonly entry: SessionEntry; readonly action: string } | undefined {
  const { past = [], ...now } = entry;
  const last = past.at(-1);
  if (!last) return undefined;
  const { action, former } = last;
  const before = Object.entries({ ...now, ...former }).filter(([, value]) => value !== null);
  const iterations = [...entry.iterations, `Taken back: ${action}`];
  const restored = { ...Object.fromEntries(before), past: past.slice(0, -1), iterations };
  return { entry: restored as unknown as SessionEntry, action };
}

/**
 * The command that undoes a wrong last step, or all steps taken since a refused action was last possible; `undefined`
 * if no step can be undone.
 */
export function backLine(entry: SessionEntry, action?: Action | "reproduce"): string | undefined {
  let { state } = entry;
  for (const [count, step] of (entry.past ?? []).toReversed().entries()) {
    state = step.former.state ?? state;
    if (action !== undefined && !isPossible(state, action)) continue;
    const times = count === 0 ? "" : `, ${count + 1} times`;
    return `If \`${step.action}\` was wrong, take it back${times}: skillctl run runtime-debug back ${entry.id}`;
  }
  return undefined;
}
