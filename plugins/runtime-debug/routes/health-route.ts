import { CLOCK, inject, injectable } from "skillctl";
import type { Clock, RouteHandler, RouteReply } from "skillctl";
import type { HealthReply, KeyQuery } from "../contract.ts";
import { SESSION, type SessionHolder } from "../open-session.ts";

const MOST_FINDINGS = 20;
const MOST_CHARACTERS = 400;

/** Says what the server is and how it does. Who knows the instance knows that it is this server. */
@injectable()
export class HealthRoute implements RouteHandler<KeyQuery, undefined> {
  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(): Promise<RouteReply> {
    const { id, instance, port, startedMs, log } = this.session.current;
    const facts = log.facts();
    const findings = facts.findings.slice(-MOST_FINDINGS).map((one) => one.slice(0, MOST_CHARACTERS));
    const reply: HealthReply = {
      ok: facts.storage === undefined,
      status: facts.storage === undefined ? "ok" : "storage",
      session_id: id,
      sessionId: id,
      uptime: Math.floor((this.clock.monotonicMs() - startedMs) / 1_000),
      log_count: facts.events,
      last_event_ts: facts.lastAt ?? null,
      pid: process.pid,
      port,
      run: facts.run.slice(0, 200),
      segment: facts.segment,
      seq: facts.seq,
      rejected: facts.rejected,
      dropped: facts.dropped,
      bytes: facts.bytes,
      instance,
      recovered: findings,
    };
    return { status: 200, body: reply };
  }
}
