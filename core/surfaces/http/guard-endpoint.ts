import type { RouteHandlerMethod } from "fastify";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Subject } from "../../plugin.ts";
import { sendJson } from "./reply.ts";

/** Where requests are put before the rules. */
export const GUARD_PATH = "/v1/guard";

/** Answers a core/guard-request with a core/guard-decision: status 200 whatever is decided. */
export function guardEndpoint({ schemas, guard }: Host): RouteHandlerMethod {
  return async ({ body }, reply) => {
    const fault = (await schemas.check("core/guard-request"))(body);
    if (fault) {
      throw new SkillError("INPUT_INVALID", fault.sentence.replace(/^The value/, "The body"), {
        pointer: fault.pointer,
        hint: "The body's schema is in /openapi.json.",
      });
    }
    return sendJson(reply, 200, await guard.decide(body as Subject));
  };
}
