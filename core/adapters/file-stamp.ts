import { statSync } from "node:fs";

/** What tells whether files are still those that were seen. */
export interface Stamp {
  readonly text: string;
  /** A file was changed so lately that a further change need not show in its times. */
  readonly young: boolean;
}

/** Coarser than the times of any file system in use but FAT, in nanoseconds. */
const YOUNG_NS = 50_000_000n;

/** Of files and folders, links followed; a missing one, or one that cannot be looked at, counts too. */
export function stampOf(paths: readonly string[], nowMs = Date.now()): Stamp {
  let young = false;
  const facts = paths.map((path) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      if (BigInt(nowMs) * 1_000_000n - ctimeNs < YOUNG_NS) young = true;
      return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    } catch (caught) {
      return (caught as NodeJS.ErrnoException).code ?? "none";
    }
  });
  return { text: facts.join("\n"), young };
}
