import { join } from "node:path";
import { FILES, inject, injectable, JOURNALS, token, type Files, type Journals } from "skillctl";
import type { CompareOutput } from "../contract.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { SessionEntry, SetProbe } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { lettersOf } from "../session/set-probes.ts";
import { unfitReader } from "../session/signs.ts";
import { inert, shortened } from "../store/event/inert-text.ts";
import { runName } from "../store/event/run-name.ts";
import { LogFiles } from "../store/log/log-files.ts";
import { isObject, type LogEvent, type LogSource } from "../store/log/log-lines.ts";
import { EventFilter, hypothesisNames, keysOf } from "../store/read/event-filter.ts";
import { linesOf } from "../store/read/selection.ts";
import { comparisonText, withRoom } from "./comparison-text.ts";

type ProbeRow = CompareOutput["probes"][number];

/** Stands for the hypothesis of events that are not evidence. */
const OTHER_EVENTS = "other";
/** The number of places whose values are compared; for further ones only the events are counted. */
const MOST_LOOKED_AT = 200;
const MOST_ROWS = 100;
const MOST_ORDER = 100;
const MOST_FIELDS = 8;
const MOST_NAME = 200;
/** The number and depth of the compared fields of an event. */
const MOST_LOOKED_INTO = 64;
const MOST_DEPTH = 4;
/** The number of different values of a field in a run, and the number of their characters that are compared. */
const MOST_VALUES = 100;
const MOST_COMPARED = 1_000;
/** The number of shown entries, and of characters of names and values. */
const MOST_SHOWN = 4;
const MOST_FIELD_NAME = 120;
const MOST_VALUE = 60;

/** The two runs that are compared with each other, by their normalised names. */
interface TwoRuns {
  readonly before: string;
  /** Missing before a fix. */
  readonly after: string | undefined;
}

/** How many events each run has. */
interface Sides {
  before: number;
  after: number;
}

/** The values that the data of a probe had in two runs, by field. */
class FieldValues {
  readonly #fields = new Map<string, Record<keyof Sides, Set<string>>>();

  add({ data }: LogEvent, side: keyof Sides): void {
    if (data !== undefined) this.#collect(data, "", 0, side);
  }

  /** Fields whose values differ between the runs. */
  get changed(): ProbeRow["changed"] {
    return [...this.#fields].flatMap(([field, { before, after }]) => {
      const isSame = before.size === after.size && [...before].every((value) => after.has(value));
      if (isSame) return [];
      const name = inert(shortened(field, MOST_FIELD_NAME));
      return [{ field: name, before: few(before, after), after: few(after, before) }];
    });
  }

  #collect(value: unknown, path: string, depth: number, side: keyof Sides): void {
    if (!isObject(value) || depth === MOST_DEPTH) {
      this.#note(path === "" ? "data" : path, side, JSON.stringify(value).slice(0, MOST_COMPARED));
      return;
    }
    for (const [name, inner] of Object.entries(value))
      this.#collect(inner, path === "" ? name : `${path}.${name}`, depth + 1, side);
  }

  #note(field: string, side: keyof Sides, value: string): void {
    const values = this.#fields.get(field) ?? { before: new Set(), after: new Set() };
    if (!this.#fields.has(field) && this.#fields.size === MOST_LOOKED_INTO) return;
    this.#fields.set(field, values);
    if (values[side].size < MOST_VALUES) values[side].add(value);
  }
}

/** Events of both runs that a probe of the session has reported, or that come from one place and name the same hypothesis. */
interface Group extends Sides {
  /** Empty without a hypothesis. */
  readonly hypothesis: string;
  readonly probe: string;
  readonly declared: boolean;
  /** The location in the events, or the file of the probe. */
  location: string;
  readonly values: FieldValues | undefined;
}

