import type { Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import { COSTLY, type Costly, type PlannedRule } from "./planned-rule.ts";

/** The property whose value most rules begin with. */
type Key = "tool" | "name";

/** Rules that may speak of a request, and what they need to know of it. */
export interface IndexedRules {
  readonly rules: readonly PlannedRule[];
  readonly needs: readonly Costly[];
}

/** Rules by the one value of the one property that they can speak of at all. */
export interface RuleIndex {
  readonly key: Key;
  readonly byValue: ReadonlyMap<string, IndexedRules>;
  /** Those that do not look at the property. */
  readonly others: IndexedRules;
}

/** Sorts rules, so that a request is put before those only that may speak of it. Their order stays. */
export function indexed(rules: readonly PlannedRule[]): RuleIndex {
  const key = rules.some((planned) => valuesOf(planned, "tool")) ? "tool" : "name";
  const values = new Map(rules.map((planned) => [planned, valuesOf(planned, key)]));
  const all = new Set([...values.values()].flatMap((one) => one ?? []));
  const at = (value: string | undefined): IndexedRules => {
    const own = rules.filter((planned) => {
      const spoken = values.get(planned);
      return !spoken || (value !== undefined && spoken.includes(value));
    });
    return { rules: own, needs: COSTLY.filter((one) => own.some(({ needs }) => needs.includes(one))) };
  };
  return {
    key,
    byValue: new Map([...all].map((value) => [value, at(value)])),
    others: at(undefined),
  };
}

/** The rules of an index that may speak of a subject. */
export function rulesAt({ key, byValue, others }: RuleIndex, subject: Subject): IndexedRules {
  const value = subject[key];
  return (value === undefined ? undefined : byValue.get(value)) ?? others;
}

/** The values of a property that a rule can speak of; undefined when it may be any, or none. */
function valuesOf({ rule: { when } }: PlannedRule, key: Key): readonly string[] | undefined {
  const properties = when?.["properties"];
  const part = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const required = when?.["required"];
  if (!isObject(part) || !Array.isArray(required) || !required.includes(key)) return undefined;
  const given = Object.hasOwn(part, "const") ? [part["const"]] : part["enum"];
  if (!Array.isArray(given)) return undefined;
  const values = given as readonly unknown[];
  return values.every((value): value is string => typeof value === "string") ? values : undefined;
}
