import type { Files } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
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
  /** Whether something is not as it should be still, and nobody is writing it. Missing: no. */
  readonly isOpen?: boolean;
}

/** How somebody looks. */
export interface LookOptions {
  /** The ids of all sessions of the project. Default: the one. */
  readonly ids?: readonly string[];
  /** The session as it is kept now; `undefined` when its code may change by now. Default: as it was given. */
  readonly current?: () => Promise<SessionEntry | undefined>;
  /** When to stop putting files back, in milliseconds of `Clock.monotonicMs`. Default: six seconds from now. */
  readonly until?: number;
}

export interface LookParts extends WatchPorts {
  readonly files: Files;
  readonly worktree: Worktree;
  /** Milliseconds on a clock that never jumps. */
  readonly monotonicMs: () => number;
  /** Told of what has been put back, while more is: nobody may come to tell it at the end. */
  readonly record: (reverted: readonly Reverted[]) => Promise<void>;
  /** What a look has recorded that nobody was told of. */
  readonly untold: () => Promise<readonly Reverted[]>;
  /** Somebody is told now. */
  readonly told: () => Promise<void>;
}

/** The folder of what was set aside, one a time: it outlives the images of the session. Absolute. */
export function shelfOf({ baseline }: Pick<SessionEntry, "baseline">): string {
  return `${baseline.images}.reverted`;
}
