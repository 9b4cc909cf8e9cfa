import { described, partsOf, textOf } from "./skill-error.ts";

/**
 * The causes of an error with their stacks, outermost first, each once, so that a cycle ends; the parts of an
 * AggregateError count as its causes.
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

/** A thrown value and its causes, each with its stack: for logs only, since they may contain anything. */
export function traceOf(caught: unknown): readonly string[] {
  const causes = caught instanceof Error ? causesOf(caught) : [];
  return [withStack(caught), ...causes.map((cause) => `caused by ${cause}`)];
}

/** A thrown value, with its stack if it has one. */
function withStack(caught: unknown): string {
  return (caught instanceof Error ? textOf(caught, "stack") : undefined) ?? described(caught);
}

/** The direct causes of an error, in reverse order of their listing. */
function behind(error: Error): unknown[] {
  return [error.cause, ...partsOf(error).toReversed()];
}
