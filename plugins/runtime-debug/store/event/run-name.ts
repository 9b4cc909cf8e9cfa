const NAMES: ReadonlyMap<string, string> = new Map([
  ["pre", "pre-fix"],
  ["post", "post-fix"],
]);
/** As sessions name runs, with or without a number, and the run of the doctor's events. */
const OWN = /^(?:pre-fix(?:-?\d{1,9})?|post-fix(?:-?\d{1,9})?(?:-kept){0,50}|doctor)$/;

/** The run that a name means: `pre` is `pre-fix`, `post` is `post-fix`, every other stays as it is. */
export function runName(text: string): string {
  return NAMES.get(text) ?? text;
}

/** Whether events that give this name are of that run, whichever is served. */
export function isOwnRun(name: string): boolean {
  return OWN.test(name);
}

/**
 * The run of an event. Public instrumentation writes one name into all of its code, such as `run1`: that tells no runs
 * apart, and such an event is of the run that is served.
 */
export function eventRun(named: unknown, served: string): string {
  const run = typeof named === "string" ? runName(named) : "";
  return isOwnRun(run) ? run : runName(served);
}
