import { inject, injectable } from "skillctl";
import type { RouteHandler, RouteReply, RouteRequest } from "skillctl";
import type { LogQuery } from "../contract.ts";
import { SESSION, type OpenSession, type SessionHolder } from "../open-session.ts";
import type { OpenLog } from "../store/log/log-files.ts";
import { inertJson } from "../store/event/inert-text.ts";
import { asked, eventLines, select, whole } from "../store/read/selection.ts";
import { summary } from "../store/read/summary.ts";

/** A larger answer goes out in pieces. */
const LARGEST_WHOLE_BYTES = 256 * 1024;
const TYPES = {
  json: "application/json; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
} as const;

/** Answers events, or a summary: docs/runtime-debug.md, section Reading. */
@injectable()
export class QueryRoute implements RouteHandler<LogQuery, undefined> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  async handle({ query }: RouteRequest<LogQuery, undefined>): Promise<RouteReply> {
    const session = this.session.current;
    const log = await session.log.read((paths) => asked(paths, query));
    try {
      return await answer(session, log, query);
    } catch (caught) {
      await log.close();
      throw caught;
    }
  }
}

/** Closes the log once the answer is made, or has been sent. */
async function answer({ id, log }: OpenSession, open: OpenLog, query: LogQuery): Promise<RouteReply> {
  const { sources, close } = open;
  const { format = "json" } = query;
  if (format === "summary") {
    const facts = { session: id, run: log.run, rejected: log.facts().rejected };
    const counted = await summary(sources, query, facts);
    await close();
    return reply(inertJson(counted), "json");
  }
  const selection = await select(sources, query);
  const { more, dropped } = selection;
  const pieces = closing(eventLines(selection, format), close);
  const body = selection.bytes <= LARGEST_WHOLE_BYTES ? await whole(pieces) : pieces;
  const next = more && ("since" in more ? `since=${more.since}` : `before=${more.before}`);
  return reply(body, format, {
    ...(next !== undefined && { "debug-more": next }),
    ...(dropped > 0 && { "debug-left-out": String(dropped) }),
  });
}

/** What nobody takes to its end closes by itself after a while. */
async function* closing(pieces: AsyncIterable<string>, close: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* pieces;
  } finally {
    await close();
  }
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
