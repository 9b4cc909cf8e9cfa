import { framed } from "../store/event/inert-text.ts";
import { NOTICE } from "../store/read/notice.ts";
import type { ComparisonResult } from "./result.ts";
import { duration, events } from "./duration.ts";
import { probeTable, short } from "./probe-table.ts";
import { withRoom } from "./rows.ts";

const MOST_ROWS = 30;
const MOST_RUNS = 6;

type Facts = Omit<ComparisonResult, "text">;

/** What of the log is in neither run. */
export interface Beside {
  /** All runs of the log in the order in which they began. */
  readonly runs: readonly string[];
  /** Events whose places are not told apart, because there are too many different ones. */
  readonly untold: number;
}

/**
 * A comparison for reading: the two runs, then in a frame one line a probe, with the fields that changed under it. All
 * that was collected is in the frame.
 */
export function comparisonText(facts: Facts, beside: Beside): string {
  const { probes } = facts;
  const shown = withRoom(probes, MOST_ROWS);
  const left = probes.length - shown.length + facts.more;
  const lines = [
    ...runLines(facts, beside),
    ...(shown.length === 0 ? [] : probeTable(shown, facts.after !== null)),
    ...(left > 0 ? [`… and ${left} more; with --json up to 100 are listed.`] : []),
  ];
  return [...said(facts), framed(lines, NOTICE), ...remarks(facts, beside)].join("\n");
}

/** Whether both runs are there. */
function said({ after, events }: Facts): readonly string[] {
  return [
    ...(events.before === 0
      ? ["Nothing has been collected in the run before the fix: the bug has to be reproduced with probes."]
      : []),
    ...(after === null ? ["There is no run with a fix to compare with yet: fix begins one."] : []),
    ...(after !== null && events.after === 0
      ? ["Nothing has been collected in the run after the fix: go the way of the bug again, then compare."]
      : []),
  ];
}

function runLines({ before, after, events: counts, timeline }: Facts, { runs }: Beside): readonly string[] {
  const line = (label: string, run: string | null, count: number): string => {
    const lasts = timeline.find((one) => one.run === run)?.lastsMs ?? 0;
    return `${label} ${short(run ?? "")}: ${events(count)}${count > 1 ? ` in ${duration(lasts)}` : ""}`;
  };
  const others = runs.filter((run) => run !== before && run !== after);
  const names = others.slice(0, MOST_RUNS).map(short).join(" ");
  const left = others.length - MOST_RUNS;
  return [
    line("before", before, counts.before),
    ...(after === null ? [] : [line("after ", after, counts.after)]),
    ...(others.length === 0
      ? []
      : [`other runs in the log: ${names}${left > 0 ? ` … and ${left} more` : ""}`]),
  ];
}

function remarks({ after, dropped = 0, hypotheses, probes }: Facts, { untold }: Beside): readonly string[] {
  const silent = hypotheses.filter(({ hit }) => hit === "none").map(({ id }) => id);
  return [
    ...(dropped > 0 ? [`Of these, ${events(dropped)} were left out of the log, which was full.`] : []),
    ...(untold > 0 ? [`${events(untold)} are not told apart: there are too many different places.`] : []),
    ...(silent.length > 0 ? [`No event names ${silent.join(", ")} in these runs.`] : []),
    ...(probes.some(({ hit }) => hit === "none" || (after !== null && hit !== "both"))
      ? ["A probe that was not hit was not reached, or its events did not arrive: doctor tells which."]
      : []),
  ];
}
