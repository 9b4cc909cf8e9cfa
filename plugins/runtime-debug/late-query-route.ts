import { inject, injectable, type RouteHandler, type RouteReply, type RouteRequest } from "skillctl";
import type { LogQuery } from "./contract.ts";
import { SESSION, type SessionHolder } from "./open-session.ts";

/** Answers questions. Loaded with the server, so that reading a log on the command line does not wait for it. */
@injectable()
export class LateQueryRoute implements RouteHandler<LogQuery, undefined> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  async handle(request: RouteRequest<LogQuery, undefined>): Promise<RouteReply> {
    const { QueryRoute } = await import("./query-route.ts");
    return new QueryRoute(this.session).handle(request);
  }
}
