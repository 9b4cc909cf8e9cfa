import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import { COMPARISON, type Comparison } from "../compare/comparison.ts";
import type { VerifyInput, VerifyOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { allOf, EVIDENCE, type Evidence } from "../session/evidence.ts";
import { ending } from "../session/next-step.ts";
import { firstRun } from "../session/rounds.ts";
import { SESSIONS, standing, type Sessions } from "../session/sessions.ts";
import { QUESTIONS, type Fact } from "../session/steps.ts";

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
  run(input: VerifyInput, call: Call): Promise<VerifyOutput> {
    return this.sessions.turn(input.session, call.signal, () => this.#run(input, call));
  }

  async #run({ session }: VerifyInput, call: Call): Promise<VerifyOutput> {
    const opened = await this.sessions.open(session);
    this.sessions.refuse(opened, "verify");
    const { after } = opened.entry.runs;
    const counts = await this.evidence.count(opened, after ?? "");
    if (counts.evidence === 0) {
      const { refuseWithoutEvidence } = await import("../session/evidence.ts");
      await refuseWithoutEvidence(opened, "verify", counts, this.servers, call);
      this.sessions.refuse(opened, "verify", new Set<Fact>());
    }
    await this.drift.refuse(opened, "verify");
    const { text: conclusion } = await this.comparison.of(opened, firstRun(opened.entry), after);
    const holds = new Set<Fact>(["evidence", "compared"]);
    const { entry } = await this.sessions.step(opened, "verify", holds, () => ({
      conclusion,
      seen: allOf(counts),
    }));
    const question = QUESTIONS.confirming;
    if (!question) throw new SkillError("INTERNAL", "The step of the confirmation has no question.");
    const text = [conclusion, "", ending(entry)].join("\n");
    return { ...standing(entry), question: { text: question.text, options: { ...question.options } }, text };
  }
}
