import { statSync } from "node:fs";

/** What tells whether files are still those that were seen. */
export interface Stamp {
  readonly text: string;
  /** A file was changed so lately that a further change need not show in its times. */
  readonly young: boolean;
}

/** Coarser than the times of any file system in use but FAT, in milliseconds. */
const YOUNG_MS = 50;

/** Of files and folders, links followed; a missing one, or one that cannot be looked at, counts too. */
export function stampOf(paths: readonly string[], nowMs = Date.now()): Stamp {
  let young = false;
  const facts = paths.map((path) => {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found) return "none";
      const { dev, ino, size, mtimeMs, ctimeMs } = found;
      if (nowMs - ctimeMs < YOUNG_MS) young = true;
      return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    } catch (caught) {
      return (caught as NodeJS.ErrnoException).code ?? "none";
    }
  });
  return { text: facts.join("\n"), young };
}
