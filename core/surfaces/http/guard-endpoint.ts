import type { RouteHandlerMethod } from "fastify";
import type { Host } from "../../composition.ts";
import { noteOutcome } from "../../adapters/audit-file.ts";
import { noting } from "../../adapters/call-log.ts";
import type { GuardRequest } from "../../contract.ts";
import { CLAUDE_CODE } from "../hook/claude-code.ts";
import { MAX_EVENT_BYTES, respond, strictest } from "../hook/hook.ts";
import { completed } from "../hook/skillctl.ts";
import { sendJson } from "./command-endpoint.ts";
import { checkedBody } from "./route-endpoint.ts";

export const GUARD_PATH = "/v1/guard";

/**
 * Answers a core/guard-request with a core/guard-decision: status 200 for every decision. Missing properties of a tool call
 * are filled in as by `skillctl guard`.
 */
export function guardEndpoint({ schemas, guard, ports }: Host): RouteHandlerMethod {
  return async ({ body }, reply) => {
    const request = checkedBody(await schemas.check("core/guard-request"), body) as GuardRequest;
    const { environment, files } = ports;
    const place = { cwd: environment.workingFolder, home: environment.home, files };
    const decided = await strictest(completed(request), place, (subject) => guard.decide(subject));
    return sendJson(reply, 200, decided);
  };
}

/** The address for HTTP hooks of Claude Code; events may be as large as for `skillctl guard`. */
export const HOOK_PATH = "/v1/hook/claude-code";
export const HOOK_OPTIONS = { bodyLimit: MAX_EVENT_BYTES };

/** Answers an event of Claude Code in its format: status 200 for every decision, because no status denies there. */
export function hookEndpoint({ guard, ports }: Host): RouteHandlerMethod {
  const { environment, files, log } = ports;
  const { workingFolder: cwd, home, stateFolder } = environment;
  return async ({ body }, reply) => {
    const { out, err } = await respond(JSON.stringify(body), {
      dialect: CLAUDE_CODE,
      base: { cwd, home, files },
      decide: noting((subject) => guard.decide(subject), stateFolder, log),
      changed: (id, decision) => noteOutcome(stateFolder, { id, decision, by: CLAUDE_CODE.name }, log),
    });
    // For an unknown event, only stopping the turn prevents the action.
    const refused = err === "" ? {} : { continue: false, stopReason: err.trim() };
    return sendJson(reply, 200, out === "" ? refused : (JSON.parse(out) as object));
  };
}
