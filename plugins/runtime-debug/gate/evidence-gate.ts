import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { CODE_GATE, type CodeGate } from "./code-gate.ts";
import { verdictOf } from "./verdict.ts";

/** Nothing but probes comes into the code before log lines have confirmed a cause (specification, Gates 1). */
@injectable()
export class EvidenceGate implements RuleHandler {
  constructor(@inject(CODE_GATE) private readonly gate: CodeGate) {}

  /** @throws SkillError as `CodeGate.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const breaches = (await this.gate.of(subject)).filter(({ isNewFile }) => !isNewFile);
    return verdictOf(
      breaches,
      "No log line has confirmed a cause yet, so only probes may be added to the code.",
      `No log line has confirmed a cause yet: in ${breaches[0]?.site.root ?? ""} only probes may be added, whichever tool it is.`,
    );
  }
}

/** No new files in the code while it is instrumented (specification, Rules on instrumentation 2). */
@injectable()
export class NewFileGate implements RuleHandler {
  constructor(@inject(CODE_GATE) private readonly gate: CodeGate) {}

  /** @throws SkillError as `CodeGate.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const all = await this.gate.of(subject);
    const breaches = all.filter(({ isNewFile }) => isNewFile);
    return verdictOf(
      breaches,
      "Instrumentation adds no files to the project.",
      `Instrumentation adds no files to the project: write it outside of ${breaches[0]?.site.root ?? ""}.`,
      // Then the evidence gate denies too.
      { isLast: breaches.length === all.length },
    );
  }
}
