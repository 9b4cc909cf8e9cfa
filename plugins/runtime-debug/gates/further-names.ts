import { join } from "node:path";
import type { Files } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
import { inside } from "./inside.ts";

/**
 * Of paths outside of a project those that are a further name of a file in it (hard links), with its path there. What is
 * written under one name stands under all.
 */
export async function furtherNames(
  root: string,
  session: SessionEntry,
  paths: readonly string[],
  files: Files,
): Promise<readonly (readonly [path: string, own: string])[]> {
  const found: (readonly [string, string])[] = [];
  if (session.baseline.images === "") return found;
  for (const path of paths) {
    if (inside(root, path) !== undefined) continue;
    const facts = await files.facts(path);
    if (facts?.kind !== "file" || (facts.names ?? 1) < 2) continue;
    const real = (await files.realPath(path)) ?? path;
    const own = await nameIn(root, session, real, files);
    if (own !== undefined) found.push([path, own]);
  }
  return found;
}

/** The marks say which inode a file has, not on which disk: one that is another file differs in its times. */
async function nameIn(
  root: string,
  session: SessionEntry,
  path: string,
  files: Files,
): Promise<string | undefined> {
  const { newest, watchFolder } = await import("../watch/beginning.ts");
  const { Manifest } = await import("../watch/manifest.ts");
  const folder = watchFolder(session);
  const manifest = await Manifest.open(files, join(folder, String(await newest(files, folder))));
  const [mark] = await files.marks([path]);
  if (!manifest || !mark) return undefined;
  const candidates = manifest.withInode(mark.inode);
  const marks = await files.marks(candidates.map((own) => `${root}/${own}`));
  const at = marks.findIndex(
    (one) => one?.inode === mark.inode && one.changedMs === mark.changedMs && one.bytes === mark.bytes,
  );
  return candidates[at];
}
