import type { CompareOutput } from "../contract.ts";
import type { SessionEntry } from "../session/entry.ts";
import { unfitReader } from "../session/unfit.ts";
import { runName } from "../store/event/run-name.ts";
import { FileNames, readLog, type ReadPorts } from "../store/log/log-files.ts";
import type { LogSource } from "../store/log/log-lines.ts";
import { EventFilter, hypothesisNames, keysOf } from "../store/read/event-filter.ts";
import { OTHER, tally, type KeyCount } from "../store/read/tally.ts";
import {
  OTHER_EVENTS,
  groupName,
  groupsIn,
  hitOf,
  inertRow,
  probeRows,
  sideOf,
  withRoom,
  type Group,
  type SeenGroup,
  type TwoRuns,
} from "./rows.ts";
import { comparisonText, type Beside } from "./text.ts";

/** So many places are looked at. */
const MOST_GROUPS = 200;
const MOST_ROWS = 100;

/**
 * Holds two runs against each other: how often each probe was hit in each, and which of its data differ. Values
 * come out of the first and last 8 events of each probe and run.
 * Events that are no evidence are rows of their own, and count for no hypothesis.
 * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
 */
export async function compared(
  ports: ReadPorts,
  folder: string,
  entry: SessionEntry,
  { before, after }: TwoRuns,
): Promise<CompareOutput> {
  const runs = { before: runName(before), after: after === undefined ? undefined : runName(after) };
  const result = await readLog(ports, new FileNames(folder, entry.id), ({ sources }) =>
    comparedIn(sources, entry, runs),
  );
  return result ?? comparedIn([], entry, runs);
}

/** @param sources all segments of the session's log, since runs lie in different ones */
async function comparedIn(
  sources: readonly LogSource[],
  entry: SessionEntry,
  runs: TwoRuns,
): Promise<CompareOutput> {
  const unfitOf = unfitReader(entry);
  const { counts, samples, dropped } = await tally(
    sources,
    new EventFilter({}),
    (keys) => `${sideOf(keys, runs)}${groupName(keys)}`,
    (event) =>
      unfitOf(event) === undefined ? keysOf(event) : { ...keysOf(event), hypothesis: OTHER_EVENTS },
  );
  const all = groupsIn(counts, runs);
  const seen = all.slice(0, MOST_GROUPS).map((group): SeenGroup => ({
    group,
    before: samples.get(`0${groupName(group)}`) ?? [],
    after: samples.get(`1${groupName(group)}`) ?? [],
  }));
  const rows = probeRows(seen, entry.probes);
  const evidence = all.filter(({ hypothesis }) => hypothesis !== OTHER_EVENTS);
  const events = { before: sum(evidence, "before"), after: sum(evidence, "after") };
  const other = { before: sum(all, "before") - events.before, after: sum(all, "after") - events.after };
  const result = {
    session: entry.id,
    before: runs.before,
    after: runs.after ?? null,
    events,
    other,
    ...(dropped > 0 && { dropped }),
    probes: [...withRoom(rows, MOST_ROWS)],
    more: Math.max(0, rows.length - MOST_ROWS) + all.length - seen.length,
    hypotheses: entry.hypotheses.map(({ id, text, verdict }) => {
      const named = evidence.filter(({ hypothesis }) => hypothesisNames(hypothesis).has(id));
      const [hitBefore, hitAfter] = [sum(named, "before"), sum(named, "after")];
      return { id, text, verdict, before: hitBefore, after: hitAfter, hit: hitOf(hitBefore, hitAfter) };
    }),
  };
  const text = comparisonText(result, besideIn(counts));
  return { ...result, probes: result.probes.map(inertRow), text };
}

function besideIn(counts: readonly KeyCount[]): Beside {
  const runs = new Set(counts.map(({ keys }) => keys.run));
  const untold = counts.filter(({ keys }) => keys.run === OTHER.run && keys.probe === OTHER.probe);
  return {
    runs: [...runs].filter((run) => run !== ""),
    untold: untold.reduce((total, { events }) => total + events, 0),
  };
}

function sum(groups: readonly Group[], what: "before" | "after"): number {
  return groups.reduce((total, group) => total + group[what], 0);
}
