import type { GuardOptions } from "./options.ts";
import type { Costly } from "./planned-rule.ts";
import type { GuardEvent, Subject } from "../plugin.ts";
import { UNREAD } from "../shell/unread.ts";

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

/**
 * What a request names beside its own folder, absolute: paths of a tool, and of a shell command what it writes, runs as a
 * program, and where it starts programs. A call from elsewhere can reach into a project too.
 */
export function namedPlaces({ paths = [], shell }: Subject): readonly string[] {
  const { writes = [], scripts = [], programs = [] } = shell ?? {};
  const folders = programs.flatMap(({ cwd }) => cwd ?? []);
  return [...new Set([...paths, ...writes, ...scripts, ...folders])];
}
