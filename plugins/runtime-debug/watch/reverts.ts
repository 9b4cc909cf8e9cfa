import type { SessionEntry } from "../session/entry.ts";
import { shelfOf } from "./looked.ts";
import type { Watch } from "./watch.ts";

/** What the check of the work tree, the second layer of the evidence gate, has put back in a session so far. */
export interface Reverts {
  /** Files, each as often as it was put back; from 1 to 100, which is as many as are kept. */
  readonly times: number;
  /** The folder of what stood there instead, also after the cleanup; missing when nothing did. Absolute. */
  readonly keptIn?: string;
}

/** `undefined` when nothing was put back. @throws SkillError `FILE_UNREADABLE` */
export async function revertsOf(
  watch: Watch,
  root: string,
  entry: Pick<SessionEntry, "id" | "baseline">,
): Promise<Reverts | undefined> {
  const sessions = await watch.sessions.list();
  const { reverted = [] } = sessions.find((one) => one.root === root && one.id === entry.id) ?? {};
  if (reverted.length === 0) return undefined;
  const isKept = reverted.some(({ keptAt }) => keptAt !== undefined);
  return { times: reverted.length, ...(isKept && { keptIn: shelfOf(entry) }) };
}

/** For reading: `2 times, kept in FOLDER`. */
export function revertsText({ times, keptIn }: Reverts): string {
  const often = times === 1 ? "once" : `${times} times`;
  return keptIn === undefined ? often : `${often}, kept in ${keptIn}`;
}
