import type { Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import { COSTLY, type Costly, type PlannedRule } from "./planned-rule.ts";

/** A property that most rules compare with constants. */
type Key = "tool" | "name";

/** Rules that may speak of a request, and the facts that they need. */
export interface IndexedRules {
  readonly rules: readonly PlannedRule[];
  readonly needs: readonly Costly[];
}

/** Rules by the value that they require of one property. */
export interface RuleIndex {
  readonly key: Key;
  readonly byValue: ReadonlyMap<string, IndexedRules>;
  /** The rules that do not use the property. */
  readonly others: IndexedRules;
}

/** Indexes rules, so that a request is judged only by those that may speak of it. Keeps their order. */
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

/** The rules of an index that may speak of a request. */
export function rulesAt({ key, byValue, others }: RuleIndex, subject: Subject): IndexedRules {
  const value = subject[key];
  return (value === undefined ? undefined : byValue.get(value)) ?? others;
}

/** The values of a property for which a rule can speak; undefined for any or none. */
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
