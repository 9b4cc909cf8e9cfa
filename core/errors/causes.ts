import { described, partsOf, textOf } from "./skill-error.ts";

/**
 * The causes of an error with their stacks, outermost first, each once, so that a circle ends; the parts of an
 * AggregateError are causes of it.
 */
export function causesOf(error: Error): readonly string[] {
  const seen = new Set<unknown>([error]);
  const told: string[] = [];
  const open = behind(error);
  while (open.length > 0) {
    const cause = open.pop();
    if (cause === undefined || seen.has(cause)) continue;
    seen.add(cause);
    told.push(withStack(cause));
    if (cause instanceof Error) open.push(...behind(cause));
  }
  return told;
}

/** A thrown value and its causes, each with its stack: for a log alone, since they may hold anything. */
export function traceOf(caught: unknown): readonly string[] {
  const causes = caught instanceof Error ? causesOf(caught) : [];
  return [withStack(caught), ...causes.map((cause) => `caused by ${cause}`)];
}

/** A thrown value, with its stack where it has one. */
function withStack(caught: unknown): string {
  return (caught instanceof Error ? textOf(caught, "stack") : undefined) ?? described(caught);
}

/** The direct causes of an error, the first to be told last. */
function behind(error: Error): unknown[] {
  return [error.cause, ...partsOf(error).toReversed()];
}
