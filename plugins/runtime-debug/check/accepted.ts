import { createHash } from "node:crypto";
import type { State } from "../protocol/steps.ts";
import type { SessionEntry } from "../session/entry.ts";

const FIX_STATES: ReadonlySet<State> = new Set<State>([
  "fixing",
  "verifying",
  "confirming",
  "cleaning",
  "closed",
]);

/** Whether code may differ: log lines have confirmed a hypothesis. */
export function isFixState(state: State): boolean {
  return FIX_STATES.has(state);
}

/** Whether a file is as a fix of an earlier round has left it. */
export function isAccepted({ accepted }: SessionEntry, path: string, stripped: string | undefined): boolean {
  const known = accepted[path];
  if (known === undefined || stripped === undefined) return known === "" && stripped === undefined;
  return createHash("sha256").update(stripped).digest("hex") === known;
}
