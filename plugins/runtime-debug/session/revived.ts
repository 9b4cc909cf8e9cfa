import { SkillError, type Call } from "skillctl";
import type { DebugServers } from "../server/ensure-server.ts";
import type { OpenedSession } from "./sessions.ts";

/**
 * Makes sure that the next try arrives, where a run has no events.
 * @throws SkillError `DEBUG_STEP` when the server was away, which is why there are none, and what its start throws
 */
export async function revived(
  opened: OpenedSession,
  action: "answer A" | "verify",
  servers: DebugServers,
  call: Call,
): Promise<void> {
  if (await servers.running(opened)) return;
  const { url } = await servers.ensure(opened, call);
  const why = "no event has been collected in this run, because the debug server was not running";
  throw new SkillError("DEBUG_STEP", `"${action}" is not possible now: ${why}.`, {
    hint: `It runs again at ${url}: have the user go the same way once more, then repeat this command.`,
  });
}
