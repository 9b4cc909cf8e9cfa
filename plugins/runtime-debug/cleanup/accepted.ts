import { isAbsolute, join, relative, sep } from "node:path";
import { SkillError, type Files } from "skillctl";
import { linesOf } from "../regions/lines.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { exactText } from "../worktree/exact-text.ts";

/**
 * The lines, from 1, that were accepted, by path from the project folder. Places that are not there were mistyped; a file
 * that a fix has accepted may be gone.
 * @throws SkillError `USAGE`
 */
export async function acceptedPlaces(
  places: readonly string[],
  { root, entry }: OpenedSession,
  files: Files,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const accepted = new Map<string, Set<number>>();
  for (const place of places) {
    const at = place.lastIndexOf(":");
    const named = place.slice(0, at);
    const line = Number(place.slice(at + 1));
    const path = relative(root, isAbsolute(named) ? named : join(root, named))
      .split(sep)
      .join("/");
    accepted.set(path, (accepted.get(path) ?? new Set()).add(line));
    const file = join(root, path);
    const kind = (await files.facts(file))?.kind;
    if (kind === undefined && path in entry.accepted) continue;
    const bytes = kind === "file" ? await files.readBytes(file) : undefined;
    if (bytes && line <= Math.max(1, linesOf(exactText(bytes).text).length)) continue;
    const what = bytes ? `${path} has no line ${line}` : `${path} is no file of the project`;
    throw new SkillError("USAGE", `--accept: ${what}.`, {
      hint: "Name places as cleanup shows them: FILE:LINE, from the project folder.",
    });
  }
  return accepted;
}
