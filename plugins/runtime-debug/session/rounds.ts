import type { Runs, SessionEntry } from "./entry.ts";

/** The runs of a session that begins. */
export const FIRST_RUNS: Runs = { before: "pre-fix" };

/** The run that events get now. */
export function runOf({ runs }: Pick<SessionEntry, "runs">): string {
  return runs.after ?? runs.before;
}

/** The run that a further fix begins: `post-fix`, then `post-fix-2`. */
export function nextFixRun({ fixes }: Pick<SessionEntry, "fixes">): string {
  return fixes.length === 0 ? "post-fix" : `post-fix-${fixes.length + 1}`;
}

/** After "still there": hypotheses are judged by the run with the fix from now on. */
export function judgedByFix({ runs: { after, ...rest } }: Pick<SessionEntry, "runs">): Runs {
  return { ...rest, before: after ?? rest.before };
}

/** The runs of a new reproduction, so that events of another one never count for it: `pre-fix-2`. */
export function nextReproduction({ runs }: Pick<SessionEntry, "runs">): Runs {
  const reproductions = (runs.reproductions ?? 1) + 1;
  return { before: `pre-fix-${reproductions}`, reproductions };
}

/** The runs after code was kept as it has become: events of the code before never count for it. */
export function afterKeep(entry: Pick<SessionEntry, "runs">): Runs {
  const { runs } = entry;
  return runs.after === undefined ? nextReproduction(entry) : { ...runs, after: `${runs.after}-kept` };
}
