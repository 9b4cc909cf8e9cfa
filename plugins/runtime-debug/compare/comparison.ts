import { join } from "node:path";
import { FILES, inject, injectable, JOURNALS, token, type Files, type Journals } from "skillctl";
import {
  groupName,
  groupsIn,
  hitOf,
  inertRow,
  OTHER_EVENTS,
  probeRows,
  sideOf,
  withRoom,
  type Group,
  type ProbeRow,
  type SeenGroup,
  type TwoRuns,
} from "./rows.ts";
import type { CompareOutput } from "../contract.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { SessionEntry } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { unfitReader } from "../session/signs.ts";
import { framed, shortened } from "../store/event/inert-text.ts";
import { runName } from "../store/event/run-name.ts";
import { FileNames, readLog, type ReadPorts } from "../store/log/log-files.ts";
import type { LogSource } from "../store/log/log-lines.ts";
import { EventFilter, hypothesisNames, keysOf } from "../store/read/event-filter.ts";
import { word } from "../store/read/event-text.ts";
import { OTHER, tally, type KeyCount } from "../store/read/tally.ts";

/** So many places are looked at. */
const MOST_GROUPS = 200;
const MOST_ROWS = 100;

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

const MOST_TOLD = 30;
const MOST_RUNS = 6;

type Facts = Omit<CompareOutput, "text">;

/** What of the log is in neither run. */
interface Beside {
  /** All runs of the log in the order in which they began. */
  readonly runs: readonly string[];
  /** Events whose places are not told apart, because there are too many different ones. */
  readonly untold: number;
}

/**
 * A comparison for reading: the two runs, then in a frame one line a probe, with the fields that changed under it. All
 * that was collected is in the frame.
 */
function comparisonText(facts: Facts, beside: Beside): string {
  const { probes } = facts;
  const shown = withRoom(probes, MOST_TOLD);
  const left = probes.length - shown.length + facts.more;
  const lines = [
    ...runLines(facts, beside),
    ...(shown.length === 0 ? [] : probeTable(shown, facts.after !== null)),
    ...(left > 0 ? [`… and ${left} more; with --json up to 100 are listed.`] : []),
  ];
  return [...said(facts), framed(lines), ...remarks(facts, beside)].join("\n");
}

/** Whether both runs are there. */
function said({ after, events }: Facts): readonly string[] {
  return [
    ...(events.before === 0
      ? [
          "No evidence has been collected in the run before the fix: the bug has to be reproduced with probes.",
        ]
      : []),
    ...(after === null ? ["There is no run with a fix to compare with yet: fix begins one."] : []),
    ...(after !== null && events.after === 0
      ? [
          "No evidence has been collected in the run after the fix: go the way of the bug again, then compare.",
        ]
      : []),
  ];
}

function runLines({ before, after, events: counts, other }: Facts, { runs }: Beside): readonly string[] {
  const line = (label: string, run: string | null, side: "before" | "after"): string => {
    const beside =
      other[side] === 1 ? "1 other that is" : `${other[side].toLocaleString("en")} other that are`;
    const rest = other[side] > 0 ? `, and ${beside} no evidence` : "";
    return `${label} ${short(run ?? "")}: ${events(counts[side])}${rest}`;
  };
  const others = runs.filter((run) => run !== before && run !== after);
  const names = others.slice(0, MOST_RUNS).map(short).join(" ");
  const left = others.length - MOST_RUNS;
  return [
    line("before", before, "before"),
    ...(after === null ? [] : [line("after ", after, "after")]),
    ...(others.length === 0
      ? []
      : [`other runs in the log: ${names}${left > 0 ? ` … and ${left} more` : ""}`]),
  ];
}

function remarks({ after, dropped = 0, hypotheses, probes }: Facts, { untold }: Beside): readonly string[] {
  const silent = hypotheses.filter(({ hit }) => hit === "none").map(({ id }) => id);
  return [
    ...(dropped > 0
      ? [`${events(dropped)} were left out of the log, which was full: they are in no count here.`]
      : []),
    ...(untold > 0 ? [`${events(untold)} are not told apart: there are too many different places.`] : []),
    ...(silent.length > 0 ? [`No event is evidence for ${silent.join(", ")} in these runs.`] : []),
    ...(probes.some(({ hit }) => hit === "none" || (after !== null && hit !== "both"))
      ? ["A probe that was not hit was not reached, or its events did not arrive: doctor tells which."]
      : []),
  ];
}

const MOST_NAME = 40;
const MOST_PLACE = 60;
const MOST_FIELDS = 3;

/** What a row says of a probe that not both runs have hit. */
const HITS = { both: "", before: "not hit after", after: "not hit before", none: "never hit" };

/**
 * Probes for reading, in columns of the same width under their names; under each the fields that changed.
 * @param isFixed whether there is a run after the fix
 */
function probeTable(rows: readonly ProbeRow[], isFixed: boolean): readonly string[] {
  const cells = [
    ["", "probe", "before", ...(isFixed ? ["after"] : [])],
    ...rows.map(({ hypothesis, probe, before, after }) => [
      word(shortened(hypothesis, MOST_NAME)),
      short(probe),
      String(before),
      ...(isFixed ? [String(after)] : []),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((text, column) =>
        column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  const [names = "", ...counts] = lines;
  return [
    names,
    ...rows.flatMap((row, at) => [
      [counts[at], remark(row, isFixed)].join("  ").trimEnd(),
      ...fieldLines(row),
    ]),
  ];
}

function remark({ hit, location }: ProbeRow, isFixed: boolean): string {
  const said = isFixed || hit === "none" ? HITS[hit] : "";
  const place = location === undefined ? "" : word(shortened(location, MOST_PLACE));
  return [said, place].filter((text) => text !== "").join(", ");
}

function fieldLines({ changed, moreChanged = 0 }: ProbeRow): readonly string[] {
  const shown = changed.slice(0, MOST_FIELDS);
  const left = changed.length - shown.length + moreChanged;
  return [
    ...shown.map(({ field, before, after }) => `     ${short(field)}: ${values(before)} → ${values(after)}`),
    ...(left > 0 ? [`     … and ${left} more fields with other values`] : []),
  ];
}

function values(list: readonly string[]): string {
  return list.length === 0 ? "-" : list.join(", ");
}

/** A name as one word, or as JSON, at most 40 characters of it. */
function short(text: string): string {
  return word(shortened(text, MOST_NAME));
}

/** `1 event`, `1,200 events`. */
function events(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "event" : "events"}`;
}

/** Holds runs of a session against each other; the log is read from its files, so that no server need run. */
@injectable()
export class Comparison {
  readonly #ports: ReadPorts;

  constructor(@inject(JOURNALS) journals: Journals, @inject(FILES) files: Files) {
    this.#ports = { journals, files };
  }

  /**
   * The run before the fix against the one after it: how often each probe was hit in each, and which of its data differ.
   * Values come out of the first and last 8 events of each probe and run. Events that are no evidence are rows of their own,
   * and count for no hypothesis. A session without a log has no events in either.
   * @param after missing when there is no fix yet
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async of(
    { root, entry }: OpenedSession,
    before: string,
    after: string | undefined,
  ): Promise<CompareOutput> {
    const runs = { before: runName(before), after: after === undefined ? undefined : runName(after) };
    const names = new FileNames(join(root, DEFAULT_FOLDER), entry.id);
    const result = await readLog(this.#ports, names, ({ sources }) => comparedIn(sources, entry, runs));
    return result ?? comparedIn([], entry, runs);
  }
}

export const COMPARISON = token<Comparison>("comparison");
