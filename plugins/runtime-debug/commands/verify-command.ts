import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import { COMPARISON, type Comparison } from "../compare/comparison.ts";
import type { VerifyInput, VerifyOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { allOf, EVIDENCE, refuseWithoutEvidence, type Evidence } from "../session/evidence.ts";
import { firstRun, runOf } from "../session/rounds.ts";
import { SESSIONS, answered, type Sessions } from "../session/sessions.ts";
import { CONFIRMATION, type Fact } from "../session/steps.ts";

/** Ends the run with the fix: compares it with the one before, and shows the question to the user. */
@injectable()
export class VerifyCommand implements CommandHandler<VerifyInput, VerifyOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(COMPARISON) private readonly comparison: Comparison,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError `DEBUG_STEP` without events of the run with the fix, `DEBUG_DRIFT`, and as the comparison does. */
  run({ session }: VerifyInput, call: Call): Promise<VerifyOutput> {
    return this.sessions.turn(session, call, async (opened) => {
      this.sessions.refuse(opened, "verify");
      // First: events of other code would only be collected once more.
      await this.drift.refuse(opened, "verify");
      const run = runOf(opened.entry);
      const counts = await this.evidence.count(opened, run);
      if (counts.evidence === 0) await refuseWithoutEvidence(opened, "verify", counts, this.servers, call);
      const holds: readonly Fact[] = counts.evidence === 0 ? [] : ["evidence"];
      const { text: conclusion } = await this.comparison.of(opened, firstRun(opened.entry), run);
      const change = { conclusion, seen: allOf(counts) };
      const { entry } = await this.sessions.step(opened, "verify", () => change, holds);
      const { text, options } = CONFIRMATION;
      return answered(entry, [conclusion], { question: { text, options: { ...options } } });
    });
  }
}
