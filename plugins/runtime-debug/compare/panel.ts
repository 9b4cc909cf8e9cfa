import type { ProbeRow } from "./rows.ts";
import { element } from "./xml.ts";

/** Height of the bars, in pixels. */
export const BARS = 30;
const LEAST = 2;

/** Where the bars of a run stand. */
export interface Panel {
  readonly side: "before" | "after";
  readonly x: number;
  readonly width: number;
}

export const PANELS: readonly [Panel, Panel] = [
  { side: "before", x: 300, width: 250 },
  { side: "after", x: 630, width: 250 },
];

/** The bars of one probe in one run, and how many events that is. Both runs of a probe have one scale. */
export function bars(row: ProbeRow, { side, x, width }: Panel, y: number, isRun: boolean): string {
  const counts = row.counts[side];
  const foot = y + BARS;
  const events = row[side];
  const label = element(
    "text",
    { class: events > 0 ? `strong ${side}` : "soft", x: x + width + 8, y: foot },
    events > 0 ? events.toLocaleString("en") : isRun ? "not hit" : "–",
  );
  const line = { x1: x, y1: foot + 0.5, x2: x + width, y2: foot + 0.5 };
  if (events === 0) return element("line", { ...line, class: "none" }) + label;
  const most = Math.max(1, ...row.counts.before, ...row.counts.after);
  const step = width / counts.length;
  // A bar is no wider than it can be compared with the others.
  const wide = Math.min(Math.max(1, step - 1), 14);
  const shapes = counts.flatMap((count, at) => {
    if (count === 0) return [];
    const height = Math.max(LEAST, (count / most) * BARS);
    return [element("rect", { x: x + at * step, y: foot - height, width: wide, height, rx: 1 })];
  });
  return element("line", { ...line, class: "axis" }) + element("g", { class: side }, ...shapes) + label;
}
