import type { Files, Programs } from "skillctl";
import type { Finding } from "../check/finding.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { probesInGit } from "./git-look.ts";
import type { TreeFile } from "./tree-plan.ts";

/** What a cleanup has seen and done. */
export interface Seen {
  readonly tree: readonly TreeFile[];
  readonly isLost: boolean;
  readonly cleaned: readonly string[];
  /** Files that have changed since the fix was accepted. */
  readonly changed: readonly string[];
  readonly dropped: readonly Finding[];
}

/** What somebody has to know of the code who closes a session, though nothing of it keeps the session open. */
export async function codeNotes(
  { root, entry }: OpenedSession,
  { tree, isLost, cleaned, changed, dropped }: Seen,
  ports: { readonly files: Files; readonly programs: Programs },
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const isAborted = entry.outcome === "aborted";
  const gone = isAborted ? tree.filter(({ before, now }) => before && !now) : [];
  const probed = entry.probes.flatMap(({ file }) => file ?? []);
  return [
    ...(isLost ? [LOST] : []),
    ...dropped.map((one) => ({ ...one, sentence: `Removed with its region. ${one.sentence}` })),
    ...changed.map((file) => ({
      file,
      code: "changed-after-fix",
      sentence: "Changed after the fix was accepted: the runs that were compared have not shown this.",
    })),
    ...gone.map(({ path }) => ({
      file: path,
      code: "file-removed",
      sentence: "Removed by somebody since the start; what the session has kept of it goes with the cleanup.",
    })),
    ...(await probesInGit(root, [...cleaned, ...probed, ...tree.map(({ path }) => path)], ports, signal)),
  ];
}

const LOST: Finding = {
  code: "no-image",
  sentence: "The images of the code before the session are gone: only regions were removed.",
  hint: "Look through what git diff shows, or hold the code against a copy of your own.",
};
