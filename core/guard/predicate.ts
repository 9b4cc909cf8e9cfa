import type { Predicate } from "../contract.ts";
import { SkillError } from "../errors/skill-error.ts";
import type { Subject } from "../plugin.ts";
import { within } from "../schema/bounded.ts";
import type { PlannedRule } from "./rules.ts";

/** Whether the `when` of a rule holds for a request. @throws RangeError for a request that is nested too deep. */
export type Test = (subject: unknown) => boolean;

/** The `when` of a rule as the build compiled it, or undefined. */
export type Built = (planned: PlannedRule) => Promise<Test | undefined>;

/** A `when` that the build compiled; `pattern` creates the regular expressions for this machine. */
export type BuiltPredicate = (pattern: (source: string, flags: string) => RegExp) => Test;

/** Compiled tests by the text of their schema, shared by all guards of the process. */
const known = new Map<string, Test>();
const MOST_KNOWN = 1_000;

/** Time limit for compiling third-party rules for one request, in milliseconds: Ajv can take minutes for a schema of some megabytes. */
const MOST_COMPILING_MS = 2_000;

/**
 * Compiles the `when` of a rule, named `<owner>/<rule>`. Gives up at `until`, in milliseconds since the epoch. Loads Ajv.
 * @throws SkillError `SCHEMA_INVALID`; Late
 */
export async function compilePredicate(id: string, when: Predicate, until?: number): Promise<Test> {
  const text = JSON.stringify(when);
  const before = known.get(text);
  if (before) return before;
  const { compiledCondition } = await import("../schema/ajv.ts");
  try {
    let test: Test | undefined;
    const compile = (): void => void (test = compiledCondition(when).test as Test);
    if (until === undefined) compile();
    else within(Math.max(1, until - Date.now()), compile);
    if (!test) throw new Late(`its \`when\` took longer than ${MOST_COMPILING_MS} ms to prepare`);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, test);
    return test;
  } catch (cause) {
    if (cause instanceof Late) throw cause;
    const reason = cause instanceof RangeError ? "it is nested too deep" : (cause as Error).message;
    throw new SkillError("SCHEMA_INVALID", `The schema ${id}/when cannot be used: ${reason}.`, { cause });
  }
}

/** The time limit was exceeded; the next request tries again. */
class Late extends Error {}

/** The compiled `when` of rules. Each is compiled when the first request arrives for which its rule may match. */
export class Predicates {
  readonly #built: Built | undefined;
  readonly #tests = new WeakMap<PlannedRule, Test>();

  constructor(built?: Built) {
    this.#built = built;
  }

  /** Whether some of the rules have not been compiled yet. */
  wait(rules: readonly PlannedRule[]): boolean {
    return rules.some((planned) => this.#waits(planned));
  }

  async compile(rules: readonly PlannedRule[]): Promise<void> {
    const until = Date.now() + MOST_COMPILING_MS;
    await Promise.all(rules.filter((one) => this.#waits(one)).map((one) => this.#compile(one, until)));
  }

  /** Whether the `when` of a rule holds for a request. @throws SkillError `SCHEMA_INVALID`; RangeError */
  speaks(planned: PlannedRule, subject: Subject): boolean {
    return this.#tests.get(planned)?.(subject) !== false;
  }

  #waits(planned: PlannedRule): boolean {
    return planned.rule.when !== undefined && !this.#tests.has(planned);
  }

  /** A `when` that cannot be compiled throws at each use. */
  async #compile(planned: PlannedRule, until: number): Promise<void> {
    const { id, rule, builtin } = planned;
    try {
      const built = builtin ? await this.#built?.(planned) : undefined;
      const compiled = built ?? (await compilePredicate(id, rule.when ?? {}, builtin ? undefined : until));
      this.#tests.set(planned, compiled);
    } catch (caught) {
      this.#tests.set(planned, () => {
        if (caught instanceof Late) this.#tests.delete(planned);
        throw caught;
      });
    }
  }
}
