import { watch } from "node:fs";

/** Covers the several writes of one save or build. */
const QUIET_MS = 150;
/** Packages and git's files do not belong to a skill. */
const LEFT_OUT = /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/;

/** Calls `changed` once files below some folders have changed and remained unchanged for a moment. Returns a function that stops watching. */
export function watchFolders(folders: readonly string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const heard = (_: unknown, name: string | null): void => {
    if (name !== null && LEFT_OUT.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, QUIET_MS);
  };
  const watchers = folders.map((folder) =>
    // A removed folder is watched again when the next server starts.
    watch(folder, { recursive: true }, heard).on("error", () => undefined),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
