import { inertJson, shortened, within } from "./budget.ts";
import { EventFilter } from "./event-filter.ts";
import { keyCounts, type KeyCount } from "./key-counts.ts";
import type { LogSource } from "./log-source.ts";
import { NOTICE } from "./notice.ts";
import { changes, shapes } from "./probe-data.ts";
import { probeSamples } from "./sample.ts";
import { search } from "./search.ts";
import { asked, type Question } from "./selection.ts";
import { timeOf } from "./times.ts";

/** Room for the lists, in bytes; all of the summary stays under 4,096. */
const COUNTS_BYTES = 1_700;
const SHAPES_BYTES = 550;
const CHANGED_BYTES = 650;
const MOST_PROBES = 64;
const MOST_NAME = 80;

/** What is known of a session beside its log. */
export interface SessionFacts {
  readonly session: string;
  /** The run stamped now. */
  readonly run: string;
  /** Bodies, or parts of them, that were no events. */
  readonly rejected: number;
}

/**
 * What a log holds, in under 4 KB of JSON whatever its size: counts by run, hypothesis and location, the shapes of data
 * and the fields that changed, the latter two out of some events of each probe.
 */
export async function summary(
  sources: readonly LogSource[],
  question: Question,
  facts: SessionFacts,
): Promise<string> {
  const chosen = asked(sources, question);
  const counts = (await keyCounts(chosen, new EventFilter(question))).toSorted((a, b) => b.events - a.events);
  const probes = [...new Set(counts.map(({ keys }) => keys.probe))].slice(0, MOST_PROBES);
  const seen = await probeSamples(chosen, probes);
  const shown = within(counts.map(countRow), COUNTS_BYTES);
  const left = counts.length - shown.length;
  const events = sum(counts, "events");
  return inertJson({
    notice: shortened(NOTICE, 300),
    session: facts.session,
    run: shortened(facts.run, MOST_NAME),
    segments: within(
      chosen.map(({ number }) => number),
      60,
    ),
    events,
    dropped: sum(counts, "dropped"),
    rejected: facts.rejected,
    bytes: chosen.reduce((total, { view }) => total + view.end, 0),
    first: await timeOf(chosen, false),
    last: await timeOf(chosen, true),
    counts: shown,
    ...(left > 0 && { more: `…and ${left} more, ${events - sum(shown, "events")} events` }),
    shapes: within(shapes(probes, seen), SHAPES_BYTES),
    changed: within(changes(probes, seen), CHANGED_BYTES),
  });
}

/** The run of the last event; empty when there is none. */
export async function lastRun(sources: readonly LogSource[]): Promise<string> {
  for (const source of sources.toReversed()) {
    for await (const [place] of search(source, { filter: new EventFilter({}), backwards: true, most: 1 })) {
      return source.view.keys[place?.key ?? -1]?.run ?? "";
    }
  }
  return "";
}

function countRow({ keys, events }: KeyCount): { readonly events: number } {
  const { run, hypothesis, location, probe } = keys;
  const place = location === "" ? { probe } : { location };
  const names = Object.entries({ run, hypothesis, ...place });
  return { ...Object.fromEntries(names.map(([name, text]) => [name, shortened(text, MOST_NAME)])), events };
}

function sum<What extends string>(rows: readonly Readonly<Record<What, number>>[], what: What): number {
  return rows.reduce((total, row) => total + row[what], 0);
}
