import type { CompareOutput } from "../contract.ts";
import { OTHER, type EventKeys } from "../store/log/line-facts.ts";
import { EventFilter } from "../store/read/event-filter.ts";
import { hypothesisNames } from "../store/read/hypothesis-names.ts";
import { keyCounts, type KeyCount } from "../store/read/key-counts.ts";
import type { LogSource } from "../store/read/log-source.ts";
import { samples } from "../store/read/sample.ts";
import type { SessionEntry } from "../session/entry.ts";
import { groupName, groupsIn, sideOf, type Group, type TwoRuns } from "./groups.ts";
import { inertRow } from "./rows.ts";
import type { ComparisonResult } from "./rows.ts";
import { hitOf, probeRows, seenGroups, withRoom } from "./rows.ts";
import { slotsOf } from "./timeline.ts";
import { comparisonText, type Beside } from "./text.ts";
import { timelineOf, type RunTime } from "./timeline.ts";

/** So many places are looked at. */
const MOST_GROUPS = 200;
const MOST_ROWS = 100;
const EVERYTHING = new EventFilter({});

/**
 * Holds two runs against each other: how often each probe was hit in each, when, and which of its data differ. Counts are
 * those of the index, values come out of the first and last 8 events of each probe and run.
 * @param sources all segments of the session's log, since runs lie in different ones
 */
export async function compared(
  sources: readonly LogSource[],
  entry: SessionEntry,
  runs: TwoRuns,
): Promise<ComparisonResult> {
  const counts = await keyCounts(sources, EVERYTHING);
  const all = groupsIn(counts, runs);
  const groups = all.slice(0, MOST_GROUPS);
  const codeOf = coding(groups, runs);
  const totals = liveTotals(counts, runs);
  const slots = await slotsOf(sources, { groups: groups.length + 1, totals, codeOf });
  const timeline = timelineOf(slots, groups.length + 1);
  const events = await samples(sources, {
    filter: EVERYTHING,
    groups: groups.length * 2,
    groupOf: (keys) => (codeOf(keys) >= groups.length * 2 ? -1 : codeOf(keys)),
  });
  const seen = seenGroups(groups, events, timeline);
  const rows = probeRows(seen, entry.probes, timeline.runs[0].all.length);
  const before = sum(all, "before");
  const after = sum(all, "after");
  const dropped = sum(all, "dropped");
  const result = {
    session: entry.id,
    before: runs.before,
    after: runs.after ?? null,
    events: { before, after },
    ...(dropped > 0 && { dropped }),
    probes: [...withRoom(rows, MOST_ROWS)],
    more: Math.max(0, rows.length - MOST_ROWS) + all.length - groups.length,
    hypotheses: entry.hypotheses.map(({ id, text, verdict }) => {
      const named = all.filter(({ hypothesis }) => hypothesisNames(hypothesis).has(id));
      const [before, after] = [sum(named, "before"), sum(named, "after")];
      return { id, text, verdict, before, after, hit: hitOf(before, after) };
    }),
    timeline: [
      ...(before > 0 ? [timeRow(runs.before, timeline.runs[0], timeline.pieceMs)] : []),
      ...(after > 0 ? [timeRow(runs.after ?? "", timeline.runs[1], timeline.pieceMs)] : []),
    ],
  };
  const text = comparisonText(result, besideIn(counts));
  return { ...result, probes: result.probes.map(inertRow), text };
}

/** Twice the number of a key's group, and one more in the run after; those without a group share one. */
function coding(groups: readonly Group[], runs: TwoRuns): (keys: EventKeys) => number {
  const numbers = new Map(groups.map((group, number) => [groupName(group), number]));
  return (keys) => {
    const side = sideOf(keys, runs);
    return side === -1 ? -1 : (numbers.get(groupName(keys)) ?? groups.length) * 2 + side;
  };
}

/** Events of each run that are still in the log. */
function liveTotals(counts: readonly KeyCount[], runs: TwoRuns): [number, number] {
  const totals: [number, number] = [0, 0];
  for (const { keys, events, dropped } of counts) {
    const side = sideOf(keys, runs);
    if (side !== -1) totals[side] += events - dropped;
  }
  return totals;
}

function besideIn(counts: readonly KeyCount[]): Beside {
  const inOrder = counts.toSorted((a, b) => a.firstSeq - b.firstSeq);
  const runs = new Set(inOrder.map(({ keys }) => keys.run));
  const untold = counts.filter(({ keys }) => keys.run === OTHER.run && keys.probe === OTHER.probe);
  return {
    runs: [...runs].filter((run) => run !== ""),
    untold: untold.reduce((total, { events }) => total + events, 0),
  };
}

function timeRow(run: string, time: RunTime, pieceMs: number): CompareOutput["timeline"][number] {
  return {
    run,
    from: time.from === undefined ? null : new Date(time.from).toISOString(),
    lastsMs: Math.min(Math.round(time.lastsMs), Number.MAX_SAFE_INTEGER),
    pieceMs,
    counts: [...time.all],
  };
}

function sum(groups: readonly Group[], what: "before" | "after" | "dropped"): number {
  return groups.reduce((total, group) => total + group[what], 0);
}
