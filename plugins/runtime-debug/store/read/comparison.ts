import type { EventKeys } from "../log/line-facts.ts";
import { runName } from "../event/run-name.ts";
import { inertJson, shortened, within } from "./budget.ts";
import { changedFields } from "./data-fields.ts";
import { values, type EventFilter } from "./event-filter.ts";
import { keyCounts, type KeyCount } from "./key-counts.ts";
import type { LogSource } from "./log-source.ts";
import { NOTICE } from "./notice.ts";
import { samples, type Samples } from "./sample.ts";
import { asked, countable, type Question } from "./selection.ts";

/** Room for the list of probes, in bytes. */
const PROBES_BYTES = 15_000;
/** The same for the runs that there are. */
const RUNS_BYTES = 1_000;
const MOST_PROBES = 200;
const MOST_FIELDS = 8;
const MOST_NAME = 120;

interface Probe {
  readonly probe: string;
  readonly hypotheses: ReadonlySet<string>;
  readonly before: number;
  readonly after: number;
}

/**
 * One run against another, probe by probe: how often it was hit in each, and which fields of data have other values, out
 * of some events of each. Runs are the two that are named, else `pre-fix` and `post-fix`, else the first and the last;
 * `runs` says which there are.
 * @throws SkillError `INPUT_INVALID` as `countable` does
 */
export async function comparison(
  sources: readonly LogSource[],
  question: Question,
  session: string,
): Promise<string> {
  const chosen = asked(sources, { segment: question.segment ?? "all" });
  const filter = countable({ ...question, runId: undefined });
  const counts = await keyCounts(chosen, filter);
  const [before, after] = runsOf(counts, question.runId);
  const probes = probesOf(counts, before, after);
  const looked = probes.slice(0, MOST_PROBES);
  const events = await runSamples(chosen, looked, [before, after], filter);
  const rows = looked.map((probe, at) => row(probe, events[at * 2] ?? [], events[at * 2 + 1] ?? []));
  // What differs is what is asked for.
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
  const shown = within(sorted, PROBES_BYTES);
  return inertJson({
    notice: shortened(NOTICE, 300),
    session,
    before: before === undefined ? null : shortened(before, MOST_NAME),
    after: after === undefined ? null : shortened(after, MOST_NAME),
    runs: within(runRows(counts), RUNS_BYTES),
    probes: shown,
    more: probes.length - shown.length,
  });
}

/** All runs with their events, in the order in which they were first seen. */
function runRows(counts: readonly KeyCount[]): readonly object[] {
  const totals = new Map<string, number>();
  for (const { keys, events } of inOrder(counts)) totals.set(keys.run, (totals.get(keys.run) ?? 0) + events);
  return [...totals].map(([run, events]) => ({ run: shortened(run, MOST_NAME), events }));
}

function inOrder(counts: readonly KeyCount[]): readonly KeyCount[] {
  return counts.toSorted((a, b) => a.firstSeq - b.firstSeq);
}

function runsOf(
  counts: readonly KeyCount[],
  named: readonly string[] | undefined,
): readonly [string | undefined, string | undefined] {
  const [first, second] = values(named ?? []).map(runName);
  if (second !== undefined) return [first, second];
  const runs = [...new Set(inOrder(counts).map(({ keys }) => keys.run))];
  const has = (run: string): boolean => runs.includes(run);
  if (first !== undefined) return [first, runs.findLast((run) => run !== first)];
  if (has("pre-fix") || has("post-fix")) return ["pre-fix", "post-fix"];
  return [runs[0], runs.length > 1 ? runs.at(-1) : undefined];
}

function probesOf(
  counts: readonly KeyCount[],
  before: string | undefined,
  after: string | undefined,
): readonly Probe[] {
  const probes = new Map<string, Probe>();
  for (const { keys, events } of counts) {
    const { run, probe, hypothesis } = keys;
    if (run !== before && run !== after) continue;
    const known = probes.get(probe);
    probes.set(probe, {
      probe,
      hypotheses: new Set([...(known?.hypotheses ?? []), ...(hypothesis === "" ? [] : [hypothesis])]),
      before: (known?.before ?? 0) + (run === before ? events : 0),
      after: (known?.after ?? 0) + (run === after ? events : 0),
    });
  }
  const isMissed = ({ before, after }: Probe): number => (before === 0 || after === 0 ? 0 : 1);
  return [...probes.values()].toSorted((a, b) => isMissed(a) - isMissed(b) || total(b) - total(a));
}

function total({ before, after }: Probe): number {
  return before + after;
}

/** Two groups a probe: the run before, the run after. */
function runSamples(
  sources: readonly LogSource[],
  probes: readonly Probe[],
  runs: readonly (string | undefined)[],
  filter: EventFilter,
): Promise<Samples> {
  const places = new Map(probes.map(({ probe }, at) => [probe, at]));
  const groupOf = ({ probe, run }: EventKeys): number => {
    const at = places.get(probe);
    const side = runs.indexOf(run);
    return at === undefined || side === -1 ? -1 : at * 2 + side;
  };
  return samples(sources, { filter, groups: probes.length * 2, groupOf });
}

interface Row {
  readonly probe: string;
  readonly hypotheses: readonly string[];
  readonly before: number;
  readonly after: number;
  readonly hit: "both" | "before" | "after";
  readonly changed: readonly object[];
  readonly moreChanged?: number;
}

function row(probe: Probe, before: Samples[number], after: Samples[number]): Row {
  const changed = changedFields(before, after);
  return {
    probe: shortened(probe.probe, MOST_NAME),
    hypotheses: [...probe.hypotheses].slice(0, 8).map((name) => shortened(name, 40)),
    before: probe.before,
    after: probe.after,
    hit: probe.before === 0 ? "after" : probe.after === 0 ? "before" : "both",
    changed: changed.slice(0, MOST_FIELDS),
    ...(changed.length > MOST_FIELDS && { moreChanged: changed.length - MOST_FIELDS }),
  };
}

function rank({ hit, changed }: Row): number {
  return hit === "both" ? (changed.length > 0 ? 1 : 2) : 0;
}
