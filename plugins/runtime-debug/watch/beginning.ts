import { basename, join } from "node:path";
import type { Files, Programs } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { BYTECODE_FOLDER } from "./bytecode.ts";
import { writeCopies } from "./copies.ts";
import { isOfSession } from "./harmless.ts";
import { Ignored } from "./ignored.ts";
import { writeManifest } from "./manifest.ts";
import { headOf, surveyTree } from "./survey.ts";

export interface WatchPorts {
  readonly files: Files;
  readonly programs: Programs;
}

/** Where the manifests of a session lie: beside its images. The newest has the highest number. */
export function watchFolder({ baseline }: Pick<SessionEntry, "baseline">): string {
  return join(baseline.images, "watch");
}

/** The folder of the newest manifest that is whole or not. */
export async function newest(files: Files, folder: string): Promise<number> {
  const numbers = ((await files.list(folder)) ?? []).map(Number).filter(Number.isSafeInteger);
  return Math.max(0, ...numbers);
}

/**
 * Takes down every file as it is now, with a copy of its own. Older ones of the session go when it is whole.
 * @throws SkillError `PROGRAM_FAILED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `DEBUG_STATE_DAMAGED`, `CANCELLED`
 */
export async function beginManifest(
  { files, programs }: WatchPorts,
  root: string,
  entry: Pick<SessionEntry, "id" | "baseline">,
  signal?: AbortSignal,
): Promise<void> {
  const folder = watchFolder(entry);
  const former = await newest(files, folder);
  const place = join(folder, String(former + 1));
  await files.remove(place);
  await files.makeFolder(place);
  const rules = await Ignored.open(files, programs, root, entry.baseline);
  const [{ ignored, doubtful }, tracked, head] = await Promise.all([
    rules.list(files, former === 0),
    rules.tracked(),
    headOf(files, root),
  ]);
  const all = new Set(ignored);
  const extra = tracked.filter((path) => isIn(path, all));
  const start = performance.now();
  const isTools = (name: string): boolean => rules.isPlain && LEFT_OUT.has(name) && name !== BYTECODE_FOLDER;
  const survey = await surveyTree(files, root, { ignored: all, extra }, isTools);
  const kept = new Set(tracked);
  const open = new Set(doubtful);
  const within = (survey?.found ?? []).map(({ path }) => path).filter((path) => isIn(path, open));
  const alone = await rules.among(within, () => true);
  const found = (survey?.found ?? []).filter(
    ({ path, kind }) =>
      kind !== "other" &&
      ((!all.has(path) && !alone.has(path)) || kept.has(path) || isIgnoreList(path)) &&
      !isOfSession(path, basename(path), entry.id),
  );
  const folders = survey?.folders ?? [];
  const marks = await files.marks([...folders, ""].map((path) => join(root, path)));
  const modes = marks.map((mark) => mark?.mode ?? null);
  const entered = folders.map((path) => path.slice(0, -1)).filter((path) => LEFT_OUT.has(basename(path)));
  await writeCopies(files, root, place, found, signal);
  const tookMs = (): number => performance.now() - start;
  await writeManifest(
    files,
    place,
    found,
    { ignored: [...ignored, ...alone], extra, entered, folders, modes, isPlain: rules.isPlain },
    { head, tookMs },
  );
  for (let old = former; old > 0 && (await files.facts(join(folder, String(old)))); old -= 1)
    await files.remove(join(folder, String(old)));
}

/** Whether a path, or a folder above it, is in a list. */
export function isIn(path: string, list: ReadonlySet<string>): boolean {
  if (list.has(path)) return true;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    if (list.has(path.slice(0, at + 1))) return true;
  return false;
}

/** Ignore lists are looked after although they may be ignored: with one everything else could be hidden. */
export function isIgnoreList(path: string): boolean {
  return basename(path) === ".gitignore";
}
