import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { SHUT_GATE, type ShutGate } from "./shut-gate.ts";
import { verdictOf } from "./verdict.ts";

/** Nothing but probes comes into the code before log lines have confirmed a cause (specification, Gates 1). */
@injectable()
export class EvidenceGate implements RuleHandler {
  constructor(@inject(SHUT_GATE) private readonly gate: ShutGate) {}

  /** @throws SkillError as `ShutGate.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const breaches = (await this.gate.of(subject)).filter(({ isNewFile }) => !isNewFile);
    const [first] = breaches;
    if (!first) return { decision: "allow" };
    return verdictOf(
      breaches,
      "No log line has confirmed a cause yet, so only probes may be added to the code.",
      `No log line has confirmed a cause yet: in ${first.site.root} only probes may be added, whichever tool it is.`,
    );
  }
}
