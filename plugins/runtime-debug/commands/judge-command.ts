import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import type { JudgeInput, JudgeOutput } from "../contract.ts";
import { DRIFT, type Drift } from "../drift/drift.ts";
import type { Fact } from "../session/steps.ts";
import { EVIDENCE, type Evidence } from "../session/evidence.ts";
import { hypothesisLines, hypothesisRows } from "../session/hypotheses.ts";
import { ending } from "../session/next-step.ts";
import { SESSIONS, standing, type Sessions } from "../session/sessions.ts";

/** Judges hypotheses by log lines of the run under judgement. */
@injectable()
export class JudgeCommand implements CommandHandler<JudgeInput, JudgeOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(EVIDENCE) private readonly evidence: Evidence,
    @inject(DRIFT) private readonly drift: Drift,
  ) {}

  /** @throws SkillError `DEBUG_STEP`, `DEBUG_DRIFT`, `DEBUG_CITATION`, `INPUT_INVALID`, and what finding the session throws. */
  run(input: JudgeInput, call: Call): Promise<JudgeOutput> {
    return this.sessions.turn(input.session, call.signal, () => this.#run(input));
  }

  async #run({ session, verdicts }: JudgeInput): Promise<JudgeOutput> {
    const opened = await this.sessions.open(session);
    this.sessions.refuse(opened, "judge");
    await this.drift.refuse(opened, "judge");
    const [{ judged }, { verdictsOf }] = await Promise.all([
      import("../session/judgement.ts"),
      import("../session/plain-lines.ts"),
    ]);
    const hypotheses = await judged(opened, verdictsOf(verdicts), this.evidence);
    const holds = new Set<Fact>();
    if (hypotheses.every(({ verdict }) => verdict !== "pending")) holds.add("judged");
    if (hypotheses.some(({ verdict }) => verdict === "confirmed")) holds.add("confirmed");
    const { entry } = await this.sessions.step(opened, "judge", holds, () => ({ hypotheses }));
    const text = ["Hypotheses:", ...hypothesisLines(hypotheses), ...openLines(holds), "", ending(entry)];
    return { ...standing(entry), hypotheses: hypothesisRows(hypotheses), text: text.join("\n") };
  }
}

/** Why the fix is not open yet. */
function openLines(holds: ReadonlySet<Fact>): readonly string[] {
  if (!holds.has("judged")) return ["Judge the pending ones too: a fix comes after all have been judged."];
  if (holds.has("confirmed")) return [];
  return [
    "No hypothesis is confirmed, so nothing may be fixed yet: set further probes, or list other hypotheses with hypothesize.",
  ];
}
