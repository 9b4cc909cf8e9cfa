import { ENVIRONMENT, PROGRAMS, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Programs } from "skillctl";
import type { CheckInput, CheckOutput } from "../contract.ts";
import { SESSION_CHECK, type SessionCheck } from "../drift/session-check.ts";
import { SESSIONS, type Sessions } from "../session/sessions.ts";

/** Checks what has been added to the code: docs/debug-session.md, section Check. */
@injectable()
export class CheckCommand implements CommandHandler<CheckInput, CheckOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_CHECK) private readonly check: SessionCheck,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, and as the manifest lists */
  async run({ session, staged }: CheckInput, call: Call): Promise<CheckOutput> {
    if (staged === true) {
      const { checkStaged } = await import("../check/staged.ts");
      return checkStaged(this.programs, this.environment.workingFolder, call.signal);
    }
    return this.sessions.turn(session, call.signal, async () =>
      this.check.of(await this.sessions.open(session), call),
    );
  }
}
