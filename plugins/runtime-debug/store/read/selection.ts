import { SkillError } from "skillctl";
import { EventFilter, type Asked } from "./event-filter.ts";
import type { Stretch } from "./left-out.ts";
import type { LinePlace } from "../log/line-index.ts";
import type { LogSource } from "./log-source.ts";
import { search } from "./search.ts";

/** What an answer may hold. */
export const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const DEFAULT_LIMIT = 10_000;
const LARGEST_LIMIT = 100_000;

/** Which events are asked for, and how many: schemas/runtime-debug/log-query.json. */
export interface Question extends Asked {
  readonly last?: number | undefined;
  readonly limit?: number | undefined;
  readonly segment?: string | undefined;
}

/** Events that fit, oldest first. */
export interface Selection {
  readonly parts: readonly { readonly source: LogSource; readonly places: readonly LinePlace[] }[];
  /** The segments that were searched, oldest first, and for what. */
  readonly sources: readonly LogSource[];
  readonly filter: EventFilter;
  /** The last were asked for. */
  readonly backwards: boolean;
  readonly count: number;
  /** Of the lines in the log, line feeds included. */
  readonly bytes: number;
  /** Not all that fits is there. */
  readonly isFull: boolean;
  /** There is more that fits: later events, which `since` gets, or earlier ones, for `before`, when the last were asked. */
  readonly more: { readonly since: number } | { readonly before: number } | undefined;
}

/**
 * Finds the events that answer a question: the last so many, or the first so many from `since` on.
 * @param sources oldest first
 * @throws SkillError `INPUT_INVALID` for a segment that is not there, `FILE_UNREADABLE`
 */
export async function select(sources: readonly LogSource[], question: Question): Promise<Selection> {
  const { last = 0, limit } = question;
  const backwards = last > 0;
  const most = Math.min(
    limit ?? (backwards ? LARGEST_LIMIT : DEFAULT_LIMIT),
    backwards ? last : LARGEST_LIMIT,
  );
  const filter = new EventFilter(question);
  const chosen = asked(sources, question);
  const parts: { source: LogSource; places: LinePlace[] }[] = [];
  let count = 0;
  let bytes = 0;
  let isFull = false;
  for (const source of backwards ? chosen.toReversed() : chosen) {
    const places: LinePlace[] = [];
    // One more than wanted, to know whether there is more.
    for await (const found of search(source, { filter, backwards, most: most - count + 1 })) {
      for (const place of found) {
        isFull ||= count === most || (count > 0 && bytes + place.length > MOST_ANSWER_BYTES);
        if (isFull) break;
        places.push(place);
        count += 1;
        bytes += place.length;
      }
      if (isFull) break;
    }
    if (places.length > 0) parts.push({ source, places: backwards ? places.reverse() : places });
    if (isFull) break;
  }
  if (backwards) parts.reverse();
  const first = parts[0]?.places[0]?.seq ?? 0;
  const newest = parts.at(-1)?.places.at(-1)?.seq ?? 0;
  const isCut = isFull && !(backwards && count === last);
  return {
    parts,
    sources: chosen,
    filter,
    backwards,
    isFull,
    count,
    bytes,
    more: isCut ? (backwards ? { before: first } : { since: newest }) : undefined,
  };
}

/** The part of the log that a selection has all of what fits in. */
export function completeIn({ parts, backwards, isFull }: Selection): Stretch {
  const [oldest, newest] = [parts[0], parts.at(-1)];
  const [first, last] = [oldest?.places[0], newest?.places.at(-1)];
  if (!isFull || !oldest || !newest || !first || !last) return {};
  return backwards
    ? { from: { source: oldest.source, offset: first.offset } }
    : { to: { source: newest.source, offset: last.offset } };
}

/**
 * The filter of an answer that counts all that fits, and so is not about a number of events.
 * @throws SkillError `INPUT_INVALID` when one is asked for
 */
export function countable(question: Question): EventFilter {
  for (const name of ["last", "limit"] as const) {
    if (question[name] === undefined) continue;
    throw new SkillError(
      "INPUT_INVALID",
      `A summary or comparison counts all that fits: "${name}" has no place there.`,
      {
        hint: "Leave it out, or narrow the question with since, before, runId or hypothesisId.",
        pointer: `/${name}`,
      },
    );
  }
  return new EventFilter(question);
}

/** The segments a question is about: all when it names a run, else the visible one. */
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
