import { CLOCK, SkillError, inject, injectable } from "skillctl";
import type { Clock, RouteHandler, RouteReply, RouteRequest } from "skillctl";
import type { LogQuery } from "./contract.ts";
import { SESSION, type OpenSession, type SessionHolder } from "./open-session.ts";
import { comparison } from "./store/read/comparison.ts";
import { eventLines, whole, type LineFormat } from "./store/read/event-lines.ts";
import { follow } from "./store/read/follow.ts";
import { leftOut } from "./store/read/left-out.ts";
import { sourcesOf } from "./store/read/log-source.ts";
import { completeIn, select } from "./store/read/selection.ts";

import { summary } from "./store/read/summary.ts";
import { Turns } from "./store/read/turns.ts";

/** A larger answer goes out in pieces. */
const LARGEST_WHOLE_BYTES = 256 * 1024;
const TYPES = {
  json: "application/json; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
  follow: "text/event-stream; charset=utf-8",
} as const;

/** Answers events, a summary or a comparison: docs/runtime-debug.md, section Reading. */
@injectable()
export class QueryRoute implements RouteHandler<LogQuery, undefined> {
  readonly #turns: Turns;

  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(CLOCK) clock: Clock,
  ) {
    this.#turns = new Turns(clock);
  }

  async handle({ query, headers, signal }: RouteRequest<LogQuery, undefined>): Promise<RouteReply> {
    const session = this.session.current;
    if (query.follow === "1" || query.follow === "true") {
      refuseEnd(query);
      const since = query.since ?? numberOf(headers["last-event-id"]);
      const question = since === undefined ? query : { ...query, since };
      return reply(follow(session.log, question, signal), "follow");
    }
    return this.#turns.take(session.log.facts().seq, signal, () => answer(session, query));
  }
}

async function answer(session: OpenSession, query: LogQuery): Promise<RouteReply> {
  const { format = "json" } = query;
  if (format === "summary")
    return reply(await summary(sourcesOf(session.log.segments), query, factsOf(session)), "json");
  if (format === "diff")
    return reply(await comparison(sourcesOf(session.log.segments), query, session.id), "json");
  return lines(session, query, format);
}

async function lines(session: OpenSession, query: LogQuery, format: LineFormat): Promise<RouteReply> {
  const selection = await select(sourcesOf(session.log.segments), query);
  const pieces = eventLines(selection, format);
  const body = selection.bytes <= LARGEST_WHOLE_BYTES ? await whole(pieces) : pieces;
  const { more } = selection;
  const next = more && ("since" in more ? `since=${more.since}` : `before=${more.before}`);
  const gaps = leftOut(selection.sources, selection.filter, completeIn(selection));
  const dropped = gaps.reduce((sum, { events }) => sum + events, 0);
  return reply(body, format, {
    ...(next !== undefined && { "debug-more": next }),
    ...(dropped > 0 && { "debug-left-out": String(dropped) }),
  });
}

/** What has an end cannot be followed. @throws SkillError `INPUT_INVALID` */
function refuseEnd({ format, before }: LogQuery): void {
  const isCount = format === "summary" || format === "diff";
  if (!isCount && before === undefined) return;
  throw new SkillError(
    "INPUT_INVALID",
    `"follow" goes on with events: ${isCount ? format : "before"} has an end.`,
    {
      hint: "Ask for one of the two.",
      pointer: isCount ? "/format" : "/before",
    },
  );
}

function reply(
  body: unknown,
  type: keyof typeof TYPES,
  more: Readonly<Record<string, string>> = {},
): RouteReply {
  return {
    status: 200,
    body,
    headers: { "content-type": TYPES[type], "cache-control": "no-store", ...more },
  };
}

function factsOf({ id, log }: OpenSession): { session: string; run: string; rejected: number } {
  return { session: id, run: log.run, rejected: log.facts().rejected };
}

function numberOf(header: string | readonly string[] | undefined): number | undefined {
  const text = typeof header === "string" ? header : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
