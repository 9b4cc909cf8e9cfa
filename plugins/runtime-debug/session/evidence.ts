import { join } from "node:path";
import {
  FILES,
  inject,
  injectable,
  JOURNALS,
  SkillError,
  token,
  type Call,
  type Files,
  type Journals,
} from "skillctl";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { DebugServers } from "./debug-servers.ts";
import type { OpenedSession } from "./sessions.ts";
import { hypothesesOf, UNFIT, unfitReader, type Unfit } from "./signs.ts";
import { STEPS } from "./steps.ts";
import { FileNames, readLog, type ReadPorts } from "../store/log/log-files.ts";
import { objectOf, type LogSource } from "../store/log/log-lines.ts";
import { EventFilter } from "../store/read/event-filter.ts";
import { eventText } from "../store/read/event-text.ts";
import { search } from "../store/read/selection.ts";

/** Lines of the log by their numbers, `_seq`, both included. */
export interface Citation {
  readonly from: number;
  readonly to: number;
}

const ONE = /^#?(\d{1,15})(?:\s*[-\u2013]\s*#?(\d{1,15}))?$/;

/** Reads citations such as `#12`, `15-18` and `#12, #15-18`; `undefined` when a part is none, or ends before it begins. */
export function citationsIn(text: string): readonly Citation[] | undefined {
  const found: Citation[] = [];
  for (const part of text.split(/[,;]/)) {
    const [, first, last = first] = ONE.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from < 1 || to < from) return undefined;
    found.push({ from, to });
  }
  return found;
}

/** As the record writes it: `#12`, `#15-18`. */
export function citationText({ from, to }: Citation): string {
  return from === to ? `#${from}` : `#${from}-${to}`;
}

/** Numbers in ascending order as few citations. */
function citationsOfNumbers(numbers: readonly number[]): readonly Citation[] {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.to === number - 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found;
}

/** So many events are shown of all citations together, the first of them; the others are only looked for. */
const MOST_LINES = 40;
/** So many gaps, and so many events that are no evidence, are named of one citation. */
const MOST_NAMED = 5;
/** So many events of one hypothesis are shown of a run. */
const MOST_OF_ONE = 8;
/** An event is shown in so many characters. */
const MOST_CHARACTERS = 400;

/** The events of a run: those that are evidence, and the others by what they lack. */
export interface EventCounts {
  readonly evidence: number;
  readonly others: Readonly<Record<Unfit, number>>;
}

/** What the log says of lines that are cited for a hypothesis. */
export interface Cited {
  /** The lines cited that are no events of the run under judgement; of many gaps the first. */
  readonly missing: readonly Citation[];
  /** Those that are no evidence, and those that were reported for others, each with why; of many the first. */
  readonly unfit: readonly string[];
  /** The events cited, for reading; of many the first. */
  readonly texts: readonly string[];
}

/** An event of the log. */
interface LogEvent {
  readonly seq: number;
  readonly line: string;
  /** The hypotheses that it names. */
  readonly names: ReadonlySet<string>;
  /** Missing when it is evidence. */
  readonly unfit: Unfit | undefined;
}

/** What the log of a session shows, read from its files: no server need run. */
@injectable()
export class Evidence {
  readonly #ports: ReadPorts;

  constructor(@inject(JOURNALS) journals: Journals, @inject(FILES) files: Files) {
    this.#ports = { journals, files };
  }

