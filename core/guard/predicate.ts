import type { Predicate } from "../contract.ts";
import { SkillError } from "../errors/skill-error.ts";

/** Whether a request is a rule's affair. @throws RangeError for a request that is nested too deep. */
export type Test = (subject: unknown) => boolean;

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
