import {
  ENVIRONMENT,
  FILES,
  PROGRAMS,
  inject,
  injectable,
  type Call,
  type CommandHandler,
  type Environment,
  type Files,
  type Programs,
} from "skillctl";
import type { CheckInput, CheckOutput } from "./contract.ts";
import { DEBUG_SERVERS, type DebugServers } from "./server/ensure-server.ts";
import { SESSIONS, type Sessions } from "./session/sessions.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Checks what has been added to the code: docs/runtime-debug.md, section Check. */
@injectable()
export class CheckCommand implements CommandHandler<CheckInput, CheckOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(FILES) private readonly files: Files,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, and as the manifest lists */
  async run(input: CheckInput, call: Call): Promise<CheckOutput> {
    const { programs, environment } = this;
    if (input.staged === true) {
      const { checkStaged } = await import("./check/staged.ts");
      return checkStaged({ programs, environment }, call);
    }
    return this.sessions.turn(input.session, call.signal, () => this.#checked(input, call));
  }

  async #checked(input: CheckInput, call: Call): Promise<CheckOutput> {
    const { sessions, worktree, servers, files } = this;
    const opened = await sessions.open(input.session);
    // git looks while the rest is loaded. Who waits for it hears of a failure.
    const looked = worktree.changes(opened.root, opened.entry.baseline);
    looked.catch(() => undefined);
    const { checkSession } = await import("./check/check-session.ts");
    return checkSession(opened, looked, call, { sessions, worktree, servers, files });
  }
}