  /** The events of a run; none where there is no log. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async count(opened: OpenedSession, run: string): Promise<EventCounts> {
    const others = { session: 0, hypothesis: 0, region: 0 };
    let evidence = 0;
    await this.#each(opened, { runId: [run] }, ({ unfit }) => {
      if (unfit === undefined) evidence += 1;
      else others[unfit] += 1;
    });
    return { evidence, others };
  }

  /**
   * Looks up lines that are cited for a hypothesis, in the run that is judged by.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async lines(opened: OpenedSession, citations: readonly Citation[], hypothesis: string): Promise<Cited> {
    const missing: Citation[] = [];
    const unfit: string[] = [];
    const texts: string[] = [];
    for (const { from, to } of citations) {
      let next = from;
      const gap = (end: number): void => {
        if (next < end && missing.length < MOST_NAMED) missing.push({ from: next, to: end - 1 });
      };
      const asked = { runId: [opened.entry.runs.before], since: from - 1, before: to + 1 };
      await this.#each(opened, asked, (event) => {
        gap(event.seq);
        next = event.seq + 1;
        const why = whyUnfit(event, hypothesis);
        if (why === undefined && texts.length < MOST_LINES) texts.push(shown(event, opened));
        if (why !== undefined && unfit.length < MOST_NAMED) unfit.push(`#${event.seq} ${why}`);
      });
      gap(to + 1);
    }
    return { missing, unfit, texts };
  }

  /** The lines that can be cited for a hypothesis, in order. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async linesOf(opened: OpenedSession, hypothesis: string): Promise<readonly string[]> {
    const numbers: number[] = [];
    await this.#each(opened, { runId: [opened.entry.runs.before] }, (event) => {
      if (whyUnfit(event, hypothesis) === undefined) numbers.push(event.seq);
    });
    return citationsOfNumbers(numbers).map(citationText);
  }

  /**
   * The evidence of a run for reading, oldest first, of each hypothesis the first few, and how much more there is.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async texts(
    opened: OpenedSession,
    run: string,
  ): Promise<{ readonly lines: readonly string[]; readonly more: number }> {
    const counts = new Map<string, number>();
    const lines: string[] = [];
    let more = 0;
    await this.#each(opened, { runId: [run] }, (event) => {
      if (event.unfit !== undefined) return;
      const counted = [...event.names].map((name) => [name, (counts.get(name) ?? 0) + 1] as const);
      for (const [name, count] of counted) counts.set(name, count);
      if (lines.length < MOST_LINES && counted.some(([, count]) => count <= MOST_OF_ONE))
        lines.push(shown(event, opened));
      else more += 1;
    });
    return { lines, more };
  }

  async #each(
    { root, entry }: OpenedSession,
    asked: ConstructorParameters<typeof EventFilter>[0],
    use: (event: LogEvent) => void,
  ): Promise<void> {
    const names = new FileNames(join(root, DEFAULT_FOLDER), entry.id);
    const unfitOf = unfitReader(entry);
    const read = (seq: number, line: string): LogEvent => {
      const event = objectOf(line) ?? {};
      return { seq, line, names: hypothesesOf(event), unfit: unfitOf(event) };
    };
    await readLog(this.#ports, names, async ({ sources }) => {
      for (const source of sources) await eachOf(source, new EventFilter(asked), read, use);
    });
  }
}

export const EVIDENCE = token<Evidence>("evidence");

async function eachOf(
  source: LogSource,
  filter: EventFilter,
  read: (seq: number, line: string) => LogEvent,
  use: (event: LogEvent) => void,
): Promise<void> {
  for await (const places of search(source, { filter }))
    for (const { seq, text } of places) use(read(seq, text));
}

function whyUnfit({ unfit, names }: LogEvent, hypothesis: string): string | undefined {
  if (unfit !== undefined) return UNFIT[unfit];
  if (names.has(hypothesis)) return undefined;
  return `was reported for ${[...names].filter((name) => /^[A-P]$/.test(name)).join(", ")}`;
}

function shown({ line }: LogEvent, { entry }: OpenedSession): string {
  const text = eventText(line, entry.id);
  const more = text.length - MOST_CHARACTERS;
  return more > 0 ? `${text.slice(0, MOST_CHARACTERS)}\u2026(+${more})` : text;
}

/** All events of a run. */
export function allOf({ evidence, others }: EventCounts): number {
  return evidence + others.session + others.hypothesis + others.region;
}

/**
 * Refuses a step whose run has other events alone, or none because the server was away: then it is started, so that the next
 * try arrives.
 * @throws SkillError `DEBUG_STEP`, and what the start of a server throws
 */
export async function refuseWithoutEvidence(
  opened: OpenedSession,
  action: "answer A" | "verify",
  counts: EventCounts,
  servers: DebugServers,
  call: Call,
): Promise<void> {
  if (allOf(counts) > 0) throw otherEvents(opened, action, counts);
  if (await servers.running(opened)) return;
  const { url } = await servers.ensure(opened, call);
  const why = "no event has been collected in this run, because the debug server was not running";
  throw new SkillError("DEBUG_STEP", `"${action}" is not possible now: ${why}.`, {
    hint: `It runs again at ${url}: have the user go the same way once more, then repeat this command.`,
  });
}

/** How many events of a run are evidence, and what the others lack, as a sentence. */
export function evidenceLine(counts: EventCounts): string {
  const { evidence } = counts;
  const others = allOf(counts) - evidence;
  const told = `Evidence of this run: ${evidence} ${evidence === 1 ? "event" : "events"}`;
  if (others === 0) return `${told}.`;
  if (others > 1) return `${told}; ${others} others are none: ${lacks(counts).join(", ")}.`;
  return `${told}; 1 other is none, since it ${lacks(counts).join("").replace(/^1 /, "")}.`;
}

/** What the other events lack: `2 name no hypothesis that is listed`. */
function lacks({ others }: EventCounts): readonly string[] {
  return (Object.keys(UNFIT) as Unfit[])
    .filter((why) => others[why] > 0)
    .map((why) => `${others[why]} ${UNFIT[why].replace(/^(\w+)s /, others[why] === 1 ? "$1s " : "$1 ")}`);
}

function otherEvents(
  { entry }: OpenedSession,
  action: "answer A" | "verify",
  counts: EventCounts,
): SkillError {
  const sum = allOf(counts);
  const { number, title } = STEPS[entry.state];
  const events = sum === 1 ? "1 event has" : `${sum} events have`;
  return new SkillError(
    "DEBUG_STEP",
    `"${action}" is not possible now: ${events} been collected in this run, and none is evidence: ${lacks(counts).join(", ")}. The session is at step ${number} of 11: ${title}.`,
    {
      hint: `An event counts when it names the session ${entry.id}, one of the hypotheses ${entry.hypotheses
        .map(({ id }) => id)
        .join(
          ", ",
        )}, and a location or message that stands as text in a region: see \`skillctl run runtime-debug logs ${entry.id}\`. After a change of a region: skillctl run runtime-debug check ${entry.id}`,
    },
  );
}
