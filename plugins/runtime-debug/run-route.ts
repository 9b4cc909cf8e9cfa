import { inject, injectable, type RouteHandler, type RouteReply, type RouteRequest } from "skillctl";
import type { KeyQuery, RunBody, RunReply } from "./contract.ts";
import { SESSION, type SessionHolder } from "./open-session.ts";

/** Names the run that events get which name none. It is on the disk before the answer, as events are. */
@injectable()
export class RunRoute implements RouteHandler<KeyQuery, RunBody> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  async handle({ body }: RouteRequest<KeyQuery, RunBody>): Promise<RouteReply> {
    const { log, runChanged } = this.session.current;
    log.setRun(body.runId);
    await runChanged();
    const reply: RunReply = { ok: true, run: log.run };
    return { status: 200, body: reply };
  }
}
