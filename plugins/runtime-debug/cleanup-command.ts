import { ENVIRONMENT, FILES, PROGRAMS, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Files, Programs } from "skillctl";
import type { CleanupParts } from "./cleanup/cleanup.ts";
import type { CleanupInput, CleanupOutput } from "./contract.ts";
import { DEBUG_SERVERS, type DebugServers } from "./session/debug-servers.ts";
import { LEDGER, type Ledger } from "./session/ledger.ts";
import { SESSIONS, type Sessions } from "./session/sessions.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Ends a session and gives the code back: docs/runtime-debug.md, section Cleanup. */
@injectable()
export class CleanupCommand implements CommandHandler<CleanupInput, CleanupOutput> {
  readonly #parts: CleanupParts;

  constructor(
    @inject(ENVIRONMENT) environment: Environment,
    @inject(FILES) files: Files,
    @inject(LEDGER) ledger: Ledger,
    @inject(PROGRAMS) programs: Programs,
    @inject(DEBUG_SERVERS) servers: DebugServers,
    @inject(SESSIONS) sessions: Sessions,
    @inject(WORKTREE) worktree: Worktree,
  ) {
    this.#parts = { environment, files, ledger, programs, servers, sessions, worktree };
  }

  /** @throws SkillError as the manifest lists. */
  async run(input: CleanupInput, call: Call): Promise<CleanupOutput> {
    const { cleanUp } = await import("./cleanup/cleanup.ts");
    return this.#parts.sessions.turn(input.session, call.signal, () => cleanUp(input, call, this.#parts));
  }
}
