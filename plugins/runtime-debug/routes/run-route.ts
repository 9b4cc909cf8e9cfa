import { inject, injectable } from "skillctl";
import type { RawBody, RouteHandler, RouteReply, RouteRequest } from "skillctl";
import type { KeyQuery, Refusal, RunReply } from "../contract.ts";
import { SESSION, type SessionHolder } from "../open-session.ts";
import { runName } from "../store/event/run-name.ts";
import { RUN_BODY } from "../problem-body.ts";

const LONGEST_NAME = 200;

/**
 * Names the run that events get which name none, whatever content type it comes with: curl says it is a form. It is on
 * the disk before the answer, as events are.
 */
@injectable()
export class RunRoute implements RouteHandler<KeyQuery, RawBody> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `FILE_UNWRITABLE` */
  async handle({ body }: RouteRequest<KeyQuery, RawBody>): Promise<RouteReply> {
    const { log, runChanged } = this.session.current;
    if (!body.whole) return { status: 413, body: refusal("too_large", "The body is over 1 MiB.") };
    const run = runIn(Buffer.from(body.bytes).toString());
    if (run === undefined) return { status: 400, body: refusal("bad_body", "The body names no run.") };
    const name = runName(run);
    // First the files: an answer that says it failed must not have switched the run.
    await runChanged(name);
    log.setRun(name);
    const reply: RunReply = { ok: true, run: name };
    return { status: 200, body: reply };
  }
}

/** The run that a body names as `runtime-debug/run-body` says; nothing else may be in it. */
function runIn(text: string): string | undefined {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Object.keys(value).join() !== "runId") return undefined;
  const { runId } = value as { readonly runId: unknown };
  if (typeof runId !== "string" || runId === "" || runId.length > LONGEST_NAME) return undefined;
  return runId;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // What is no JSON names no run.
    return undefined;
  }
}

function refusal(error: string, message: string): Refusal {
  return { ok: false, error, message, hint: RUN_BODY };
}
