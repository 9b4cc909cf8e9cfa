import type { GuardOptions } from "./options.ts";
import type { Costly } from "./rules.ts";
import type { GuardEvent, Subject } from "../plugin.ts";
import { unreadFacts } from "../shell/unread.ts";

/** Events after an action, which may have reached projects that the request does not name. */
const LOOKS_BACK: ReadonlySet<GuardEvent> = new Set<GuardEvent>(["tool.post", "turn.stop", "session.end"]);

/** A request with the facts that its rules need and that are missing. The shell comes first, since it names further places. */
export async function withFacts(
  subject: Subject,
  missing: readonly Costly[],
  { phases, shell, edits }: Pick<GuardOptions, "phases" | "shell" | "edits">,
): Promise<Subject> {
  const { command, cwd, event } = subject;
  let whole = subject;
  if (missing.includes("shell") && command !== undefined)
    whole = { ...whole, shell: shell ? await shell(command, cwd) : unreadFacts(command) };
  if (missing.includes("phases")) {
    const found = await phases?.(cwd, namedPlaces(whole), { everywhere: LOOKS_BACK.has(event) });
    whole = { ...whole, phases: [...(found ?? [])] };
  }
  // Files are read only if a skill is in a phase.
  if (missing.includes("edits") && event === "tool.pre" && whole.phases?.length) {
    const found = await edits?.(whole);
    if (found) whole = { ...whole, edits: [...found] };
  }
  return whole;
}

/**
 * The absolute paths that a request names besides its own folder: paths of a tool; of a shell command the files that it
 * writes or runs and the folders in which it starts programs. A call from another folder can also change a project.
 */
export function namedPlaces({ paths = [], shell }: Subject): readonly string[] {
  const { writes = [], scripts = [], programs = [] } = shell ?? {};
  const folders = programs.flatMap(({ cwd }) => cwd ?? []);
  return [...new Set([...paths, ...writes, ...scripts, ...folders])];
}
