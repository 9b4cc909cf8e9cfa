import { Buffer } from "node:buffer";
import { SkillError } from "skillctl";
import type { LogQuery } from "../../contract.ts";
import { escapeUnsafe } from "../event/inert-text.ts";
import { linesBackwards, linesBetween, type LogLine, type LogSource } from "../log/log-lines.ts";
import { EventFilter } from "./event-filter.ts";

/** The maximum size of an answer in bytes. */
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const DEFAULT_LIMIT = 10_000;
const LARGEST_LIMIT = 100_000;

/** The query for events. */
export type Question = Omit<LogQuery, "format" | "k">;

/**
 * An event in an answer, or the number of events that may have been left out at this place because the log was full.
 */
interface Shown {
  readonly text: string;
  readonly leftOut: number;
}

/** The events that answer a query. */
export interface Selection {
  /** Oldest first. */
  readonly shown: readonly Shown[];
  readonly filter: EventFilter;
  readonly count: number;
  readonly bytes: number;
  /** The maximum number of matching events in between that were left out because the log was full. */
  readonly dropped: number;
  /** Present if more events match: later ones for `since` or, if the last were requested, earlier ones for `before`. */
  readonly more: { readonly since: number } | { readonly before: number } | undefined;
}

/**
 * Finds the events of a query: the last ones, or the first ones from `since` on. @param sources the
 * segments of the query, oldest first @param textOf formats an event; default as stored @param
 * mostBytes limit for all of them; one event is returned in any case
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function select(
  sources: readonly LogSource[],
  question: Question,
  textOf: (stored: string) => string = (stored) => stored,
  mostBytes: number = MOST_ANSWER_BYTES,
): Promise<Selection> {
  const { last = 0, limit } = question;
  const backwards = last > 0;
  const most = Math.min(
    limit ?? (backwards ? LARGEST_LIMIT : DEFAULT_LIMIT),
    backwards ? last : LARGEST_LIMIT,
  );
  const filter = new EventFilter(question);
  const shown: Shown[] = [];
  // A gap counts once it is between two events of the answer.
  let waiting: Shown[] = [];
  let [count, bytes, seq, isFull] = [0, 0, 0, false];
  const take = (line: LogLine): void => {
    const leftOut = line.gap ? filter.leftOut(line.gap) : 0;
    if (leftOut > 0) waiting.push({ text: "", leftOut });
    if (!filter.fits(line)) return;
    const text = textOf(line.text);
    const size = Buffer.byteLength(text) + 1;
    isFull = count === most || (count > 0 && bytes + size > mostBytes);
    if (isFull) return;
    shown.push(...waiting, { text, leftOut: 0 });
    waiting = [];
    [count, bytes, seq] = [count + 1, bytes + size, line.seq || seq];
  };
  for await (const lines of linesOf(sources, filter, backwards)) {
    for (const line of lines) if (!isFull) take(line);
    if (isFull) break;
  }
  if (!isFull) shown.push(...waiting);
  const isCut = isFull && !(backwards && count === last);
  return {
    shown: backwards ? shown.reverse() : shown,
    filter,
    count,
    bytes,
    dropped: shown.reduce((sum, { leftOut }) => sum + leftOut, 0),
    more: isCut ? (backwards ? { before: seq } : { since: seq }) : undefined,
  };
}

/** The lines of a log that may be requested, in blocks, oldest or newest first. */
export async function* linesOf(
  sources: readonly LogSource[],
  { since, hint }: EventFilter,
  backwards = false,
): AsyncGenerator<readonly LogLine[]> {
  for (const source of backwards ? sources.toReversed() : sources) {
    const { reader, end } = source;
    if (backwards) yield* linesBackwards(reader, end, hint);
    else yield* linesBetween(reader, await startAfter(source, since), end, hint);
  }
}

/** A position before which no line has a greater number: numbers increase, and queries for the end are frequent. */
async function startAfter({ reader, end }: LogSource, number: number): Promise<number> {
  if (number <= 0) return 0;
  for await (const lines of linesBackwards(reader, end)) {
    const first = lines.at(-1);
    if (first && first.seq > 0 && first.seq <= number) return first.offset;
  }
  return 0;
}

/** The segments for a query: all if it names a run, otherwise the visible one. @throws SkillError `INPUT_INVALID` */
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
    hint: `The log has these segments: ${there}.`,
    pointer: "/segment",
  });
}

const WRAPS = { json: ["[", ",\n", "]\n"], ndjson: ["", "\n", "\n"] } as const;
/** The number of events in one chunk of a response. */
const PIECE = 500;

/** The selected events as they are stored, inert, in pieces: as an array, or one per line. */
export function* eventLines({ shown }: Selection, format: keyof typeof WRAPS): Generator<string> {
  const [open, between, close] = WRAPS[format];
  const texts = shown.filter(({ leftOut }) => leftOut === 0).map(({ text }) => text);
  if (texts.length === 0) return yield format === "json" ? open + close : "";
  for (let at = 0; at < texts.length; at += PIECE)
    yield (at === 0 ? open : between) + inertLines(texts.slice(at, at + PIECE).join(between));
  yield close;
}

/**
 * Makes stored lines safe to show. Lines of this server are already safe; lines of other programs may contain control
 * characters, and white space between tokens that other parsers treat as a line end.
 */
function inertLines(lines: string): string {
  if (!/[^\n -~]/.test(lines)) return lines;
  // JSON strings contain neither of these characters.
  return escapeUnsafe(lines).replaceAll(/[\r\t]/g, " ");
}
