import type { Subject } from "../plugin.ts";
import { UNREAD } from "../shell/unread.ts";
import type { GuardOptions } from "./options.ts";
import { namedPlaces } from "./named-places.ts";
import type { Costly } from "./planned-rule.ts";

/** A request with what its rules ask for and nobody has found out yet: first the shell, as it names further places. */
export async function withFacts(
  subject: Subject,
  missing: readonly Costly[],
  { phases, shell }: Pick<GuardOptions, "phases" | "shell">,
): Promise<Subject> {
  const { command, cwd } = subject;
  let whole = subject;
  if (missing.includes("shell") && command !== undefined)
    whole = { ...whole, shell: shell ? await shell(command, cwd) : UNREAD };
  if (missing.includes("phases"))
    whole = { ...whole, phases: [...((await phases?.(cwd, namedPlaces(whole))) ?? [])] };
  return whole;
}
