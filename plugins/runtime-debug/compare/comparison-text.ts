import type { CompareOutput } from "../contract.ts";
import { framed, shortened, word } from "../store/event/inert-text.ts";

type Facts = Omit<CompareOutput, "text">;
type Row = Facts["probes"][number];

const MOST_TOLD = 30;
const MOST_RUNS = 6;
const MOST_NAME = 40;
const MOST_PLACE = 60;
const MOST_FIELDS = 3;
const MOST_IN_ORDER = 8;
const ORDER_AROUND = 3;

/** The remark on a probe that was not hit in both runs. */
const HITS = { both: "", before: "not hit after", after: "not hit before", none: "never hit" };

/**
 * A comparison for reading: the two runs, then in a frame one line per probe, followed by the fields that changed. All
 * collected text is in the frame.
 * @param otherRuns of the log, in the order in which they began
 */
export function comparisonText(facts: Facts, otherRuns: readonly string[]): string {
  const { probes, after } = facts;
  const shown = withRoom(probes, MOST_TOLD);
  const left = probes.length - shown.length + facts.more;
  const lines = [
    ...runLines(facts, otherRuns),
    ...(shown.length === 0 ? [] : probeTable(shown, after !== null)),
    ...(left > 0 ? [`… and ${left} more; with --json up to 100 are listed.`] : []),
    ...orderLines(facts),
  ];
  return [...missing(facts), framed(lines), ...remarks(facts)].join("\n");
}

/** The number of rows; those of the session's own probes come first. */
export function withRoom(rows: readonly Row[], most: number): Row[] {
  const kept = new Set(rows.toSorted((a, b) => Number(b.declared) - Number(a.declared)).slice(0, most));
  return rows.filter((row) => kept.has(row));
}

/** Remarks on a missing run. */
function missing({ before, after, events, other }: Facts): readonly string[] {
  const none = (run: string, side: "before" | "after", otherwise: string): readonly string[] => {
    if (events[side] > 0) return [];
    return other[side] > 0
      ? [`No event of the run ${short(run)} is evidence for a hypothesis that is listed now.`]
      : [`No evidence has been collected in the run ${short(run)}: ${otherwise}`];
  };
  return [
    ...none(before ?? "", "before", "the bug must be reproduced with probes."),
    ...(after === null
      ? ["There is no run with a fix to compare with yet: fix begins one."]
      : none(after, "after", "the program has reached no probe, or has not run yet.")),
  ];
}

function runLines({ before, after, events, other }: Facts, otherRuns: readonly string[]): readonly string[] {
  const line = (label: string, run: string, side: "before" | "after"): string => {
    const others =
      other[side] === 1 ? "1 other that is" : `${other[side].toLocaleString("en")} others that are`;
    const rest = other[side] > 0 ? `, and ${others} not evidence` : "";
    return `${label} ${short(run)}: ${counted(events[side])}${rest}`;
  };
  const left = otherRuns.length - MOST_RUNS;
  const names = otherRuns.slice(0, MOST_RUNS).map(short).join(" ");
  return [
    line("before", before ?? "", "before"),
    ...(after === null ? [] : [line("after ", after, "after")]),
    ...(otherRuns.length === 0
      ? []
      : [`other runs in the log: ${names}${left > 0 ? ` … and ${left} more` : ""}`]),
  ];
}

/**
 * The order of events in both runs where it differs, starting a few events before the first difference; before a fix,
 * the order in the only run.
 */
function orderLines({ after: run, order: { before, after } }: Facts): readonly string[] {
  if (run !== null && after.length === 0) return [];
  const bare = (one: string | undefined): string | undefined => one?.replace(/ ×\d+$/, "");
  const at = before.findIndex((one, at) => bare(one) !== bare(after[at]));
  // If a run is only longer than the other one, the counts show it.
  const isLonger = run !== null && at >= Math.min(before.length, after.length);
  if (at === -1 || isLonger || before.length < 2) return [];
  const from = Math.max(0, at - ORDER_AROUND);
  const line = (label: string, all: readonly string[]): string => {
    const shown = all.slice(from, from + MOST_IN_ORDER);
    const rest = all.length > from + MOST_IN_ORDER ? " → …" : "";
    return `order ${label} ${from > 0 ? "… → " : ""}${shown.map((one) => shortened(one, MOST_NAME)).join(" → ")}${rest}`;
  };
  return [line("before", before), ...(after.length === 0 ? [] : [line("after ", after)])];
}

function remarks({ after, dropped = 0, hypotheses, probes }: Facts): readonly string[] {
  const silent = hypotheses.filter(({ hit }) => hit === "none").map(({ id }) => id);
  const isMissed = probes.some(({ hit }) => hit === "none" || (after !== null && hit !== "both"));
  return [
    ...(dropped > 0
      ? [`${counted(dropped)} were left out of the log, which was full: the counts do not include them.`]
      : []),
    ...(silent.length > 0 ? [`No event is evidence for ${silent.join(", ")} in these runs.`] : []),
    ...(isMissed
      ? ["A probe without events was not reached, or its events did not arrive: doctor shows which."]
      : []),
  ];
}

/**
 * Probes for reading, in columns of the same width under their names; under each the fields that changed.
 * @param isFixed whether there is a run after the fix
 */
function probeTable(rows: readonly Row[], isFixed: boolean): readonly string[] {
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
  const [names = "", ...lines] = cells.map((row) =>
    row
      .map((text, at) => (at < 2 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  return [
    names,
    ...rows.flatMap((row, at) => [
      [lines[at], remark(row, isFixed)].join("  ").trimEnd(),
      ...fieldLines(row),
    ]),
  ];
}

function remark({ hit, location }: Row, isFixed: boolean): string {
  const said = isFixed || hit === "none" ? HITS[hit] : "";
  const place = location === undefined ? "" : word(shortened(location, MOST_PLACE));
  return [said, place].filter((text) => text !== "").join(", ");
}

function fieldLines({ changed, moreChanged = 0 }: Row): readonly string[] {
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
function short(text: string): string {
  return word(shortened(text, MOST_NAME));
}

/** `1 event`, `1,200 events`. */
function counted(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;
}
