import { Buffer } from "node:buffer";
import { SkillError } from "skillctl";
import { escapeUnsafe } from "../event/inert-text.ts";
import { linesBackwards, linesBetween, markBefore, type LogLine, type LogSource } from "../log/log-lines.ts";
import { EventFilter, type Asked } from "./event-filter.ts";

/** What an answer may hold. */
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const DEFAULT_LIMIT = 10_000;
const LARGEST_LIMIT = 100_000;

/** Which events are asked for, and how many: schemas/runtime-debug/log-query.json. */
export interface Question extends Asked {
  readonly last?: number | undefined;
  readonly limit?: number | undefined;
  readonly segment?: string | undefined;
}

/** A place in the log at which a line begins or ends. */
interface Spot {
  readonly source: LogSource;
  readonly offset: number;
}

/** Which part of a log answers a question: all that fits between two places. */
export interface Selection {
  /** The segments that were searched, oldest first, and for what. */
  readonly sources: readonly LogSource[];
  readonly filter: EventFilter;
  /** Where there is more than was asked for or has room, the one or the other. */
  readonly from: Spot | undefined;
  readonly to: Spot | undefined;
  readonly count: number;
  /** Of the answer, as far as it was measured. */
  readonly bytes: number;
  /** Events between, at the most, that fit and were left out of the log because it was full. */
  readonly dropped: number;
  /** There is more that fits: later events, which `since` gets, or earlier ones, for `before`, when the last were asked. */
  readonly more: { readonly since: number } | { readonly before: number } | undefined;
}

/** How much room a line takes in an answer, and how much there is; one has it in any case. */
export interface Room {
  readonly bytesOf: (line: LogLine) => number;
  readonly most: number;
}

const ROOM: Room = { bytesOf: ({ text }) => Buffer.byteLength(text) + 1, most: MOST_ANSWER_BYTES };

/**
 * Finds the events that answer a question: the last so many, or the first so many from `since` on.
 * @param sources oldest first, those that the question is about
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function select(
  sources: readonly LogSource[],
  question: Question,
  { bytesOf, most: mostBytes }: Room = ROOM,
): Promise<Selection> {
  const { last = 0, limit } = question;
  const backwards = last > 0;
  const most = Math.min(
    limit ?? (backwards ? LARGEST_LIMIT : DEFAULT_LIMIT),
    backwards ? last : LARGEST_LIMIT,
  );
  const filter = new EventFilter(question);
  let [count, bytes, dropped, waiting, seq] = [0, 0, 0, 0, 0];
  let edge: Spot | undefined;
  let isFull = false;
  const take = (source: LogSource, line: LogLine): boolean => {
    // What was left out counts once it is between two events of the answer.
    if (line.gap) waiting += filter.leftOut(line.gap);
    if (!filter.fits(line)) return true;
    const size = bytesOf(line);
    isFull = count === most || (count > 0 && bytes + size > mostBytes);
    if (isFull) return false;
    [count, bytes, dropped, waiting] = [count + 1, bytes + size, dropped + waiting, 0];
    edge = { source, offset: backwards ? line.offset : line.offset + line.bytes };
    seq = line.seq || seq;
    return true;
  };
  for (const source of backwards ? sources.toReversed() : sources) {
    for await (const lines of linesOf(source, filter, backwards))
      if (!lines.every((line) => take(source, line))) break;
    if (isFull) break;
  }
  const isCut = isFull && !(backwards && count === last);
  return {
    sources,
    filter,
    from: isFull && backwards ? edge : undefined,
    to: isFull && !backwards ? edge : undefined,
    count,
    bytes,
    dropped: isFull ? dropped : dropped + waiting,
    more: isCut ? (backwards ? { before: seq } : { since: seq }) : undefined,
  };
}

/** The events of a selection, oldest first, with the gaps between them that may hold more. */
export async function* selected({
  sources,
  filter,
  from,
  to,
}: Pick<Selection, "sources" | "filter" | "from" | "to">): AsyncGenerator<readonly LogLine[]> {
  const first = from ? sources.indexOf(from.source) : 0;
  const last = to ? sources.indexOf(to.source) : sources.length - 1;
  for (const source of sources.slice(first, last + 1)) {
    const begin = source === from?.source ? from.offset : startOf(source, filter);
    const end = source === to?.source ? to.offset : source.end;
    for await (const lines of linesBetween(source.reader, begin, end))
      yield lines.filter((line) => filter.fits(line) || (line.gap && filter.leftOut(line.gap) > 0));
  }
}

