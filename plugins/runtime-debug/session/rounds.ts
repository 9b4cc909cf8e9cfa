import type { Runs, SessionEntry } from "./entry.ts";

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
export function runsBefore(former: Runs, { runs, fixes }: Pick<SessionEntry, "runs" | "fixes">): Runs {
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
