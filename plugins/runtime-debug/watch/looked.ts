import type { Files } from "skillctl";
import type { Worktree } from "../worktree/worktree.ts";
import type { WatchPorts } from "./beginning.ts";

/** One file that was put back as it was. */
export interface Reverted {
  /** From the project folder. */
  readonly path: string;
  readonly kind: "changed" | "added" | "removed";
  /** Where what stood there is kept; missing when nothing stood there. Absolute. */
  readonly keptAt?: string;
  /** What was wrong with a region of it, where that is why: a sentence with its place. */
  readonly fault?: string;
}

/** What a look has found. */
export interface Looked {
  /** In the order in which they were put back. A file that somebody has written again and again occurs several times. */
  readonly reverted: readonly Reverted[];
  /** How many regions the files hold that differ from before, as far as they were judged now. */
  readonly regions: number;
  /** What could not be put back, and why: one sentence each, without the full stop. */
  readonly stuck: readonly string[];
  /** Whether another commit is checked out than at the last look. */
  readonly moved: boolean;
}

export interface LookParts extends WatchPorts {
  readonly files: Files;
  readonly worktree: Worktree;
}