/** The events of two runs in the log, in groups, and the names of other runs. */
class Counts {
  readonly #entry: SessionEntry;
  readonly #runs: TwoRuns;
  readonly #unfitOf: ReturnType<typeof unfitReader>;
  readonly #groups = new Map<string | SetProbe, Group>();
  /** The counts by hypothesis; an event counts for each hypothesis that it names. */
  readonly #evidence = new Map<string, Sides>();
  readonly #seen = new Set<string>();
  /**
   * The probes whose events are evidence, in the order in which they were hit; repeated hits in a row are one entry.
   */
  readonly #order: Record<keyof Sides, { probe: string; times: number }[]> = { before: [], after: [] };
  #dropped = 0;

  constructor(entry: SessionEntry, runs: TwoRuns) {
    this.#entry = entry;
    this.#runs = runs;
    this.#unfitOf = unfitReader(entry);
    for (const probe of listed(entry)) this.#group(probe, probe.hypothesis, probe.point, probe.file);
  }

  async read(sources: readonly LogSource[]): Promise<void> {
    for await (const lines of linesOf(sources, new EventFilter({})))
      for (const { event, gap } of lines) {
        this.#dropped += gap?.events ?? 0;
        if (event) this.#add(event);
      }
  }

  get comparison(): CompareOutput {
    const [{ id, hypotheses }, { before, after = null }] = [this.#entry, this.#runs];
    const own = listed(this.#entry).length;
    const groups = [...this.#groups.values()];
    const evidence = groups.filter(({ hypothesis }) => hypothesis !== OTHER_EVENTS);
    const rows = [...groups.slice(0, own), ...groups.slice(own).sort(byEvents)]
      .map(rowOf)
      .sort((a, b) => rank(a) - rank(b));
    const kept = withRoom(rows, MOST_ROWS);
    const facts = {
      session: id,
      before,
      after,
      events: sumOf(evidence),
      other: sumOf(groups.filter(({ hypothesis }) => hypothesis === OTHER_EVENTS)),
      ...(this.#dropped > 0 && { dropped: this.#dropped }),
      probes: kept,
      more: rows.length - kept.length,
      order: { before: this.#order.before.map(passText), after: this.#order.after.map(passText) },
      hypotheses: hypotheses.map(({ id: letter, text, verdict }) => {
        const sides = this.#evidence.get(letter) ?? { before: 0, after: 0 };
        return { id: letter, text, verdict, ...sides, hit: hitOf(sides) };
      }),
    };
    const others = [...this.#seen].filter((run) => run !== "" && run !== before && run !== after);
    return { ...facts, text: comparisonText(facts, others) };
  }

  #add(event: LogEvent): void {
    const { run, hypothesis: named, probe, location } = keysOf(event);
    this.#seen.add(run);
    const side = run === this.#runs.before ? "before" : "after";
    if (run !== this.#runs[side]) return;
    const isEvidence = this.#unfitOf(event) === undefined;
    const names = isEvidence ? hypothesisNames(named) : new Set<string>();
    for (const one of names) {
      const sides = this.#evidence.get(one) ?? { before: 0, after: 0 };
      sides[side] += 1;
      this.#evidence.set(one, sides);
    }
    const owner = this.#owner(event, names, probe, location);
    const hypothesis = isEvidence ? named : OTHER_EVENTS;
    const group = this.#group(owner ?? JSON.stringify([hypothesis, probe]), hypothesis, probe);
    if (group.before + group.after === 0) group.location = location || group.location;
    group[side] += 1;
    group.values?.add(event, side);
    if (isEvidence) this.#follow(group, side);
  }

  #follow({ hypothesis, probe }: Group, side: keyof Sides): void {
    const order = this.#order[side];
    const one = `${hypothesis}:${probe}`;
    const last = order.at(-1);
    if (last?.probe === one) last.times += 1;
    else if (order.length < MOST_ORDER) order.push({ probe: one, times: 1 });
  }

  /** The probe of the session that sent an event: it has the hypothesis and the point of the event. */
  #owner(
    { msg, message = msg }: LogEvent,
    names: ReadonlySet<string>,
    probe: string,
    location: string,
  ): SetProbe | undefined {
    const says = [message, probe].map((text) => (typeof text === "string" ? unprefixed(text) : undefined));
    const namesakes = this.#entry.probes.filter(
      (one) => lettersOf(one).some((letter) => names.has(letter)) && says.includes(one.point),
    );
    if (namesakes.length < 2) return namesakes[0];
    return namesakes.find(({ file }) => file === undefined || location.startsWith(file));
  }

  #group(key: string | SetProbe, hypothesis: string, probe: string, file = ""): Group {
    const known = this.#groups.get(key);
    if (known) return known;
    const values = this.#groups.size < MOST_LOOKED_AT ? new FieldValues() : undefined;
    const declared = typeof key !== "string";
    const group = { hypothesis, probe, declared, location: file, before: 0, after: 0, values };
    this.#groups.set(key, group);
    return group;
  }
}

/** The probes for listed hypotheses: events of other hypotheses are no longer evidence. */
function listed({ probes, hypotheses }: SessionEntry): readonly SetProbe[] {
  return probes.filter((probe) => hypotheses.some(({ id }) => lettersOf(probe).includes(id)));
}

/** A text without the mark at the start of log lines of sessions. */
function unprefixed(text: string): string {
  return text.replace(/^\[[A-Z]+\]\s*/, "");
}

function sumOf(groups: readonly Group[]): Sides {
  const sum = { before: 0, after: 0 };
  for (const { before, after } of groups) {
    sum.before += before;
    sum.after += after;
  }
  return sum;
}

function byEvents(a: Group, b: Group): number {
  return b.before + b.after - (a.before + a.after);
}

/** The runs in which a probe was hit. */
function hitOf({ before, after }: Sides): ProbeRow["hit"] {
  if (before > 0) return after > 0 ? "both" : "before";
  return after > 0 ? "after" : "none";
}

function few(values: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  const isMany = values.size > MOST_SHOWN;
  const isShared = (value: string): number => (isMany && others.has(value) ? 1 : 0);
  const shown = [...values]
    .toSorted((a, b) => isShared(a) - isShared(b))
    .slice(0, MOST_SHOWN)
    .map((value) => inert(shortened(value, MOST_VALUE)));
  return isMany ? [...shown, `…and ${values.size - MOST_SHOWN} more`] : shown;
}

function passText({ probe, times }: { readonly probe: string; readonly times: number }): string {
  return `${name(probe)}${times > 1 ? ` ×${times}` : ""}`;
}

/** All texts are inert and safe to show. */
function rowOf(group: Group): ProbeRow {
  const { hypothesis, probe, declared, location, before, after, values } = group;
  const hit = hitOf(group);
  const changed = hit === "both" && values ? values.changed : [];
  return {
    hypothesis: name(hypothesis),
    probe: name(probe),
    ...(location !== "" && location !== probe && { location: name(location) }),
    declared,
    before,
    after,
    hit,
    changed: changed.slice(0, MOST_FIELDS),
    ...(changed.length > MOST_FIELDS && { moreChanged: changed.length - MOST_FIELDS }),
  };
}

function name(text: string): string {
  return inert(shortened(text, MOST_NAME));
}

/** The order of probes: those hit in only one run, those whose data differ, those hit in neither run, the others, and events that are not evidence. */
function rank({ hypothesis, hit, changed }: ProbeRow): number {
  if (hypothesis === OTHER_EVENTS) return 4;
  if (hit === "both") return changed.length > 0 ? 1 : 3;
  return hit === "none" ? 2 : 0;
}

/** Compares runs of a session; the log is read from its files, so no server needs to run. */
@injectable()
export class Comparison {
  constructor(
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(FILES) private readonly files: Files,
  ) {}

  /**
   * Compares the run before the fix with the run after it: the hits of each probe, and its differing data. Events that are not
   * evidence have separate rows, and count for no hypothesis. A session without a log has no events in either run. @param after
   * missing before there is a fix
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async of(
    { root, entry }: OpenedSession,
    before: string,
    after: string | undefined,
  ): Promise<CompareOutput> {
    const runs = { before: runName(before), after: after === undefined ? undefined : runName(after) };
    const log = new LogFiles(this.journals, this.files, join(root, DEFAULT_FOLDER), entry.id);
    const counts = new Counts(entry, runs);
    await log.read((sources) => counts.read(sources));
    return counts.comparison;
  }
}

export const COMPARISON = token<Comparison>("comparison");
