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
import { DEBUG_SERVERS, type DebugServers } from "./debug-servers.ts";
import { pointOf } from "./hypotheses.ts";
import type { OpenedSession } from "./sessions.ts";
import { hypothesesOf, UNFIT, unfitReader, type Unfit } from "./signs.ts";
import { impossible, type Action } from "./steps.ts";
import { shortened } from "../store/event/inert-text.ts";
import { LogFiles } from "../store/log/log-files.ts";
import { isObject } from "../store/log/log-lines.ts";
import { EventFilter } from "../store/read/event-filter.ts";
import { eventText } from "../store/read/text-answer.ts";
import { linesOf } from "../store/read/selection.ts";

/** Lines of the log by their numbers, `_seq`, both included. */
export interface Citation {
  readonly from: number;
  readonly to: number;
}

const ONE = /^#?(\d{1,15})(?:\s*[-\u2013]\s*#?(\d{1,15}))?$/;

/** Reads citations such as `#12`, `15-18` and `#12, #15-18`; `undefined` if a part is not a citation, or ends before it begins. */
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

/** A citation in the form of the record: `#12`, `#15-18`. */
export function citationText({ from, to }: Citation): string {
  return from === to ? `#${from}` : `#${from}-${to}`;
}

/** The number of events shown at once; the others are only counted. */
const MOST_LINES = 40;
/** The number of gaps, and of events that are not evidence, that are named for the citations of a hypothesis. */
const MOST_NAMED = 5;
/** The numbers of the first and of the last events of a hypothesis shown from a run. */
const MOST_AT_END = 4;
/** The number of events of a run that are compared. */
const MOST_PASSES = 100_000;
/** The number of characters of a shown event. */
const MOST_CHARACTERS = 400;

