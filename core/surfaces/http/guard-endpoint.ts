import type { RouteHandlerMethod } from "fastify";
import type { Host } from "../../composition.ts";
import type { GuardRequest } from "../../contract.ts";
import { withPaths } from "../hook/paths.ts";
import { completed } from "../hook/skillctl.ts";
import { sendJson } from "./command-endpoint.ts";
import { checkedBody } from "./route-endpoint.ts";

/** Where requests are put before the rules. */
export const GUARD_PATH = "/v1/guard";

/**
 * Answers a core/guard-request with a core/guard-decision: status 200 whatever is decided. What it leaves out of a tool
 * call is filled in as by `skillctl guard`.
 */
export function guardEndpoint({ schemas, guard, ports }: Host): RouteHandlerMethod {
  return async ({ body }, reply) => {
    const request = checkedBody(await schemas.check("core/guard-request"), body) as GuardRequest;
    const { environment, files } = ports;
    const place = { cwd: environment.workingFolder, home: environment.home, files };
    const subject = await withPaths(completed(request), place);
    return sendJson(reply, 200, await guard.decide(subject));
  };
}
