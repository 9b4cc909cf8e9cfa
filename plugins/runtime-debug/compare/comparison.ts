import { join } from "node:path";
import { FILES, inject, injectable, JOURNALS, token, type Files, type Journals } from "skillctl";
import type { CompareOutput } from "../contract.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { SessionEntry, SetProbe } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { unfitReader } from "../session/signs.ts";
import { inert, shortened } from "../store/event/inert-text.ts";
import { runName } from "../store/event/run-name.ts";
import { FileNames, readLog, type ReadPorts } from "../store/log/log-files.ts";
import type { LogEvent, LogSource } from "../store/log/log-lines.ts";
import { EventFilter, hypothesisNames, keysOf } from "../store/read/event-filter.ts";
import { linesOf } from "../store/read/selection.ts";
import { comparisonText } from "./comparison-text.ts";
import { FieldValues } from "./field-values.ts";

export type ProbeRow = CompareOutput["probes"][number];

/** Stands for the hypothesis of events that are no evidence. */
const OTHER_EVENTS = "other";
/** Of so many places the values are looked at; of further ones only the events are counted. */
const MOST_GROUPS = 200;
const MOST_ROWS = 100;
const MOST_FIELDS = 8;
const MOST_NAME = 200;

/** The two runs that are held against each other, by their normalised names. */
interface TwoRuns {
  readonly before: string;
  /** Missing when there is no fix yet. */
  readonly after: string | undefined;
}

/** Events of both runs that come from one place and name the same hypothesis. */
interface Group {
  /** Empty where they name none. */
  readonly hypothesis: string;
  /** The location, or the message where there is none. */
  readonly probe: string;
  /** What one of them says. */
  readonly message: unknown;
  location: string;
  before: number;
  after: number;
  readonly values: FieldValues | undefined;
}

/** What the log holds of two runs, and of which others. */
interface Counted {
  readonly groups: readonly Group[];
  readonly runs: ReadonlySet<string>;
  readonly dropped: number;
}

/** @param sources all segments of the session's log, since runs lie in different ones */
async function counted(sources: readonly LogSource[], entry: SessionEntry, runs: TwoRuns): Promise<Counted> {
  const unfitOf = unfitReader(entry);
  const groups = new Map<string, Group>();
  const seen = new Set<string>();
  let dropped = 0;
  const add = (event: LogEvent): void => {
    const { run, hypothesis: named, probe, location } = keysOf(event);
    seen.add(run);
    const side = run === runs.before ? "before" : "after";
    if (run !== runs[side]) return;
    const hypothesis = unfitOf(event) === undefined ? named : OTHER_EVENTS;
    const name = JSON.stringify([hypothesis, probe]);
    const { msg, message = msg } = event;
    const values = groups.size < MOST_GROUPS ? new FieldValues() : undefined;
    const group = groups.get(name) ?? { hypothesis, probe, message, location, before: 0, after: 0, values };
    groups.set(name, group);
    group.location ||= location;
    group[side] += 1;
    group.values?.add(event, side);
  };
  for await (const lines of linesOf(sources, new EventFilter({})))
    for (const { event, gap } of lines) {
      dropped += gap?.events ?? 0;
      if (event) add(event);
    }
  return { groups: [...groups.values()], runs: seen, dropped };
}

function compared(
  { groups, runs: seen, dropped }: Counted,
  entry: SessionEntry,
  runs: TwoRuns,
): CompareOutput {
  const evidence = groups.filter(({ hypothesis }) => hypothesis !== OTHER_EVENTS);
  const others = groups.filter(({ hypothesis }) => hypothesis === OTHER_EVENTS);
  const rows = probeRows(groups, entry.probes);
  // Rows of the session's own probes are not left out for others.
  const kept = new Set(rows.toSorted((a, b) => Number(b.declared) - Number(a.declared)).slice(0, MOST_ROWS));
  const result = {
    session: entry.id,
    before: runs.before,
    after: runs.after ?? null,
    events: sumOf(evidence),
    other: sumOf(others),
    ...(dropped > 0 && { dropped }),
    probes: rows.filter((row) => kept.has(row)),
    more: rows.length - kept.size,
    hypotheses: entry.hypotheses.map(({ id, text, verdict }) => {
      const own = sumOf(evidence.filter(({ hypothesis }) => hypothesisNames(hypothesis).has(id)));
      return { id, text, verdict, ...own, hit: hitOf(own) };
    }),
  };
  const otherRuns = [...seen].filter((run) => run !== "" && run !== runs.before && run !== runs.after);
  return { ...result, text: comparisonText(result, otherRuns) };
}

