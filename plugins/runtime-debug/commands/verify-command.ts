import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { VerifyInput, VerifyOutput } from "../contract.ts";
import { VERIFICATION, type Verification } from "../drift/verification.ts";
import { SESSIONS, type Sessions } from "../session/sessions.ts";

/** Compares the run with the fix with the one before, and shows the question to the user. */
@injectable()
export class VerifyCommand implements CommandHandler<VerifyInput, VerifyOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(VERIFICATION) private readonly verification: Verification,
  ) {}

  /** @throws SkillError as `Verification.of` does, and what finding the session throws */
  run({ session }: VerifyInput, call: Call): Promise<VerifyOutput> {
    return this.sessions.turn(session, call, (opened) => this.verification.of(opened, "verify", call));
  }
}
