import type { Catalog } from "../catalog.ts";
import type { OwnRule, Rule } from "../contract.ts";
import type { GuardEvent, Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";

/**
 * The origin of a rule, the weakest first (docs/guards.md, Decisions). A skill can only tighten. No rule can answer a
 * question of the core in advance.
 */
const TIERS = ["plugin", "workspace", "user", "operator", "core"] as const;
export type Tier = (typeof TIERS)[number];

/**
 * Rules by name that belong to no skill: of the working folder, the person, the operator of the machine and the core, the weakest
 * first. A rule has the shape of one in `skillctl.json` (docs/guards.md, Rules of a folder, person or machine).
 */
export type OwnRules = Partial<
  Readonly<Record<"workspace" | "user" | "operator", Readonly<Record<string, OwnRule>>>>
> & { readonly core?: Readonly<Record<string, Rule>> };

/** Whether one tier is above another. */
export function isAbove(one: Tier, other: Tier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other);
}

/** Events of agents. All others belong to one skill and reach only its rules, unless a rule `applies` to all. */
export const HOOK_EVENTS: readonly GuardEvent[] = [
  "session.start",
  "session.end",
  "prompt.submit",
  "tool.pre",
  "tool.post",
  "output.pre",
  "turn.stop",
];

/** Expensive facts, computed only for rules that use them. */
const COSTLY = ["phases", "shell", "edits"] as const;
export type Costly = (typeof COSTLY)[number];

/** Properties of a request that most rules compare with constants. */
const COMPARED = ["tool", "name"] as const;

/** A rule with everything that its evaluation needs. */
export interface PlannedRule {
  readonly id: string;
  /** The skill whose plugin has the handler; undefined for a rule without a skill. */
  readonly skill: string | undefined;
  readonly name: string;
  readonly rule: Omit<Rule, "decision"> &
    Pick<OwnRule, "lifts"> & { readonly decision?: OwnRule["decision"] };
  readonly version: number;
  readonly tier: Tier;
  readonly reasonCode: string;
  readonly timeoutMs: number;
  readonly needs: readonly Costly[];
  /** The property values for which alone the rule can match; undefined for any or none. */
  readonly values: readonly (readonly string[] | undefined)[];
  /** The rule is part of skillctl, and the build has compiled its `when`. */
  readonly builtin: boolean;
  /** Its `when` was not reviewed: patterns, and definitions that refer to others twice, can take exponential time. */
  readonly mayHang: boolean;
}

/** Default time limit of a handler, in milliseconds, including the opening of its plugin. */
const TIMEOUT_MS = 2_000;

/**
 * The rules for an event, or for any event if none is given: those of skills in the order of the catalog, then those of
 * higher tiers.
 */
export function rulesFor(
  { skills }: Catalog,
  own: OwnRules,
  event?: GuardEvent,
  skill?: string,
): readonly PlannedRule[] {
  const isOfSkill = event !== undefined && !HOOK_EVENTS.includes(event);
  const hear = ({ on, applies }: PlannedRule["rule"], owner?: string): boolean => {
    if (!on || (event !== undefined && !on.some((one) => one === event))) return false;
    return !isOfSkill || owner === undefined || applies === "all" || owner === skill;
  };
  const heard = (
    owner: string,
    rules: Readonly<Record<string, PlannedRule["rule"]>>,
    tier: Tier,
    builtin = false,
  ): readonly PlannedRule[] =>
    Object.entries(rules)
      .filter(([, rule]) => hear(rule, tier === "plugin" ? owner : undefined))
      .map(([name, rule]) => planned(owner, name, rule, tier, builtin));
  const told = (rules: Readonly<Record<string, OwnRule>> = {}) =>
    Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, { ...rule, tell: rule.message }]));
  return [
    ...skills.flatMap(({ manifest, builtin }) =>
      heard(manifest.name, manifest.rules ?? {}, "plugin", builtin),
    ),
    ...(["workspace", "user", "operator"] as const).flatMap((tier) => heard(tier, told(own[tier]), tier)),
    ...heard("core", own.core ?? {}, "core", true),
  ];
}

function planned(
  owner: string,
  name: string,
  rule: PlannedRule["rule"],
  tier: Tier,
  builtin: boolean,
): PlannedRule {
  const id = `${owner}/${name}`;
  const names = new Set<string>(rule.needs);
  addNames(rule.when, names);
  return {
    id,
    skill: tier === "plugin" ? owner : undefined,
    name,
    rule,
    version: rule.version ?? 1,
    tier,
    reasonCode: id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_"),
    timeoutMs: rule.timeoutMs ?? TIMEOUT_MS,
    needs: COSTLY.filter((one) => names.has(one)),
    values: COMPARED.map((key) => valuesOf(rule, key)),
    builtin,
    mayHang: !builtin && rule.when !== undefined,
  };
}

/** Adds the properties that a predicate may use: its keys, and the names that it requires. */
function addNames(part: unknown, names: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    names.add(key);
    if (key === "required" && Array.isArray(value)) for (const name of value) names.add(String(name));
    addNames(value, names);
  }
}

function valuesOf({ when }: PlannedRule["rule"], key: string): readonly string[] | undefined {
  const part = when?.properties?.[key];
  if (!isObject(part) || !when?.required?.includes(key)) return undefined;
  const values: unknown = Object.hasOwn(part, "const") ? [part["const"]] : part["enum"];
  const isKnown = Array.isArray(values) && values.every((value) => typeof value === "string");
  return isKnown ? values : undefined;
}

/** The rules that may match a request, and the facts that they need and the request lacks. */
export function relevant(
  rules: readonly PlannedRule[],
  subject: Subject,
): { readonly rules: readonly PlannedRule[]; readonly missing: readonly Costly[] } {
  const given = COMPARED.map((key) => subject[key] ?? "");
  const own = rules.filter(({ values }) =>
    values.every((allowed, index) => !allowed || allowed.includes(given[index] ?? "")),
  );
  const isMissing = (one: Costly): boolean => subject[one] === undefined;
  return {
    rules: own,
    missing: COSTLY.filter((one) => isMissing(one) && own.some(({ needs }) => needs.includes(one))),
  };
}
