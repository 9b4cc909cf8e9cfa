import type { Predicate } from "../contract.ts";
import { SkillError } from "../errors/skill-error.ts";
import type { Subject } from "../plugin.ts";
import type { PlannedRule } from "./planned-rule.ts";

/** Whether a request is a rule's affair. @throws RangeError for a request that is nested too deep. */
export type Test = (subject: unknown) => boolean;

/** Finds the compiled `when` of a rule that the build compiled; undefined where it did not. */
export type Built = (planned: PlannedRule) => Promise<Test | undefined>;

/** What the build made of a `when`: it is told what each pattern is on this machine. */
export type BuiltPredicate = (pattern: (source: string, flags: string) => RegExp) => Test;

/** Tests by the text of their schema, for all guards of the process. */
const known = new Map<string, Test>();
const MOST_KNOWN = 1_000;

/** Compiles the `when` of a rule, named `<owner>/<rule>`. Loads Ajv. @throws SkillError `SCHEMA_INVALID` */
export async function compilePredicate(id: string, when: Predicate): Promise<Test> {
  const text = JSON.stringify(when);
  const before = known.get(text);
  if (before) return before;
  const { compiledCondition } = await import("../schema/ajv.ts");
  try {
    const test = compiledCondition(when).test as Test;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, test);
    return test;
  } catch (cause) {
    const reason = cause instanceof RangeError ? "it is nested too deep" : (cause as Error).message;
    throw new SkillError("SCHEMA_INVALID", `The schema ${id}/when cannot be used: ${reason}.`, { cause });
  }
}

/** The compiled `when` of rules: each when the first request comes that its rule may speak of. */
export class Predicates {
  readonly #built: Built | undefined;
  readonly #tests = new WeakMap<PlannedRule, Test>();

  constructor(built?: Built) {
    this.#built = built;
  }

  /** Whether `speaks` cannot be asked of all of them yet. */
  wait(rules: readonly PlannedRule[]): boolean {
    return rules.some((planned) => this.#waits(planned));
  }

  async compile(rules: readonly PlannedRule[]): Promise<void> {
    await Promise.all(rules.filter((one) => this.#waits(one)).map((one) => this.#compile(one)));
  }

  /** Whether a request is the affair of a rule. @throws SkillError `SCHEMA_INVALID`; RangeError */
  speaks(planned: PlannedRule, subject: Subject): boolean {
    return this.#tests.get(planned)?.(subject) !== false;
  }

  #waits(planned: PlannedRule): boolean {
    return planned.rule.when !== undefined && !this.#tests.has(planned);
  }

  /** What cannot be compiled fails each time that it is asked. */
  async #compile(planned: PlannedRule): Promise<void> {
    const { id, rule, builtin } = planned;
    try {
      const built = builtin ? await this.#built?.(planned) : undefined;
      this.#tests.set(planned, built ?? (await compilePredicate(id, rule.when ?? {})));
    } catch (caught) {
      this.#tests.set(planned, () => {
        throw caught;
      });
    }
  }
}
