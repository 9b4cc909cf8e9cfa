import { runName } from "../event/run-name.ts";
import { keysOf, type KeyCount } from "../log/event-keys.ts";
import type { LogSource } from "../log/log-lines.ts";
import { inertJson, shortened, within } from "../event/inert-text.ts";
import { changedFields, type ChangedField } from "./data-fields.ts";
import { EventFilter, values } from "./event-filter.ts";
import { NOTICE } from "./notice.ts";
import { countable, type Question } from "./selection.ts";
import { tally } from "./tally.ts";

/** Room for the list of probes, in bytes. */
const PROBES_BYTES = 15_000;
/** The same for the runs that there are. */
const RUNS_BYTES = 1_000;
const MOST_PROBES = 200;
const MOST_FIELDS = 8;
const MOST_NAME = 120;

/** A place of the code, or a message, in two runs. */
interface Row {
  readonly probe: string;
  readonly hypotheses: readonly string[];
  readonly before: number;
  readonly after: number;
  readonly hit: "both" | "before" | "after";
  readonly changed: readonly ChangedField[];
  readonly moreChanged?: number;
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
  const filter = new EventFilter({ ...countable(question), runId: undefined });
  const named = values(question.runId ?? []).map(runName);
  const names = new Set(named);
  const groupOf = (keys: { readonly run: string; readonly probe: string }): string =>
    JSON.stringify([keys.run, keys.probe]);
  const { counts, samples } = await tally(sources, filter, {
    groupOf,
    keysOf: (event) => keysOf(event, names),
  });
  const [before, after] = runsOf(counts, named);
  const eventsOf = (probe: string, run = "") => samples.get(groupOf({ probe, run })) ?? [];
  const probes = probesOf(counts, before, after);
  const rows = probes.slice(0, MOST_PROBES).map((row) => {
    const changed = changedFields(eventsOf(row.probe, before), eventsOf(row.probe, after));
    return {
      ...row,
      probe: shortened(row.probe, MOST_NAME),
      hypotheses: row.hypotheses.slice(0, 8).map((name) => shortened(name, 40)),
      changed: changed.slice(0, MOST_FIELDS),
      ...(changed.length > MOST_FIELDS && { moreChanged: changed.length - MOST_FIELDS }),
    };
  });
  // What differs is what is asked for.
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
    more: probes.length - shown.length,
  });
}

/** All runs with their events, in the order in which they were first seen. */
function runRows(counts: readonly KeyCount[]): readonly object[] {
  const totals = new Map<string, number>();
  for (const { keys, events } of counts) totals.set(keys.run, (totals.get(keys.run) ?? 0) + events);
  return [...totals].map(([run, events]) => ({ run: shortened(run, MOST_NAME), events }));
}

function runsOf(
  counts: readonly KeyCount[],
  [first, second]: readonly string[],
): readonly [string | undefined, string | undefined] {
  if (second !== undefined) return [first, second];
  const runs = [...new Set(counts.map(({ keys }) => keys.run))];
  if (first !== undefined) return [first, runs.findLast((run) => run !== first)];
  if (runs.includes("pre-fix") || runs.includes("post-fix")) return ["pre-fix", "post-fix"];
  return [runs[0], runs.length > 1 ? runs.at(-1) : undefined];
}

/** Those that only one of the runs has hit first, then those with the most events. */
function probesOf(
  counts: readonly KeyCount[],
  before: string | undefined,
  after: string | undefined,
): readonly Omit<Row, "changed">[] {
  const probes = new Map<string, Omit<Row, "changed" | "hit">>();
  for (const { keys, events } of counts) {
    const { run, probe, hypothesis } = keys;
    if (run !== before && run !== after) continue;
    const known = probes.get(probe) ?? { probe, hypotheses: [], before: 0, after: 0 };
    const isNew = hypothesis !== "" && !known.hypotheses.includes(hypothesis);
    probes.set(probe, {
      probe,
      hypotheses: isNew ? [...known.hypotheses, hypothesis] : known.hypotheses,
      before: known.before + (run === before ? events : 0),
      after: known.after + (run === after ? events : 0),
    });
  }
  const rows = [...probes.values()].map((probe) => ({ ...probe, hit: hitOf(probe) }));
  const total = (row: { before: number; after: number }): number => row.before + row.after;
  return rows.toSorted((a, b) => Number(a.hit === "both") - Number(b.hit === "both") || total(b) - total(a));
}

function hitOf({ before, after }: { readonly before: number; readonly after: number }): Row["hit"] {
  return before === 0 ? "after" : after === 0 ? "before" : "both";
}

function rank({ hit, changed }: Pick<Row, "hit" | "changed">): number {
  return hit === "both" ? (changed.length > 0 ? 1 : 2) : 0;
}
