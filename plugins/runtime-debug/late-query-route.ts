import { CLOCK, inject, injectable } from "skillctl";
import type { Clock, RouteHandler, RouteReply, RouteRequest } from "skillctl";
import type { LogQuery } from "./contract.ts";
import { SESSION, type SessionHolder } from "./open-session.ts";
import type { QueryRoute } from "./query-route.ts";

/** Answers questions. Its code is loaded with the first, so that reading a log on the command line does not wait for it. */
@injectable()
export class LateQueryRoute implements RouteHandler<LogQuery, undefined> {
  #route: QueryRoute | undefined;

  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(request: RouteRequest<LogQuery, undefined>): Promise<RouteReply> {
    if (!this.#route) {
      const { QueryRoute } = await import("./query-route.ts");
      this.#route ??= new QueryRoute(this.session, this.clock);
    }
    return this.#route.handle(request);
  }
}
