import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { SHUT_GATE, type ShutGate } from "./shut-gate.ts";
import { verdictOf } from "./verdict.ts";

/** No new files in the code while it is instrumented (specification, Rules on instrumentation 2). */
@injectable()
export class NewFileGate implements RuleHandler {
  constructor(@inject(SHUT_GATE) private readonly gate: ShutGate) {}

  /** @throws SkillError as `ShutGate.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const all = await this.gate.of(subject);
    const breaches = all.filter(({ isNewFile }) => isNewFile);
    const [first] = breaches;
    if (!first) return { decision: "allow" };
    return verdictOf(
      breaches,
      "Instrumentation adds no files to the project.",
      `Instrumentation adds no files to the project: write it outside of ${first.site.root}.`,
      // Then the evidence gate denies too.
      { isLast: !all.some(({ decision, isNewFile }) => decision === "deny" && !isNewFile) },
    );
  }
}
