import { inject, injectable, type RouteHandler, type RouteReply, type RouteRequest } from "skillctl";
import type { ClearQuery } from "../contract.ts";
import { SESSION, type SessionHolder } from "../open-session.ts";

/** Empties the visible log; earlier events stay for comparison unless they are purged. */
@injectable()
export class ClearRoute implements RouteHandler<ClearQuery, undefined> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  async handle({ query: { purge } }: RouteRequest<ClearQuery, undefined>): Promise<RouteReply> {
    await this.session.current.log.clear({ purge: purge === "1" || purge === "true" });
    return { status: 200, body: "ok" };
  }
}
