import { SkillError } from "skillctl";
import { NOTICE, shortened, within, word } from "../event/inert-text.ts";
import type { LogEvent, LogSource } from "../log/log-lines.ts";
import { EventFilter, isoTime, keysOf } from "./event-filter.ts";
import { linesOf, type Question } from "./selection.ts";

/** Room for the lists, in bytes; all of the summary stays under 4,096. */
const HYPOTHESES_BYTES = 300;
const COUNTS_BYTES = 2_600;
const SEGMENTS_BYTES = 60;
const MOST_NAME = 80;

/** Further facts about a session. */
interface SessionFacts {
  readonly session: string;
  /** The current or last run of the server; `undefined` if no file states it. */
  readonly run: string | undefined;
  /** The number of bodies, or parts of them, that were not events. */
  readonly rejected: number;
}

/** The content of a log of any size, in under 4 KB of JSON. */
export interface Summary extends SessionFacts {
  readonly notice: string;
  /** The run of the server or, if unknown, the run of the last event. */
  readonly run: string;
  readonly segments: readonly number[];
  /** The number of events in the log. */
  readonly events: number;
  /** The number of events left out because the log was full; null if it is unknown how many of them match. */
  readonly dropped: number | null;
  /** Present only without a filter. */
  readonly bytes?: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly hypotheses: readonly HypothesisRow[];
  readonly counts: readonly CountRow[];
  /** The number of rows for which there was no room. */
  readonly more?: string;
}

interface HypothesisRow {
  readonly hypothesis: string;
  readonly events: number;
}

interface CountRow {
  readonly run: string;
  readonly hypothesis: string;
  /** The first value, or the second if the first is missing. */
  readonly location?: string;
  readonly probe?: string;
  readonly events: number;
}

/**
 * Counts by hypothesis, and by run, hypothesis and location, the most common first.
 * @throws SkillError `INPUT_INVALID` for a limit on events, since all matching events are counted
 */
export async function summary(
  sources: readonly LogSource[],
  question: Question,
  facts: SessionFacts,
): Promise<Summary> {
  for (const name of ["last", "limit"] as const) if (question[name] !== undefined) throw uncountable(name);
  const filter = new EventFilter(question);
  const [places, hypotheses] = [new Map<string, number>(), new Map<string, number>()];
  let [events, dropped] = [0, 0];
  let [first, last]: (LogEvent | undefined)[] = [];
  for await (const lines of linesOf(sources, filter))
    for (const line of lines) {
      if (line.gap) dropped += filter.leftOut(line.gap);
      if (!filter.fits(line) || !line.event) continue;
      const { run, hypothesis, location, probe } = keysOf(line.event);
      counted(hypotheses, hypothesis);
      counted(
        places,
        JSON.stringify([run, hypothesis, location === "" ? "probe" : "location", location || probe]),
      );
      events += 1;
      first ??= line.event;
      last = line.event;
    }
  const counts = within(byCount(places).map(countRow), COUNTS_BYTES);
  const left = places.size - counts.length;
  return {
    notice: shortened(NOTICE, 300),
    ...facts,
    run: shortened(facts.run ?? keysOf(last ?? {}).run, MOST_NAME),
    segments: within(
      sources.map(({ number }) => number),
      SEGMENTS_BYTES,
    ),
    events,
    dropped: filter.fitsAll || dropped === 0 ? dropped : null,
    ...(filter.fitsAll && { bytes: sources.reduce((total, { end }) => total + end, 0) }),
    first: timeOf(first),
    last: timeOf(last),
    hypotheses: within(byCount(hypotheses).map(hypothesisRow), HYPOTHESES_BYTES),
    counts,
    ...(left > 0 && {
      more: `…and ${left} more, ${counts.reduce((rest, row) => rest - row.events, events)} events`,
    }),
  };
}

function uncountable(name: string): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `A summary counts all matching events, so "${name}" does not apply.`,
    {
      hint: "Leave it out, or narrow the query with since, before, runId, hypothesisId or where.",
      pointer: `/${name}`,
    },
  );
}

function counted(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function byCount(counts: ReadonlyMap<string, number>): readonly (readonly [name: string, events: number])[] {
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function countRow([name, events]: readonly [string, number]): CountRow {
  const [run = "", hypothesis = "", kind = "", place = ""] = (JSON.parse(name) as string[]).map((text) =>
    shortened(text, MOST_NAME),
  );
  return { run, hypothesis, [kind]: place, events };
}

function hypothesisRow([hypothesis, events]: readonly [string, number]): HypothesisRow {
  return { hypothesis: shortened(hypothesis, MOST_NAME), events };
}

/** A summary for reading, one line per fact; collected values are a word or JSON, so that they are unambiguous. */
export function summaryLines(result: Summary): readonly string[] {
  const { run, events, dropped, rejected, first, last, hypotheses, counts, more } = result;
  const times = first === null ? "" : `, ${first} to ${last ?? "-"}`;
  const full = (dropped ?? 0) > 0 ? `; ${dropped} left out because the log was full` : "";
  const refused = rejected > 0 ? `; ${rejected} refused` : "";
  return [
    `${events} ${events === 1 ? "event" : "events"}${times}; the run is ${word(run)}${full}${refused}`,
    ...(hypotheses.length > 0 ? ["by hypothesis:"] : []),
    ...hypotheses.map((one) => `  ${word(one.hypothesis)}: ${one.events}`),
    ...(counts.length > 0 ? ["by run, hypothesis and place:"] : []),
    ...counts.map(
      (one) => `  ${word(one.run)} ${word(one.hypothesis)} ${word(one.location ?? one.probe)}: ${one.events}`,
    ),
    ...(more === undefined ? [] : [`  ${more}`]),
  ];
}

/** The time of receipt of an event, or the time that it states, as ISO 8601; null without both. */
function timeOf(event: LogEvent = {}): string | null {
  const { _at: at, ts } = event;
  return isoTime(typeof at === "number" ? at : ts) ?? null;
}
