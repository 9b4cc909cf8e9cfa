import type { GuardEvent, Subject } from "../plugin.ts";
import { UNREAD } from "../shell/unread.ts";
import type { GuardOptions } from "./options.ts";
import { namedPlaces } from "./named-places.ts";
import type { Costly } from "./planned-rule.ts";

/** What has been done may have reached any project, whatever the request names. */
const LOOKS_BACK: ReadonlySet<GuardEvent> = new Set<GuardEvent>(["tool.post", "turn.stop", "session.end"]);

/** A request with what its rules ask for and nobody has found out yet: first the shell, as it names further places. */
export async function withFacts(
  subject: Subject,
  missing: readonly Costly[],
  { phases, shell }: Pick<GuardOptions, "phases" | "shell">,
): Promise<Subject> {
  const { command, cwd, event } = subject;
  let whole = subject;
  if (missing.includes("shell") && command !== undefined)
    whole = { ...whole, shell: shell ? await shell(command, cwd) : UNREAD };
  if (missing.includes("phases")) {
    const found = await phases?.(cwd, namedPlaces(whole), { everywhere: LOOKS_BACK.has(event) });
    whole = { ...whole, phases: [...(found ?? [])] };
  }
  return whole;
}
