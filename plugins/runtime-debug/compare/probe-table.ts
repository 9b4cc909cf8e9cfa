import { shortened } from "../store/read/budget.ts";
import { word } from "../store/read/event-text.ts";
import type { ProbeRow } from "./rows.ts";

const MOST_NAME = 40;
const MOST_PLACE = 60;
const MOST_FIELDS = 3;

/** What a row says of a probe that not both runs have hit. */
const HITS = { both: "", before: "not hit after", after: "not hit before", none: "never hit" };

/**
 * Probes for reading, in columns of the same width under their names; under each the fields that changed.
 * @param isFixed whether there is a run after the fix
 */
export function probeTable(rows: readonly ProbeRow[], isFixed: boolean): readonly string[] {
  const cells = [
    ["", "probe", "before", ...(isFixed ? ["after"] : [])],
    ...rows.map(({ hypothesis, probe, before, after }) => [
      word(shortened(hypothesis, MOST_NAME)),
      short(probe),
      String(before),
      ...(isFixed ? [String(after)] : []),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((text, column) =>
        column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  const [names = "", ...counts] = lines;
  return [
    names,
    ...rows.flatMap((row, at) => [
      [counts[at], remark(row, isFixed)].join("  ").trimEnd(),
      ...fieldLines(row),
    ]),
  ];
}

function remark({ hit, location }: ProbeRow, isFixed: boolean): string {
  const said = isFixed || hit === "none" ? HITS[hit] : "";
  const place = location === undefined ? "" : word(shortened(location, MOST_PLACE));
  return [said, place].filter((text) => text !== "").join(", ");
}

function fieldLines({ changed, moreChanged = 0 }: ProbeRow): readonly string[] {
  const shown = changed.slice(0, MOST_FIELDS);
  const left = changed.length - shown.length + moreChanged;
  return [
    ...shown.map(({ field, before, after }) => `     ${short(field)}: ${values(before)} → ${values(after)}`),
    ...(left > 0 ? [`     … and ${left} more fields with other values`] : []),
  ];
}

function values(list: readonly string[]): string {
  return list.length === 0 ? "-" : list.join(", ");
}

/** A name as one word, or as JSON, at most 40 characters of it. */
export function short(text: string): string {
  return word(shortened(text, MOST_NAME));
}
