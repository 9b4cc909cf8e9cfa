import type { Catalog } from "./catalog.ts";
import type { GuardDecision } from "./contract.ts";
import { ask, type Handlers } from "./guard/asking.ts";
import { MOST_PATTERN_MS, within } from "./schema/bounded.ts";
import { withFacts } from "./guard/facts.ts";
import {
  answeredWithYes,
  combined,
  decisionOf,
  failed,
  worded,
  type Finding,
  type Judgement,
  type RuleFinding,
} from "./guard/judgement.ts";
import { nextId, type GuardOptions } from "./guard/options.ts";
import { Predicates } from "./guard/predicate.ts";
import { relevant, rulesFor, type Costly, type PlannedRule } from "./guard/rules.ts";
import type { GuardEvent, Subject } from "./plugin.ts";

export type { Handlers } from "./guard/asking.ts";
export type { Judgement } from "./guard/judgement.ts";
export type { Audit, Evaluation, GuardOptions } from "./guard/options.ts";
export type { OwnRules } from "./guard/rules.ts";

/** The rules for one event of one skill. */
export type GuardPlan = readonly PlannedRule[];

/** A rule with its finding, which a handler may still have to provide. */
interface PendingFinding {
  readonly planned: PlannedRule;
  readonly finding: Finding | Promise<Finding>;
}

const ALLOWED: Judgement = { decision: "allow", findings: [] };

/** Judges requests by the rules. A rule that throws, exceeds its time-out or returns a malformed verdict counts as a denial. */
export class Guard {
  readonly #catalog: Catalog;
  readonly #handlers: Handlers;
  readonly #options: GuardOptions;
  /** By event, then by skill. A plan is made when the first such request arrives. */
  readonly #plans = new Map<string, Map<string | undefined, GuardPlan>>();
  readonly #predicates: Predicates;

  constructor(catalog: Catalog, handlers: Handlers, options: GuardOptions = {}) {
    this.#catalog = catalog;
    this.#handlers = handlers;
    this.#options = options;
    this.#predicates = new Predicates(options.built);
  }

  /** The rules for an event, of one skill where the event belongs to a skill. Loads no code; a rule is compiled on first use. */
  plan(event: GuardEvent, skill?: string): GuardPlan {
    const known = this.#plans.get(event)?.get(skill);
    if (known) return known;
    const plan = rulesFor(this.#catalog, this.#options.rules ?? {}, event, skill);
    const plans = this.#plans.get(event) ?? new Map<string | undefined, GuardPlan>();
    this.#plans.set(event, plans.set(skill, plan));
    return plan;
  }

  /** Every rule that hears an event, in the order of the tiers. Loads no code. */
  rules(): readonly PlannedRule[] {
    return rulesFor(this.#catalog, this.#options.rules ?? {});
  }

  /**
   * Judges a request by every rule for its event that, if `mayRuleSpeak` is given, may apply to it. Never throws: a failure is a
   * denial.
   */
  async decide(subject: Subject, mayRuleSpeak?: (planned: PlannedRule) => boolean): Promise<GuardDecision> {
    try {
      const plan = this.plan(subject.event, subject.skill);
      return decisionOf(await this.judge(mayRuleSpeak ? plan.filter(mayRuleSpeak) : plan, subject));
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      const message = `The rules could not be evaluated: ${reason}`;
      return { decision: "deny", reasonCode: "GUARD_FAILED", message, agentMessage: message };
    }
  }

  /** Evaluates the rules of a plan and calls handlers concurrently. Only a handler opens its plugin. */
  judge(plan: GuardPlan, subject: Subject): Judgement | Promise<Judgement> {
    const start = process.hrtime.bigint();
    const { rules, missing } = relevant(plan, subject);
    return missing.length > 0 || this.#predicates.wait(rules)
      ? this.#judgeWith(rules, subject, missing, start)
      : this.#judge(rules, subject, start);
  }

  /** A judgement after a person has answered its questions with yes, for this request alone. The answer is recorded. */
  approved(judgement: Judgement, surface: string): Judgement {
    if (judgement.evaluation !== undefined) this.#options.audit?.approve?.(judgement.evaluation, surface);
    return answeredWithYes(judgement);
  }

  #judge(plan: GuardPlan, subject: Subject, start: bigint): Judgement | Promise<Judgement> {
    const said: PendingFinding[] = [];
    let at = 0;
    const look = (): void => {
      for (; at < plan.length; at += 1) {
        const planned = plan[at] as PlannedRule;
        const finding = this.#spoken(planned, subject);
        if (!finding) continue;
        const isAsked = planned.rule.handler && !finding.failed;
        said.push({ planned, finding: isAsked ? ask(planned, subject, this.#handlers) : finding });
      }
    };
    if (!plan.some(({ mayHang }) => mayHang)) look();
    else if (!within(MOST_PATTERN_MS, look)) {
      const planned = plan[at] as PlannedRule;
      said.push({ planned, finding: failed(planned, `its \`when\` took longer than ${MOST_PATTERN_MS} ms`) });
    }
    if (said.length === 0) return ALLOWED;
    const isSettled = (one: PendingFinding): one is RuleFinding => !(one.finding instanceof Promise);
    return said.every(isSettled)
      ? this.#concluded(said, subject, start)
      : this.#answered(said, subject, start);
  }

  /** The finding of a rule without its handler; undefined if its `when` does not hold. */
  #spoken(planned: PlannedRule, subject: Subject): Finding | undefined {
    try {
      return this.#predicates.speaks(planned, subject)
        ? worded(planned, { decision: planned.rule.decision ?? "deny" })
        : undefined;
    } catch (cause) {
      const deep = cause instanceof RangeError;
      const reason = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
      return failed(planned, deep ? "the request is nested too deep" : reason, cause, subject);
    }
  }

  async #answered(said: readonly PendingFinding[], subject: Subject, start: bigint): Promise<Judgement> {
    const all = said.map(async ({ planned, finding }) => ({ planned, finding: await finding }));
    return this.#concluded(await Promise.all(all), subject, start);
  }

  async #judgeWith(
    plan: GuardPlan,
    subject: Subject,
    missing: readonly Costly[],
    start: bigint,
  ): Promise<Judgement> {
    const facts = withFacts(subject, missing, this.#options);
    const [whole] = await Promise.all([facts, this.#predicates.compile(plan)]);
    return this.#judge(plan, whole, start);
  }

  #concluded(said: readonly RuleFinding[], subject: Subject, start: bigint): Judgement {
    const { idle, ...judged } = combined(said);
    const { decision, findings } = judged;
    if (findings.length + idle.length === 0) return ALLOWED;
    const { audit, now = Date.now, newId = nextId } = this.#options;
    if (!audit) return judged;
    const evaluation = newId();
    const tookUs = Number((process.hrtime.bigint() - start) / 1000n);
    audit.record({ id: evaluation, at: now(), tookUs, decision, findings: [...findings, ...idle], subject });
    return { ...judged, evaluation };
  }
}
