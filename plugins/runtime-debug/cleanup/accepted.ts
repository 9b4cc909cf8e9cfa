import { isAbsolute, join, relative, sep } from "node:path";
import { SkillError, type Files } from "skillctl";
import { linesOf } from "../regions/lines.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { exactText } from "../worktree/exact-text.ts";

/** The lines, from 1, that were accepted, by path from the project folder. */
export function acceptedPlaces(
  places: readonly string[],
  root: string,
): ReadonlyMap<string, ReadonlySet<number>> {
  const accepted = new Map<string, Set<number>>();
  for (const place of places) {
    const at = place.lastIndexOf(":");
    const named = place.slice(0, at);
    const path = (isAbsolute(named) ? relative(root, named) : named)
      .split(sep)
      .join("/")
      .replace(/^\.\//, "");
    const lines = accepted.get(path) ?? new Set();
    accepted.set(path, lines.add(Number(place.slice(at + 1))));
  }
  return accepted;
}

/** Places that are not there were mistyped. A file that a fix has accepted may be gone. @throws SkillError `USAGE` */
export async function refuseUnknown(
  accepted: ReadonlyMap<string, ReadonlySet<number>>,
  { root, entry }: OpenedSession,
  files: Files,
): Promise<void> {
  for (const [path, lines] of accepted) {
    const file = join(root, path);
    const kind = (await files.facts(file))?.kind;
    if (kind === undefined && path in entry.accepted) continue;
    const bytes = kind === "file" ? await files.readBytes(file) : undefined;
    const last = bytes ? linesOf(exactText(bytes).text).length : 0;
    const beyond = [...lines].find((line) => line > Math.max(1, last));
    if (bytes && beyond === undefined) continue;
    const what = bytes ? `${path} has no line ${beyond ?? 0}` : `${path} is no file of the project`;
    throw new SkillError("USAGE", `--accept: ${what}.`, {
      hint: "Name places as cleanup shows them: FILE:LINE, from the project folder.",
    });
  }
}
