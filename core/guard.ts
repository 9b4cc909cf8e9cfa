import type { Activator } from "./activator.ts";
import type { Catalog } from "./catalog.ts";
import type { Rule } from "./contract.ts";
import type { Decision, GuardEvent, Subject, Verdict } from "./plugin.ts";
import type { Predicate, Schemas } from "./schema/schemas.ts";

/** What one rule said of a subject. */
export interface Finding {
  /** `<skill>/<rule>` */
  readonly rule: string;
  readonly decision: Decision;
  readonly message: string;
  readonly agentMessage: string;
  /** The rule did not decide but fail: the denial carries the code `GUARD_FAILED`. */
  readonly failed: boolean;
  /** What the code of a failed rule threw. For the log and `--verbose`: the message holds nothing of it. */
  readonly cause?: unknown;
}

/** The strictest of all findings; `allow` when no rule spoke. */
export interface Judgement {
  readonly decision: Decision;
  readonly findings: readonly Finding[];
}

interface PlannedRule {
  readonly id: string;
  readonly skill: string;
  readonly name: string;
  readonly rule: Rule;
  readonly when: Predicate | undefined;
}

/** Rules about one event at one skill. */
export type GuardPlan = readonly PlannedRule[];

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, warn: 1, ask: 2, deny: 3 };
const ALLOWED: Judgement = { decision: "allow", findings: [] };
/** A rule's handler has this long to answer, the opening of its plugin included. */
const RULE_TIMEOUT_MS = 2_000;
const LATE = Symbol("late");

/** A request before the rules. A rule that throws, is late or answers out of shape counts as a denial. */
export class Guard {
  readonly #catalog: Catalog;
  readonly #schemas: Schemas;
  readonly #activator: Activator;

  constructor(catalog: Catalog, schemas: Schemas, activator: Activator) {
    this.#catalog = catalog;
    this.#schemas = schemas;
    this.#activator = activator;
  }

  /** The rules that hear an event at a skill, ready to judge. Loads no code. */
  async plan(event: GuardEvent, skill: string): Promise<GuardPlan> {
    const planned: PlannedRule[] = [];
    for (const { manifest } of this.#catalog.skills) {
      for (const [name, rule] of Object.entries(manifest.rules ?? {})) {
        if (!rule.on.includes(event) || (rule.applies !== "all" && manifest.name !== skill)) continue;
        const id = `${manifest.name}/${name}`;
        const when = rule.when && (await this.#schemas.predicate(`${id}/when`, rule.when));
        planned.push({ id, skill: manifest.name, name, rule, when });
      }
    }
    return planned;
  }

  /** Asks every rule of the plan; only handlers open their plugin. */
  async judge(plan: GuardPlan, subject: Subject): Promise<Judgement> {
    let findings: Finding[] | undefined;
    for (const planned of plan) {
      if (planned.when && !planned.when(subject)) continue;
      const finding = planned.rule.handler ? await this.#ask(planned, subject) : fixed(planned);
      if (finding.decision !== "allow") (findings ??= []).push(finding);
    }
    if (!findings) return ALLOWED;
    const strictest = findings.reduce((a, b) => (STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a));
    return { decision: strictest.decision, findings };
  }

  async #ask(planned: PlannedRule, subject: Subject): Promise<Finding> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<typeof LATE>((resolve) => {
      timer = setTimeout(resolve, RULE_TIMEOUT_MS, LATE);
    });
    try {
      const verdict = await Promise.race([this.#verdict(planned, subject), late]);
      if (verdict === LATE) return failed(planned, `no answer within ${RULE_TIMEOUT_MS} ms`);
      return isVerdict(verdict) ? worded(planned, verdict) : failed(planned, "the answer is no verdict");
    } catch (cause) {
      return { ...failed(planned, "its code failed"), cause };
    } finally {
      clearTimeout(timer);
    }
  }

  async #verdict({ skill, name }: PlannedRule, subject: Subject): Promise<Verdict> {
    return (await this.#activator.rule(skill, name)).judge(subject);
  }
}

function fixed(planned: PlannedRule): Finding {
  return worded(planned, { decision: planned.rule.decision ?? "deny" });
}

function failed({ id }: PlannedRule, reason: string): Finding {
  const message = `The rule ${id} failed to decide: ${reason}.`;
  return { rule: id, decision: "deny", message, agentMessage: message, failed: true };
}

function worded({ id, rule }: PlannedRule, verdict: Verdict): Finding {
  const message = verdict.message ?? rule.message ?? rule.tell;
  const agentMessage = verdict.agentMessage ?? rule.agentMessage ?? message;
  return { rule: id, decision: verdict.decision, message, agentMessage, failed: false };
}

function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null) return false;
  const { decision, message = "", agentMessage = "" } = value as Partial<Record<keyof Verdict, unknown>>;
  if (typeof message !== "string" || typeof agentMessage !== "string") return false;
  return typeof decision === "string" && Object.hasOwn(STRICTNESS, decision);
}
