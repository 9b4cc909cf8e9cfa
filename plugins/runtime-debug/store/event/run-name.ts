const NAMES: ReadonlyMap<string, string> = new Map([
  ["pre", "pre-fix"],
  ["post", "post-fix"],
]);
/** The names that sessions give to runs, with or without a number, and the run of the doctor's events. */
const OWN = /^(?:pre-fix(?:-?\d{1,9})?|post-fix(?:-?\d{1,9})?(?:-kept){0,50}|doctor)$/;

/** The run for a name: `pre` is `pre-fix`, `post` is `post-fix`, other names are unchanged. */
export function runName(text: string): string {
  return NAMES.get(text) ?? text;
}

/** Whether events with this name belong to that run, regardless of the served run. */
export function isOwnRun(name: string): boolean {
  return OWN.test(name);
}

/**
 * The run of an event. Public instrumentation uses one name in all of its code, such as `run1`, which does not
 * distinguish runs: such an event belongs to the current run.
 */
export function eventRun(named: unknown, served: string): string {
  const run = typeof named === "string" ? runName(named) : "";
  return isOwnRun(run) ? run : runName(served);
}
