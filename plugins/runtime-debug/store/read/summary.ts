import { objectOf } from "../log/line-text.ts";
import { inertJson, shortened, within } from "./budget.ts";
import { changes, shapes } from "./data-fields.ts";
import { EventFilter } from "./event-filter.ts";
import { keyCounts, type KeyCount } from "./key-counts.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";
import { NOTICE } from "./notice.ts";
import { probeSamples } from "./sample.ts";
import { search } from "./search.ts";
import { asked, countable, type Question } from "./selection.ts";

/** Room for the lists, in bytes; all of the summary stays under 4,096. */
const HYPOTHESES_BYTES = 300;
const COUNTS_BYTES = 1_400;
const SHAPES_BYTES = 550;
const CHANGED_BYTES = 650;
const MOST_PROBES = 64;
const MOST_NAME = 80;
/** The last millisecond that a date can name. */
const LAST_MS = 8.64e15;

/** What is known of a session beside its log. */
export interface SessionFacts {
  readonly session: string;
  /** The run stamped now. */
  readonly run: string;
  /** Bodies, or parts of them, that were no events. */
  readonly rejected: number;
}

/**
 * What a log holds, in under 4 KB of JSON whatever its size: counts by hypothesis, counts by run, hypothesis and
 * location, the shapes of data and the fields that changed, the latter two out of some events of each probe.
 */
export async function summary(
  sources: readonly LogSource[],
  question: Question,
  facts: SessionFacts,
): Promise<string> {
  const chosen = asked(sources, question);
  const filter = countable(question);
  const counts = (await keyCounts(chosen, filter)).toSorted((a, b) => b.events - a.events);
  const probes = [...new Set(counts.map(({ keys }) => keys.probe))].slice(0, MOST_PROBES);
  const seen = await probeSamples(chosen, probes, filter);
  const shown = within(countRows(counts), COUNTS_BYTES);
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
    // Of what was left out only the keys are known.
    dropped: filter.byKeyOnly ? sum(counts, "dropped") : null,
    rejected: facts.rejected,
    ...(filter.fitsAll && { bytes: chosen.reduce((total, { view }) => total + view.end, 0) }),
    first: await timeOf(chosen, filter, false),
    last: await timeOf(chosen, filter, true),
    hypotheses: within(hypothesisRows(counts), HYPOTHESES_BYTES),
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

interface CountRow {
  readonly run: string;
  readonly hypothesis: string;
  /** The one, or where there is none the other. */
  readonly location?: string;
  readonly probe?: string;
  readonly events: number;
}

/** One after the other: of thousands a few have room. */
function* countRows(counts: readonly KeyCount[]): Generator<CountRow> {
  for (const { keys, events } of counts) {
    const { run, hypothesis, location, probe } = keys;
    const place =
      location === "" ? { probe: shortened(probe, MOST_NAME) } : { location: shortened(location, MOST_NAME) };
    yield { run: shortened(run, MOST_NAME), hypothesis: shortened(hypothesis, MOST_NAME), ...place, events };
  }
}

/** All events of each hypothesis, the commonest first; lists as they were sent. */
function* hypothesisRows(counts: readonly KeyCount[]): Generator<object> {
  const totals = new Map<string, number>();
  for (const { keys, events } of counts)
    totals.set(keys.hypothesis, (totals.get(keys.hypothesis) ?? 0) + events);
  for (const [hypothesis, events] of [...totals].toSorted((a, b) => b[1] - a[1]))
    yield { hypothesis: shortened(hypothesis, MOST_NAME), events };
}

function sum<What extends string>(rows: readonly Readonly<Record<What, number>>[], what: What): number {
  return rows.reduce((total, row) => total + row[what], 0);
}

/** When the first or the last event that fits was received, or says it was, as ISO 8601; null when none does. */
async function timeOf(
  sources: readonly LogSource[],
  filter: EventFilter,
  isLast: boolean,
): Promise<string | null> {
  for (const source of isLast ? sources.toReversed() : sources) {
    for await (const places of search(source, { filter, backwards: isLast, most: 1 })) {
      for await (const [line = ""] of linesAt(source.reader, places)) {
        const { _at: at, ts } = objectOf(line) ?? {};
        const time = typeof at === "number" ? at : ts;
        return typeof time === "number" && Math.abs(time) <= LAST_MS ? new Date(time).toISOString() : null;
      }
    }
  }
  return null;
}