/** The day and the run in the text of an event. They are left out of a list, whose events are all of one run. */
const DAY_AND_RUN = /^(#\d+) \d{4}-\d\d-\d\dT(\S+)Z \S+ /;

/** The events of a run: the number of those that are evidence, and of the others by their missing condition. */
export interface EventCounts {
  readonly evidence: number;
  readonly others: Readonly<Record<Unfit, number>>;
}

/** The findings in the log about lines that are cited for a hypothesis. */
export interface Cited {
  /** The cited lines that are not events of the judged run; at most the first few gaps. */
  readonly missing: readonly Citation[];
  /** Those that are not evidence or were reported for other hypotheses, each with the reason; at most the first few. */
  readonly unfit: readonly string[];
  /** The cited events, for reading; at most the first few. */
  readonly texts: readonly string[];
  /** All lines of the run that can be cited for the hypothesis, in order. */
  readonly own: readonly Citation[];
}

/** A pass of the program through a point. */
export interface Passed {
  /** `_seq` of the event. */
  readonly seq: number;
  /** Its hypotheses, place and message. */
  readonly point: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event of the log. */
interface LogEvent {
  readonly seq: number;
  readonly line: string;
  /** The hypotheses in the event. */
  readonly names: ReadonlySet<string>;
  /** Missing when it is evidence. */
  readonly unfit: Unfit | undefined;
  /** The number of passes before it that its probe did not report because of its limits. */
  readonly skipped: number;
}

/** The evidence in the log of a session, read from its files, so no server needs to run. */
@injectable()
export class Evidence {
  constructor(
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(FILES) private readonly files: Files,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
  ) {}

  /**
   * Refuses a step whose run has no evidence. If the server was down, it is started, so that the next events arrive. @throws
   * SkillError `DEBUG_STEP`, and errors of starting a server
   */
  async refuseWithout(opened: OpenedSession, action: Action, counts: EventCounts, call: Call): Promise<void> {
    if (allOf(counts) > 0) throw otherEvents(opened, action, counts);
    if (await this.servers.running(opened)) return;
    const { url } = await this.servers.ensure(opened, call);
    const why = "no event has been collected in this run, because the debug server was not running";
    throw new SkillError("DEBUG_STEP", `"${action}" is not possible now: ${why}.`, {
      hint: `It runs again at ${url}: have the user repeat the reproduction, then repeat this command.`,
    });
  }

  /** The events of a run; empty without a log. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async count(opened: OpenedSession, run: string): Promise<EventCounts> {
    const others = { session: 0, hypothesis: 0, region: 0, code: 0 };
    let evidence = 0;
    await this.#each(opened, run, ({ unfit }) => {
      if (unfit === undefined) evidence += 1;
      else others[unfit] += 1;
    });
    return { evidence, others };
  }

  /**
   * Looks up the citations of hypotheses in one pass over the judged run.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async cited<One extends { readonly hypothesis: string; readonly citations: readonly Citation[] }>(
    opened: OpenedSession,
    asked: readonly One[],
  ): Promise<readonly (One & Cited)[]> {
    const found = asked.map((one) => ({
      one,
      spans: one.citations.map((citation) => ({ ...citation, next: citation.from })),
      missing: [] as Citation[],
      unfit: [] as string[],
      texts: [] as string[],
      own: [] as { from: number; to: number }[],
    }));
    await this.#each(opened, opened.entry.runs.before, (event) => {
      const { seq } = event;
      for (const { one, spans, missing, unfit, texts, own } of found) {
        const why = whyUnfit(event, one.hypothesis);
        const last = own.at(-1);
        if (why === undefined && last?.to === seq - 1) last.to = seq;
        else if (why === undefined) own.push({ from: seq, to: seq });
        const around = spans.filter(({ from, to }) => from <= seq && seq <= to);
        for (const span of around) {
          if (span.next < seq) missing.push({ from: span.next, to: seq - 1 });
          span.next = seq + 1;
        }
        if (around.length === 0) continue;
        if (why !== undefined) unfit.push(`#${seq} ${why}`);
        else if (texts.length < MOST_LINES) texts.push(shown(event, opened));
      }
    });
    return found.map(({ one, spans, missing, unfit, texts, own }) => {
      const rest = spans.filter(({ next, to }) => next <= to).map(({ next, to }) => ({ from: next, to }));
      return {
        ...one,
        missing: [...missing, ...rest].slice(0, MOST_NAMED),
        unfit: unfit.slice(0, MOST_NAMED),
        texts,
        own,
      };
    });
  }

  /**
   * The evidence of a run for reading, oldest first: the first and the last few events of each hypothesis, the number of
   * others, and the number of passes that probes did not report, as far as later events state it.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
   */
  async texts(
    opened: OpenedSession,
    run: string,
  ): Promise<{ readonly lines: readonly string[]; readonly more: number; readonly skipped: number }> {
    const [totals, counts] = [new Map<string, number>(), new Map<string, number>()];
    const count = (to: Map<string, number>, name: string): number => {
      const now = (to.get(name) ?? 0) + 1;
      to.set(name, now);
      return now;
    };
    let unreported = 0;
    await this.#each(opened, run, ({ names, unfit, skipped }) => {
      if (unfit !== undefined) return;
      unreported += skipped;
      for (const name of names) count(totals, name);
    });
    const lines: string[] = [];
    let [more, firstMs]: [number, number | undefined] = [0, undefined];
    await this.#each(opened, run, (event) => {
      if (event.unfit !== undefined) return;
      const isAtEnd = [...event.names].map((name) => {
        const number = count(counts, name);
        return number <= MOST_AT_END || number > (totals.get(name) ?? 0) - MOST_AT_END;
      });
      if (lines.length < MOST_LINES && isAtEnd.includes(true)) lines.push(brief(event, opened, firstMs));
      else more += 1;
      firstMs ??= timeMs(event);
    });
    return { lines, more, skipped: unreported };
  }

  /** The events of a run that are evidence, oldest first, at most 100,000. @throws SkillError as `count` does */
  async passes(opened: OpenedSession, run: string): Promise<readonly Passed[]> {
    const found: Passed[] = [];
    await this.#each(opened, run, ({ seq, line, unfit }) => {
      if (unfit !== undefined || found.length >= MOST_PASSES) return;
      const { hypothesisId, location, msg, message, data } = JSON.parse(line) as Record<string, unknown>;
      const named = [hypothesisId, location, msg ?? message];
      const point = named.filter((part) => typeof part === "string").join(" ");
      found.push({ seq, point, data: isObject(data) ? data : {} });
    });
    return found;
  }

  /** The events of a run, oldest first. */
  async #each({ root, entry }: OpenedSession, run: string, use: (event: LogEvent) => void): Promise<void> {
    const log = new LogFiles(this.journals, this.files, join(root, DEFAULT_FOLDER), entry.id);
    const unfitOf = unfitReader(entry);
    await log.read(async (sources) => {
      const filter = new EventFilter({ runId: [run] });
      for await (const lines of linesOf(sources, filter))
        for (const line of lines) {
          const { event, seq, text } = line;
          if (!event || !filter.fits(line)) continue;
          const skipped = Number.isSafeInteger(event["skipped"]) ? Number(event["skipped"]) : 0;
          use({ seq, line: text, names: hypothesesOf(event), unfit: unfitOf(event), skipped });
        }
    });
  }
}

