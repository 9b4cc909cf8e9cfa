import type { Catalog } from "./catalog.ts";
import type { GuardDecision, ShellFacts } from "./contract.ts";
import { ask, type Handlers } from "./guard/asking.ts";
import type { Audit } from "./guard/audit.ts";
import { combined, type Said } from "./guard/combined.ts";
import { decisionOf } from "./guard/decision.ts";
import { failed, worded, type Finding, type Judgement } from "./guard/finding.ts";
import { rulesFor, type Costly, type PlannedRule } from "./guard/planned-rule.ts";
import { rulesAt, shelved, type Shelf } from "./guard/shelf.ts";
import type { OwnRules } from "./guard/tier.ts";
import type { GuardEvent, Subject } from "./plugin.ts";
import { UNREAD } from "./shell/unread.ts";

export type { Audit, Evaluation } from "./guard/audit.ts";
export type { Finding, Judgement } from "./guard/finding.ts";
export type { OwnRules } from "./guard/tier.ts";

/** Rules about one event at one skill. */
export type GuardPlan = readonly PlannedRule[];

/** What a guard has beside the skills and their code. */
export interface GuardOptions {
  /** Rules of the working folder, the person and the machine. */
  readonly rules?: OwnRules;
  /** Where evaluations are kept in which a rule spoke. Default: nowhere. */
  readonly audit?: Audit | undefined;
  /** Milliseconds since the epoch, for evaluations. */
  readonly now?: () => number;
  /** The phases that skills are in at a folder. Default: none is known. */
  readonly phases?: ((cwd: string | undefined) => Promise<readonly string[]>) | undefined;
  /** Reads a shell command. Default: nobody reads it, and everything about it is unknown. */
  readonly shell?: ((command: string, cwd: string | undefined) => Promise<ShellFacts>) | undefined;
  /** Names an evaluation. Default: by time, chance and a count. */
  readonly newId?: () => string;
}

const ALLOWED: Judgement = { decision: "allow", findings: [] };

/** A request before the rules. A rule that throws, is late or answers out of shape counts as a denial. */
export class Guard {
  readonly #catalog: Catalog;
  readonly #handlers: Handlers;
  readonly #options: GuardOptions;
  /** By event, then by skill: rules are planned once, when the first request comes that they hear. */
  readonly #plans = new Map<string, Map<string | undefined, GuardPlan>>();
  readonly #shelves = new WeakMap<GuardPlan, Shelf>();
  readonly #fixed = new WeakMap<PlannedRule, Finding>();

  constructor(catalog: Catalog, handlers: Handlers, options: GuardOptions = {}) {
    this.#catalog = catalog;
    this.#handlers = handlers;
    this.#options = options;
  }

  /** As `planned`, with every rule compiled. @throws SkillError `SCHEMA_INVALID` for a `when` that cannot be used. */
  async plan(event: GuardEvent, skill?: string): Promise<GuardPlan> {
    const plan = this.planned(event, skill);
    for (const { when } of plan) when?.compile();
    return plan;
  }

