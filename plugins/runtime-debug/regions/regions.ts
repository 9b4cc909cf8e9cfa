import type { TextLine } from "./lines.ts";
import { markerIn } from "./marker.ts";

/** A region of instrumentation. Lines count from 0; both markers belong to it. */
export interface Region {
  readonly first: number;
  readonly last: number;
  readonly label: string;
}

/** A marker without its other half, or in the middle of a region. */
export interface MarkerFault {
  readonly line: number;
  readonly sentence: string;
}

export interface Found {
  readonly regions: readonly Region[];
  readonly faults: readonly MarkerFault[];
}

interface Open {
  readonly line: number;
  readonly label: string;
  readonly own: boolean;
}

/**
 * The regions of instrumentation in a text, outermost only, in order. Folds of others stay what they are. `isMarker`
 * tells which lines can be markers at all; those in a text that goes over several lines cannot.
 */
export function regionsIn(
  lines: readonly TextLine[],
  isMarker: (line: number) => boolean = () => true,
): Found {
  const open: Open[] = [];
  const regions: Region[] = [];
  const faults: MarkerFault[] = [];
  for (const [line, { text }] of lines.entries()) {
    const marker = markerIn(text);
    if (!marker || !isMarker(line)) continue;
    if (marker.kind === "other") open.push({ line, label: "", own: false });
    else if (marker.kind === "begin") {
      if (open.some(({ own }) => own))
        faults.push({ line, sentence: "A region of instrumentation begins inside another one." });
      open.push({ line, label: marker.label, own: true });
    } else {
      const begun = open.pop();
      if (marker.own && !begun?.own)
        faults.push({ line, sentence: "A region of instrumentation ends that has not begun." });
      else if (marker.own && begun && !fit(begun.label, marker.label))
        faults.push({ line, sentence: `Another region of instrumentation ends than "${begun.label}".` });
      if (begun?.own && !open.some(({ own }) => own))
        regions.push({ first: begun.line, last: line, label: begun.label });
    }
  }
  for (const { line, own } of open)
    if (own) faults.push({ line, sentence: "A region of instrumentation does not end." });
  return { regions, faults: faults.sort((one, other) => one.line - other.line) };
}

/** Labels of one region: people shorten or lengthen the second. */
function fit(begin: string, end: string): boolean {
  const [one, other] = [begin.toLowerCase(), end.toLowerCase()];
  return one.startsWith(other) || other.startsWith(one);
}