export const EVIDENCE = token<Evidence>("evidence");

function whyUnfit({ unfit, names }: LogEvent, hypothesis: string): string | undefined {
  if (unfit !== undefined) return UNFIT[unfit];
  if (names.has(hypothesis)) return undefined;
  return `was reported for ${[...names].filter((name) => /^[A-P]$/.test(name)).join(", ")}`;
}

function shown({ line }: LogEvent, { entry }: OpenedSession): string {
  return shortened(eventText(line, entry.id), MOST_CHARACTERS);
}

/** The time stated by the program, or the time of receipt; `undefined` for a time that is not a number. */
function timeMs({ line }: LogEvent): number | undefined {
  const { ts, _at: at } = JSON.parse(line) as Record<string, unknown>;
  const time = ts ?? at;
  return typeof time === "number" ? time : undefined;
}

/**
 * An event among others of its run, with the seconds since the first one; a message that only repeats the names of its data
 * is omitted.
 */
function brief(event: LogEvent, opened: OpenedSession, firstMs?: number): string {
  const { data } = JSON.parse(event.line) as Record<string, unknown>;
  const now = timeMs(event);
  const since = firstMs === undefined || now === undefined ? undefined : (now - firstMs) / 1_000;
  const time = since === undefined ? "$2" : `${since < 0 ? "" : "+"}${since.toFixed(3)}`;
  const line = shown(event, opened).replace(DAY_AND_RUN, `$1 ${time} `);
  return isObject(data) ? line.replace(` "[DEBUG] ${pointOf(Object.keys(data))}" {`, " {") : line;
}

/** All events of a run. */
export function allOf({ evidence, others }: EventCounts): number {
  return Object.values(others).reduce((sum, count) => sum + count, evidence);
}

/** The number of events that are evidence, and the missing conditions of the others, as a sentence. */
export function evidenceLine(counts: EventCounts): string {
  const { evidence } = counts;
  const others = allOf(counts) - evidence;
  const told = `Evidence of this run: ${evidence} ${evidence === 1 ? "event" : "events"}`;
  return others === 0
    ? `${told}.`
    : `${told}; ${others} ${others === 1 ? "other is" : "others are"} not evidence: ${lacks(counts).join(", ")}.`;
}

/** The reasons why other events are not evidence: `2 name no hypothesis that is listed`. */
function lacks({ others }: EventCounts): readonly string[] {
  return (Object.keys(UNFIT) as Unfit[])
    .filter((why) => others[why] > 0)
    .map((why) => `${others[why]} ${UNFIT[why].replace(/^(\w+)s /, others[why] === 1 ? "$1s " : "$1 ")}`);
}

function otherEvents({ entry }: OpenedSession, action: Action, counts: EventCounts): SkillError {
  const sum = allOf(counts);
  const events = sum === 1 ? "1 event has" : `${sum} events have`;
  const why = `${events} been collected in this run, and none is evidence: ${lacks(counts).join(", ")}`;
  const letters = entry.hypotheses.map(({ id }) => id).join(", ");
  const check = `skillctl run runtime-debug check ${entry.id}`;
  const isOtherCode = counts.others.code > 0;
  return new SkillError("DEBUG_STEP", impossible(entry.state, action, why), {
    hint: isOtherCode
      ? `Check the present code: ${check}. Then ask the user to reproduce the bug again with that code.`
      : `An event counts when it names the session ${entry.id}, one of the hypotheses ${letters}, and a location or message that appears literally in a region: see \`skillctl run runtime-debug logs ${entry.id}\`. After a change of a region: ${check}`,
  });
}