  /** The rules that hear an event, at a skill where the event is of one. Loads no code; each is compiled on first use. */
  planned(event: GuardEvent, skill?: string): GuardPlan {
    const known = this.#plans.get(event)?.get(skill);
    if (known) return known;
    const plan = rulesFor(event, skill, this.#catalog, this.#options.rules ?? {});
    const plans = this.#plans.get(event) ?? new Map<string | undefined, GuardPlan>();
    this.#plans.set(event, plans.set(skill, plan));
    return plan;
  }

  /** Puts a request before every rule that hears it. Throws nothing: what goes wrong is a denial. */
  async decide(subject: Subject): Promise<GuardDecision> {
    try {
      return decisionOf(await this.judge(this.planned(subject.event, subject.skill), subject));
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      const message = `The rules could not be asked: ${reason}`;
      return { decision: "deny", reasonCode: "GUARD_FAILED", message, agentMessage: message };
    }
  }

  /** Asks every rule of the plan, handlers at the same time; only handlers open their plugin. */
  judge(plan: GuardPlan, subject: Subject): Judgement | Promise<Judgement> {
    const start = process.hrtime.bigint();
    const shelf = this.#shelfOf(plan);
    const { needs } = shelf;
    const missing = needs.length > 0 ? needs.filter((one) => subject[one] === undefined) : needs;
    const rules = rulesAt(shelf, subject);
    return missing.length > 0
      ? this.#judgeWith(rules, subject, missing, start)
      : this.#judge(rules, subject, start);
  }

  #judge(plan: GuardPlan, subject: Subject, start: bigint): Judgement | Promise<Judgement> {
    let said: Said[] | undefined;
    let asked: { readonly index: number; readonly answer: Promise<Finding> }[] | undefined;
    for (const planned of plan) {
      let finding: Finding | undefined;
      try {
        if (planned.when && !planned.when(subject)) continue;
      } catch (cause) {
        const deep = cause instanceof RangeError;
        const reason = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
        finding = failed(planned, deep ? "the request is nested too deep" : reason, cause);
      }
      said ??= [];
      finding ??= this.#fixedOf(planned);
      if (planned.rule.handler && !finding.failed)
        (asked ??= []).push({ index: said.length, answer: ask(planned, subject, this.#handlers) });
      said.push({ planned, finding });
    }
    if (!said) return ALLOWED;
    return asked ? this.#answered(said, asked, subject, start) : this.#concluded(said, subject, start);
  }

  async #answered(
    said: Said[],
    asked: readonly { readonly index: number; readonly answer: Promise<Finding> }[],
    subject: Subject,
    start: bigint,
  ): Promise<Judgement> {
    for (const { index, answer } of asked) {
      const { planned } = said[index] as Said;
      said[index] = { planned, finding: await answer };
    }
    return this.#concluded(said, subject, start);
  }

  async #judgeWith(
    plan: GuardPlan,
    subject: Subject,
    missing: readonly Costly[],
    start: bigint,
  ): Promise<Judgement> {
    const { phases, shell } = this.#options;
    const { command, cwd } = subject;
    let whole = subject;
    if (missing.includes("phases")) whole = { ...whole, phases: [...((await phases?.(cwd)) ?? [])] };
    if (missing.includes("shell") && command !== undefined)
      whole = { ...whole, shell: shell ? await shell(command, cwd) : UNREAD };
    return this.#judge(plan, whole, start);
  }

  #concluded(said: readonly Said[], subject: Subject, start: bigint): Judgement {
    const { decision, findings, idle, input } = combined(said);
    if (findings.length + idle.length === 0) return ALLOWED;
    const { audit, now = Date.now, newId = nextId } = this.#options;
    const evaluation = newId();
    if (audit) {
      const tookUs = Number((process.hrtime.bigint() - start) / 1000n);
      const all = idle.length === 0 ? findings : [...findings, ...idle];
      audit.record({ id: evaluation, at: now(), tookUs, decision, findings: all, subject });
    }
    return decision === "transform"
      ? { decision, findings, input, evaluation }
      : { decision, findings, evaluation };
  }

  #shelfOf(plan: GuardPlan): Shelf {
    const known = this.#shelves.get(plan);
    if (known) return known;
    const shelf = shelved(plan);
    this.#shelves.set(plan, shelf);
    return shelf;
  }

  #fixedOf(planned: PlannedRule): Finding {
    const known = this.#fixed.get(planned);
    if (known) return known;
    const finding = worded(planned, { decision: planned.rule.decision ?? "deny" });
    this.#fixed.set(planned, finding);
    return finding;
  }
}

let first = "";
let count = 0;

/** Unlike any other of this process, and hardly ever like one of another. */
function nextId(): string {
  if (first === "") {
    const chance = Math.floor(Math.random() * 36 ** 4).toString(36);
    first = `g-${Date.now().toString(36)}${chance.padStart(4, "0")}-`;
  }
  count += 1;
  return first + count.toString(36);
}
