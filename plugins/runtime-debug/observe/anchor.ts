import type { SetProbe } from "../session/entry.ts";

/** An observation point with the statement that it belongs to, so that it can be set again. */
export type ObservedSpec = NonNullable<SetProbe["observed"]>;

/** A line of a file without its indentation, and those around it, blank ones left out. */
export function anchorOf(text: string, line: number): ObservedSpec["anchor"] {
  const lines = text.split("\n").map((one) => one.trim());
  const isSaid = (one: string): boolean => one !== "";
  return {
    before: lines.slice(0, line - 1).findLast(isSaid) ?? "",
    line: lines[line - 1] ?? "",
    after: lines.slice(line).find(isSaid) ?? "",
  };
}

/**
 * The present line of a point's statement: among several lines with that text the one between the same lines, then the
 * nearest; `undefined` without one.
 */
export function anchoredLine(
  text: string,
  wanted: ObservedSpec["anchor"],
  formerLine: number,
): number | undefined {
  const found = text.split("\n").flatMap((one, index) => {
    if (one.trim() !== wanted.line) return [];
    const { before, after } = anchorOf(text, index + 1);
    const same = Number(before === wanted.before) + Number(after === wanted.after);
    return [{ line: index + 1, same, far: Math.abs(index + 1 - formerLine) }];
  });
  return found.toSorted((one, other) => other.same - one.same || one.far - other.far)[0]?.line;
}