/** Events of a source that fit, oldest first. */
export async function* search(
  source: LogSource,
  { filter }: { readonly filter: EventFilter },
): AsyncGenerator<readonly LogLine[]> {
  for await (const lines of linesOf(source, filter, false)) yield lines.filter((line) => filter.fits(line));
}

function linesOf(
  source: LogSource,
  filter: EventFilter,
  backwards: boolean,
): AsyncGenerator<readonly LogLine[]> {
  if (backwards) return linesBackwards(source);
  return linesBetween(source.reader, startOf(source, filter), source.end);
}

/** What lies before it has no number that is asked for. */
function startOf({ marks }: LogSource, { since }: EventFilter): number {
  return since < 0 ? 0 : markBefore(marks, since).offset;
}

/**
 * Refuses to count a number of events where all that fits is counted.
 * @throws SkillError `INPUT_INVALID`
 */
export function countable(question: Question): Question {
  for (const name of ["last", "limit"] as const) {
    if (question[name] === undefined) continue;
    throw new SkillError("INPUT_INVALID", `A summary counts all that fits: "${name}" has no place there.`, {
      hint: "Leave it out, or narrow the question with since, before, runId or hypothesisId.",
      pointer: `/${name}`,
    });
  }
  return question;
}

/** The segments a question is about: all when it names a run, else the visible one. @throws SkillError `INPUT_INVALID` */
export function asked<Segment extends { readonly number: number }>(
  segments: readonly Segment[],
  { segment, runId }: Pick<Question, "segment" | "runId">,
): readonly Segment[] {
  const which = segment ?? (runId === undefined ? "current" : "all");
  if (which === "all") return segments;
  if (which === "current") return segments.slice(-1);
  const chosen = segments.filter(({ number }) => String(number) === which);
  if (chosen.length > 0) return chosen;
  const there = segments.map(({ number }) => number).join(", ");
  throw new SkillError("INPUT_INVALID", `There is no segment ${which}.`, {
    hint: `These segments are there: ${there}.`,
    pointer: "/segment",
  });
}

type LineFormat = "json" | "ndjson";

const WRAPS = { json: ["[", ",\n", "]\n"], ndjson: ["", "\n", "\n"] } as const;

/**
 * The selected events as they are stored, inert, in pieces: an array, or one a line.
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function* eventLines(selection: Selection, format: LineFormat): AsyncGenerator<string> {
  const [open, between, close] = WRAPS[format];
  let before: string = open;
  for await (const lines of selected(selection)) {
    const texts = lines.flatMap(({ event, text }) => (event ? [text] : []));
    if (texts.length === 0) continue;
    yield before + inertLines(texts.join(between));
    before = between;
  }
  if (before === open && format === "json") yield open;
  if (before !== open || format === "json") yield close;
}

/** All pieces of an answer that is small enough to be held. */
export async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

/**
 * Stored lines as they may be shown. What this server has stored is so already; what somebody else has put into the log
 * may hold characters that do something, and white space between tokens that other readers take for the end of a line.
 */
function inertLines(lines: string): string {
  if (!/[^\n -~]/.test(lines)) return lines;
  // Within strings JSON has neither of the two.
  return escapeUnsafe(lines).replaceAll(/[\r\t]/g, " ");
}
