import type { CompareOutput } from "../contract.ts";
import type { SessionEntry } from "../session/entry.ts";
import { unfitReader } from "../session/unfit.ts";
import { OTHER, keysOf, type EventKeys, type KeyCount } from "../store/log/event-keys.ts";
import type { LogSource } from "../store/log/log-lines.ts";
import { EventFilter, hypothesisNames } from "../store/read/event-filter.ts";
import { tally } from "../store/read/tally.ts";
import { groupsIn, hitOf, sideOf, type TwoRuns } from "../store/read/run-groups.ts";
import {
  OTHER_EVENTS,
  groupName,
  inertRow,
  probeRows,
  withRoom,
  type Group,
  type SeenGroup,
} from "./rows.ts";
import { comparisonText, type Beside } from "./text.ts";

/** So many places are looked at. */
const MOST_GROUPS = 200;
const MOST_ROWS = 100;
const EVERYTHING = new EventFilter({});

/**
 * Holds two runs against each other: how often each probe was hit in each, and which of its data differ. Values
 * come out of the first and last 8 events of each probe and run.
 * Events that are no evidence are rows of their own, and count for no hypothesis.
 * @param sources all segments of the session's log, since runs lie in different ones
 */
export async function compared(
  sources: readonly LogSource[],
  entry: SessionEntry,
  runs: TwoRuns,
): Promise<CompareOutput> {
  const unfitOf = unfitReader(entry);
  const { counts, samples } = await tally(sources, EVERYTHING, {
    groupOf: (keys) => `${sideOf(keys, runs)}${groupName(keys)}`,
    keysOf: (event) => (unfitOf(event) === undefined ? keysOf(event) : asOther(keysOf(event))),
  });
  const listed = new Set(entry.hypotheses.map(({ id }) => id));
  const isListed = ({ hypothesis }: EventKeys): boolean =>
    [...hypothesisNames(hypothesis)].some((name) => listed.has(name));
  // Of what was left out of a full log only the keys are known.
  const told = counts.map((row) => (isListed(row.keys) ? row : { ...row, keys: asOther(row.keys) }));
  const all = groupsIn(told, runs, groupName).map((group): Group => {
    const [hypothesis = ""] = group.hypotheses;
    return { ...group, hypothesis };
  });
  const seen = all.slice(0, MOST_GROUPS).map((group): SeenGroup => ({
    group,
    before: samples.get(`0${groupName(group)}`) ?? [],
    after: samples.get(`1${groupName(group)}`) ?? [],
  }));
  const rows = probeRows(seen, entry.probes);
  const evidence = all.filter(({ hypothesis }) => hypothesis !== OTHER_EVENTS);
  const events = { before: sum(evidence, "before"), after: sum(evidence, "after") };
  const other = { before: sum(all, "before") - events.before, after: sum(all, "after") - events.after };
  const dropped = sum(all, "dropped");
  const result = {
    session: entry.id,
    before: runs.before ?? null,
    after: runs.after ?? null,
    events,
    other,
    ...(dropped > 0 && { dropped }),
    probes: [...withRoom(rows, MOST_ROWS)],
    more: Math.max(0, rows.length - MOST_ROWS) + all.length - seen.length,
    hypotheses: entry.hypotheses.map(({ id, text, verdict }) => {
      const named = evidence.filter(({ hypothesis }) => hypothesisNames(hypothesis).has(id));
      const [before, after] = [sum(named, "before"), sum(named, "after")];
      return { id, text, verdict, before, after, hit: hitOf(before, after) };
    }),
  };
  const text = comparisonText(result, besideIn(counts));
  return { ...result, probes: result.probes.map(inertRow), text };
}

function asOther(keys: EventKeys): EventKeys {
  return { ...keys, hypothesis: OTHER_EVENTS };
}

function besideIn(counts: readonly KeyCount[]): Beside {
  const runs = new Set(counts.map(({ keys }) => keys.run));
  const untold = counts.filter(({ keys }) => keys.run === OTHER.run && keys.probe === OTHER.probe);
  return {
    runs: [...runs].filter((run) => run !== ""),
    untold: untold.reduce((total, { events }) => total + events, 0),
  };
}

function sum(groups: readonly Group[], what: "before" | "after" | "dropped"): number {
  return groups.reduce((total, group) => total + group[what], 0);
}
