import type { Files, Programs } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
import type { Worktree } from "../worktree/worktree.ts";
import type { Site } from "./sites.ts";

/** Why a call does not keep to the evidence gate, of one session. */
export interface Breach {
  readonly decision: "deny" | "ask";
  /** Whether the call adds a file; everything else changes one, or could. */
  readonly isNewFile: boolean;
  /** A sentence for people. */
  readonly sentence: string;
  readonly site: Site;
  readonly session: SessionEntry;
}

export interface GateParts {
  readonly files: Files;
  readonly programs: Programs;
  readonly worktree: Worktree;
}
