import { readdirSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";

/** Covers the several writes of one save or build. */
const QUIET_MS = 150;
/** Packages and git's files do not belong to a skill. */
const LEFT_OUT = new Set(["node_modules", ".git"]);

/** Calls `changed` once files below some folders have changed and remained unchanged for a moment. Returns a function that stops watching. */
export function watchFolders(folders: readonly string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let watchers: readonly FSWatcher[] = [];
  const heard = (_: unknown, name: string | null): void => {
    if (name !== null && LEFT_OUT.has(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      renew();
      changed();
    }, QUIET_MS);
  };
  const close = (): void => watchers.forEach((watcher) => watcher.close());
  // Each folder has a watcher: the recursive one of Node watches files on Linux, and loses one that another file replaces.
  const renew = (): void => {
    close();
    watchers = folders.flatMap(foldersIn).map((folder) => watch(folder, heard).on("error", () => undefined));
  };
  renew();
  return () => {
    clearTimeout(timer);
    close();
  };
}

/** A folder and those below it; none if it is gone: it is watched again when the next server starts. */
function foldersIn(folder: string): readonly string[] {
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !LEFT_OUT.has(entry.name),
    );
    return [folder, ...below.flatMap(({ name }) => foldersIn(join(folder, name)))];
  } catch {
    return [];
  }
}
