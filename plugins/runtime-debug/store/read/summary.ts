import { linesBackwards, type LogEvent, type LogSource } from "../log/log-lines.ts";
import { NOTICE, shortened, within } from "../event/inert-text.ts";
import { EventFilter, keysOf } from "./event-filter.ts";
import { word } from "./event-text.ts";
import { countable, type Question } from "./selection.ts";
import { tally, type KeyCount } from "./tally.ts";

/** Room for the lists, in bytes; all of the summary stays under 4,096. */
const HYPOTHESES_BYTES = 300;
const COUNTS_BYTES = 2_600;
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

/** What a log holds, in under 4 KB of JSON whatever its size. */
export interface Summary extends SessionFacts {
  readonly notice: string;
  readonly segments: readonly number[];
  /** In the log. */
  readonly events: number;
  /** Left out of it because it was full; null where it is not known how many of these fit. */
  readonly dropped: number | null;
  /** Only without a filter. */
  readonly bytes?: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly hypotheses: readonly HypothesisRow[];
  readonly counts: readonly CountRow[];
  /** What had no room among them. */
  readonly more?: string;
}

interface HypothesisRow {
  readonly hypothesis: string;
  readonly events: number;
}

interface CountRow {
  readonly run: string;
  readonly hypothesis: string;
  /** The one, or where there is none the other. */
  readonly location?: string;
  readonly probe?: string;
  readonly events: number;
}

/**
 * Counts by hypothesis, and by run, hypothesis and location.
 * @throws SkillError `INPUT_INVALID` as `countable` does
 */
export async function summary(
  sources: readonly LogSource[],
  question: Question,
  facts: SessionFacts,
): Promise<Summary> {
  const filter = new EventFilter(countable(question));
  const told = await tally(sources, filter);
  const counts = told.counts.toSorted((a, b) => b.events - a.events);
  const shown = within(countRows(counts), COUNTS_BYTES);
  const left = counts.length - shown.length;
  const events = sum(counts);
  return {
    notice: shortened(NOTICE, 300),
    session: facts.session,
    run: shortened(facts.run, MOST_NAME),
    segments: within(
      sources.map(({ number }) => number),
      60,
    ),
    events,
    dropped: filter.fitsAll || told.dropped === 0 ? told.dropped : null,
    rejected: facts.rejected,
    ...(filter.fitsAll && { bytes: sources.reduce((total, { end }) => total + end, 0) }),
    first: timeOf(told.first),
    last: timeOf(told.last),
    hypotheses: within(hypothesisRows(counts), HYPOTHESES_BYTES),
    counts: shown,
    ...(left > 0 && { more: `…and ${left} more, ${events - sum(shown)} events` }),
  };
}

/** A summary for reading, one line a fact; what was collected is a word or JSON, so that none passes for another. */
export function summaryLines(told: Summary): readonly string[] {
  const { run, events, dropped, rejected, first, last, hypotheses, counts, more } = told;
  const times = first === null ? "" : `, ${first} to ${last ?? "-"}`;
  const beside = [
    ...((dropped ?? 0) > 0 ? [`${dropped} left out because the log was full`] : []),
    ...(rejected > 0 ? [`${rejected} refused`] : []),
  ];
  return [
    `${events} ${events === 1 ? "event" : "events"}${times}; the run is ${word(run)}${beside.map((one) => `; ${one}`).join("")}`,
    ...heading("by hypothesis", hypotheses.length),
    ...hypotheses.map((one) => `  ${word(one.hypothesis)}: ${one.events}`),
    ...heading("by run, hypothesis and place", counts.length),
    ...counts.map(
      (one) => `  ${word(one.run)} ${word(one.hypothesis)} ${word(one.location ?? one.probe)}: ${one.events}`,
    ),
    ...(more === undefined ? [] : [`  ${more}`]),
  ];
}

function heading(name: string, rows: number): readonly string[] {
  return rows === 0 ? [] : [`${name}:`];
}

/** The run of the last event; empty when there is none. */
export async function lastRun(sources: readonly LogSource[]): Promise<string> {
  for (const source of sources.toReversed()) {
    for await (const lines of linesBackwards(source)) {
      const event = lines.find((line) => line.event)?.event;
      if (event) return keysOf(event).run;
    }
  }
  return "";
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
function* hypothesisRows(counts: readonly KeyCount[]): Generator<HypothesisRow> {
  const totals = new Map<string, number>();
  for (const { keys, events } of counts)
    totals.set(keys.hypothesis, (totals.get(keys.hypothesis) ?? 0) + events);
  for (const [hypothesis, events] of [...totals].toSorted((a, b) => b[1] - a[1]))
    yield { hypothesis: shortened(hypothesis, MOST_NAME), events };
}

function sum(rows: readonly { readonly events: number }[]): number {
  return rows.reduce((total, { events }) => total + events, 0);
}

/** When an event was received, or says it was, as ISO 8601; null when it says neither. */
function timeOf(event: LogEvent = {}): string | null {
  const { _at: at, ts } = event;
  const time = typeof at === "number" ? at : ts;
  return typeof time === "number" && Math.abs(time) <= LAST_MS ? new Date(time).toISOString() : null;
}