function sumOf(groups: readonly Group[]): { before: number; after: number } {
  const sum = { before: 0, after: 0 };
  for (const { before, after } of groups) {
    sum.before += before;
    sum.after += after;
  }
  return sum;
}

/** In which of two runs something was hit. */
function hitOf({ before, after }: Pick<Group, "before" | "after">): ProbeRow["hit"] {
  if (before > 0) return after > 0 ? "both" : "before";
  return after > 0 ? "after" : "none";
}

/**
 * One row a probe: those of the session, hit or not, under the name of their point, and whatever else has reported, the
 * commonest first. First come those that only one run has hit, then those whose data differ, those that no run has hit, and the
 * others; at the end what is no evidence.
 */
function probeRows(groups: readonly Group[], probes: readonly SetProbe[]): readonly ProbeRow[] {
  const owners = groups.map((group) => probes.find((probe) => isOf(group, probe, probes)));
  const own = probes.map((probe) => {
    const { hypothesis, point, file = "" } = probe;
    return row(
      { hypothesis, probe: point, declared: true, place: file },
      groups.filter((_, at) => owners[at] === probe),
    );
  });
  const others = groups
    .filter((_, at) => !owners[at])
    .toSorted((a, b) => b.before + b.after - (a.before + a.after))
    .map((group) => row({ ...group, declared: false, place: "" }, [group]));
  return [...own, ...others].toSorted((a, b) => rank(a) - rank(b));
}

/** Whether a group is what a probe reports: it names the hypothesis and says the point. */
function isOf(group: Group, { hypothesis, point, file }: SetProbe, all: readonly SetProbe[]): boolean {
  const says = [group.message, group.probe].some(
    (text) => typeof text === "string" && unprefixed(text) === point,
  );
  if (!says || !hypothesisNames(group.hypothesis).has(hypothesis)) return false;
  const namesakes = all.filter((other) => other.hypothesis === hypothesis && other.point === point);
  return namesakes.length < 2 || file === undefined || group.location.startsWith(file);
}

/** Without the mark that log lines of sessions begin with. */
function unprefixed(text: string): string {
  return text.replace(/^\[[A-Z]+\]\s*/, "");
}

interface Named {
  readonly hypothesis: string;
  readonly probe: string;
  readonly declared: boolean;
  /** Where it is, when no event says so. */
  readonly place: string;
}

/** All of it inert: it may be shown as it is. */
function row({ hypothesis, probe, declared, place }: Named, groups: readonly Group[]): ProbeRow {
  const sum = sumOf(groups);
  const location = groups.find((group) => group.location !== "")?.location ?? place;
  const changed = FieldValues.all(groups.flatMap(({ values }) => values ?? [])).changed;
  return {
    hypothesis: name(hypothesis),
    probe: name(probe),
    ...(location !== "" && location !== probe && { location: name(location) }),
    declared,
    ...sum,
    hit: hitOf(sum),
    changed: changed.slice(0, MOST_FIELDS),
    ...(changed.length > MOST_FIELDS && { moreChanged: changed.length - MOST_FIELDS }),
  };
}

function name(text: string): string {
  return inert(shortened(text, MOST_NAME));
}

function rank({ hypothesis, hit, changed }: ProbeRow): number {
  if (hypothesis === OTHER_EVENTS) return 4;
  if (hit === "both") return changed.length > 0 ? 1 : 3;
  return hit === "none" ? 2 : 0;
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
   * Events that are no evidence are rows of their own, and count for no hypothesis. A session without a log has no events in either.
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
    const found = await readLog(this.#ports, names, ({ sources }) => counted(sources, entry, runs));
    return compared(found ?? { groups: [], runs: new Set(), dropped: 0 }, entry, runs);
  }
}

export const COMPARISON = token<Comparison>("comparison");
