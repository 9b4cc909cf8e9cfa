import { join } from "node:path";
import { FILES, inject, injectable, token, type Files } from "skillctl";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { OBSERVERS, type Observers } from "../observe/observers.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { includeRecord } from "../session/exclude.ts";
import { LEDGER, type Ledger } from "../session/ledger.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";
import type { CleanedCode } from "./code-cleaning.ts";
import { removeAbandoned, removeRemains } from "./remains.ts";

/** Removes the probes of a session from the code. */
@injectable()
export class Cleaning {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(DRIFT) private readonly drift: Drift,
    @inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  /** @throws SkillError as `CodeCleaning.run` does */
  async run(opened: OpenedSession, accept: readonly string[], signal: AbortSignal): Promise<CleanedCode> {
    const { CodeCleaning } = await import("./code-cleaning.ts");
    const { sessions } = await this.ledger.project();
    const others = Object.keys(sessions).filter((id) => id !== opened.entry.id);
    const { files, worktree, drift } = this;
    return new CodeCleaning(files, worktree, drift, opened).run(accept, others, signal);
  }
}

export const CLEANING = token<Cleaning>("cleaning");

/** Removes a session. */
@injectable()
export class SessionRemoval {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(OBSERVERS) private readonly observers: Observers,
  ) {}

  /**
   * Removes the files of the session and returns them, in an order that permits continuing after an interruption: the entry is
   * last.
   */
  async run(opened: OpenedSession, signal: AbortSignal): Promise<readonly string[]> {
    const { root, entry } = opened;
    await this.observers.end(opened, signal);
    await this.servers.stop(opened);
    const folders = [root, join(root, DEFAULT_FOLDER), join(root, ".git", "info")];
    await removeAbandoned(folders, this.files, signal);
    const removed = await removeRemains(root, entry.id, this.files);
    await includeRecord(root, entry.id, this.files);
    await this.worktree.forget(entry.baseline);
    await this.ledger.remove(root, entry.id);
    return removed;
  }
}

export const SESSION_REMOVAL = token<SessionRemoval>("session-removal");
