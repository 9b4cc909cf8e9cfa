import type { CompareOutput } from "../contract.ts";
import { changedFields } from "../store/read/data-fields.ts";
import { inert, shortened } from "../store/event/inert-text.ts";
import { hypothesisNames, type EventKeys } from "../store/read/event-filter.ts";
import type { KeyCount } from "../store/read/tally.ts";
import type { LogEvent } from "../store/log/log-lines.ts";
import type { SetProbe } from "../session/entry.ts";

export type ProbeRow = CompareOutput["probes"][number];

/** Stands for the hypothesis of events that are no evidence. */
export const OTHER_EVENTS = "other";

const MOST_NAME = 200;
const MOST_FIELDS = 8;

/** The two runs that are held against each other, by their normalised names. */
export interface TwoRuns {
  readonly before: string;
  /** Missing when there is no fix yet. */
  readonly after: string | undefined;
}

/** Events of both runs that come from one place and name the same hypothesis. */
export interface Group {
  /** Empty where they name none. */
  readonly hypothesis: string;
  /** The location, or the message where there is none. */
  readonly probe: string;
  readonly location: string;
  readonly before: number;
  readonly after: number;
}

/** 0 for an event of the run before, 1 for one of the run after, -1 for any other. */
export function sideOf({ run }: EventKeys, { before, after }: TwoRuns): 0 | 1 | -1 {
  return run === before ? 0 : run === after ? 1 : -1;
}

/** The groups of two runs: those that only one of them has hit first, then those with the most events. */
export function groupsIn(counts: readonly KeyCount[], runs: TwoRuns): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { keys, events } of counts) {
    const side = sideOf(keys, runs);
    if (side === -1) continue;
    const known = groups.get(groupName(keys));
    groups.set(groupName(keys), {
      hypothesis: keys.hypothesis,
      probe: keys.probe,
      location: known?.location || keys.location,
      before: (known?.before ?? 0) + (side === 0 ? events : 0),
      after: (known?.after ?? 0) + (side === 1 ? events : 0),
    });
  }
  const isInBoth = ({ before, after }: Group): number => (before > 0 && after > 0 ? 1 : 0);
  return [...groups.values()].toSorted(
    (a, b) => isInBoth(a) - isInBoth(b) || b.before + b.after - (a.before + a.after),
  );
}

/** In which of two runs something was hit. */
export function hitOf(before: number, after: number): ProbeRow["hit"] {
  if (before > 0) return after > 0 ? "both" : "before";
  return after > 0 ? "after" : "none";
}

/** The name under which a group is kept. */
export function groupName({ hypothesis, probe }: Pick<Group, "hypothesis" | "probe">): string {
  return JSON.stringify([hypothesis, probe]);
}

/** A group with what was seen of it. */
export interface SeenGroup {
  readonly group: Group;
  /** Some of its events in each run. */
  readonly before: readonly LogEvent[];
  readonly after: readonly LogEvent[];
}

/**
 * One row a probe: those of the session, hit or not, under the name of their point, and whatever else has reported. First
 * come those that only one run has hit, then those whose data differ, those that no run has hit, and the others; at
 * the end what is no evidence.
 */
export function probeRows(seen: readonly SeenGroup[], probes: readonly SetProbe[]): readonly ProbeRow[] {
  const owners = seen.map((one) => probes.find((probe) => isOf(one, probe, probes)));
  const own = probes.map((probe) =>
    row(
      { hypothesis: probe.hypothesis, probe: probe.point, declared: true, place: probe.file },
      seen.filter((_, at) => owners[at] === probe),
    ),
  );
  const others = seen
    .filter((_, at) => !owners[at])
    .map((one) => row({ ...one.group, declared: false, place: undefined }, [one]));
  return [...own, ...others].toSorted((a, b) => rank(a) - rank(b));
}

/** So many rows, in their order; those of the session's own probes are not left out for others. */
export function withRoom(rows: readonly ProbeRow[], most: number): readonly ProbeRow[] {
  const [own, others] = [rows.filter(({ declared }) => declared), rows.filter(({ declared }) => !declared)];
  const kept = new Set([...own, ...others].slice(0, most));
  return rows.filter((row) => kept.has(row));
}

/** Whether a group is what a probe reports: it names the hypothesis and says the point. */
function isOf(seen: SeenGroup, { hypothesis, point, file }: SetProbe, all: readonly SetProbe[]): boolean {
  const { group } = seen;
  if (!hypothesisNames(group.hypothesis).has(hypothesis) || !says(seen, point)) return false;
  const namesakes = all.filter((other) => other.hypothesis === hypothesis && other.point === point);
  return namesakes.length < 2 || file === undefined || group.location.startsWith(file);
}

function says({ group, before, after }: SeenGroup, point: string): boolean {
  const { msg, message = msg } = before[0] ?? after[0] ?? {};
  return [message, group.probe].some((text) => typeof text === "string" && unprefixed(text) === point);
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
  readonly place: string | undefined;
}

function row({ hypothesis, probe, declared, place }: Named, seen: readonly SeenGroup[]): ProbeRow {
  const [before, after] = [sum(seen, "before"), sum(seen, "after")];
  const location = seen.find(({ group }) => group.location !== "")?.group.location ?? place;
  const changed = changedFields(
    seen.flatMap((one) => one.before),
    seen.flatMap((one) => one.after),
  );
  return {
    hypothesis: shortened(hypothesis, MOST_NAME),
    probe: shortened(probe, MOST_NAME),
    ...(location !== undefined && location !== probe && { location: shortened(location, MOST_NAME) }),
    declared,
    before,
    after,
    hit: hitOf(before, after),
    changed: changed
      .slice(0, MOST_FIELDS)
      .map((field) => ({ ...field, before: [...field.before], after: [...field.after] })),
    ...(changed.length > MOST_FIELDS && { moreChanged: changed.length - MOST_FIELDS }),
  };
}

function rank({ hypothesis, hit, changed }: ProbeRow): number {
  if (hypothesis === OTHER_EVENTS) return 4;
  if (hit === "both") return changed.length > 0 ? 1 : 3;
  return hit === "none" ? 2 : 0;
}

function sum(seen: readonly SeenGroup[], side: "before" | "after"): number {
  return seen.reduce((total, { group }) => total + group[side], 0);
}

/** The same row with nothing in its texts that does something where it is shown. */
export function inertRow(row: ProbeRow): ProbeRow {
  const { hypothesis, probe, location, changed } = row;
  return {
    ...row,
    hypothesis: inert(hypothesis),
    probe: inert(probe),
    ...(location !== undefined && { location: inert(location) }),
    changed: changed.map(({ field, before, after }) => ({
      field: inert(field),
      before: before.map(inert),
      after: after.map(inert),
    })),
  };
}
