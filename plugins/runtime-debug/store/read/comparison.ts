import { runName } from "../event/run-name.ts";
import { keysOf, type KeyCount } from "../log/event-keys.ts";
import type { LogSource } from "../log/log-lines.ts";
import { inertJson, shortened, within } from "../event/inert-text.ts";
import { changedFields, type ChangedField } from "./data-fields.ts";
import { EventFilter, values } from "./event-filter.ts";
import { NOTICE } from "./notice.ts";
import { groupsIn, hitOf, type Hit, type TwoRuns } from "./run-groups.ts";
import { countable, type Question } from "./selection.ts";
import { tally } from "./tally.ts";

/** Room for the list of probes, in bytes. */
const PROBES_BYTES = 15_000;
/** The same for the runs that there are. */
const RUNS_BYTES = 1_000;
const MOST_PROBES = 200;
const MOST_FIELDS = 8;
const MOST_NAME = 120;

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
  const filter = new EventFilter({ ...countable(question), runId: undefined });
  const named = values(question.runId ?? []).map(runName);
  const names = new Set(named);
  const groupOf = (keys: { readonly run: string; readonly probe: string }): string =>
    JSON.stringify([keys.run, keys.probe]);
  const { counts, samples } = await tally(sources, filter, {
    groupOf,
    keysOf: (event) => keysOf(event, names),
  });
  const runs = runsOf(counts, named);
  const { before, after } = runs;
  const eventsOf = (probe: string, run = "") => samples.get(groupOf({ probe, run })) ?? [];
  const groups = groupsIn(counts, runs, ({ probe }) => probe);
  const rows = groups.slice(0, MOST_PROBES).map((group) => {
    const changed = changedFields(eventsOf(group.probe, before), eventsOf(group.probe, after));
    return {
      probe: shortened(group.probe, MOST_NAME),
      hypotheses: group.hypotheses.slice(0, 8).map((name) => shortened(name, 40)),
      before: group.before,
      after: group.after,
      hit: hitOf(group.before, group.after),
      changed: changed.slice(0, MOST_FIELDS),
      ...(changed.length > MOST_FIELDS && { moreChanged: changed.length - MOST_FIELDS }),
    };
  });
  const shown = within(
    rows.toSorted((a, b) => rank(a) - rank(b)),
    PROBES_BYTES,
  );
  return inertJson({
    notice: shortened(NOTICE, 300),
    session,
    before: before === undefined ? null : shortened(before, MOST_NAME),
    after: after === undefined ? null : shortened(after, MOST_NAME),
    runs: within(runRows(counts), RUNS_BYTES),
    probes: shown,
    more: groups.length - shown.length,
  });
}

/** All runs with their events, in the order in which they were first seen. */
function runRows(counts: readonly KeyCount[]): readonly object[] {
  const totals = new Map<string, number>();
  for (const { keys, events } of counts) totals.set(keys.run, (totals.get(keys.run) ?? 0) + events);
  return [...totals].map(([run, events]) => ({ run: shortened(run, MOST_NAME), events }));
}

function runsOf(counts: readonly KeyCount[], [first, second]: readonly string[]): TwoRuns {
  if (second !== undefined) return { before: first, after: second };
  const runs = [...new Set(counts.map(({ keys }) => keys.run))];
  if (first !== undefined) return { before: first, after: runs.findLast((run) => run !== first) };
  if (runs.includes("pre-fix") || runs.includes("post-fix")) return { before: "pre-fix", after: "post-fix" };
  return { before: runs[0], after: runs.length > 1 ? runs.at(-1) : undefined };
}

/** What differs is what is asked for. */
function rank({ hit, changed }: { readonly hit: Hit; readonly changed: readonly ChangedField[] }): number {
  return hit === "both" ? (changed.length > 0 ? 1 : 2) : 0;
}
