import type { Catalog } from "../catalog.ts";
import type { Predicate, Rule } from "../contract.ts";
import type { GuardEvent } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import { isOfSkill } from "./events.ts";
import { TIERS, type OwnRules, type Tier } from "./tier.ts";

/** Facts that take time to find and are found only for rules that use them. */
export const COSTLY = ["phases", "shell", "edits"] as const;
export type Costly = (typeof COSTLY)[number];

/** A rule with everything that its evaluation needs. */
export interface PlannedRule {
  readonly id: string;
  /** The skill whose plugin has the handler; undefined for a rule without a skill. */
  readonly skill: string | undefined;
  readonly name: string;
  readonly rule: Omit<Rule, "decision"> & { readonly decision?: Rule["decision"] | "allow" };
  readonly version: number;
  readonly tier: Tier;
  readonly reasonCode: string;
  readonly timeoutMs: number;
  readonly needs: readonly Costly[];
  /** allow: the rules whose questions it answers. */
  readonly lifts: readonly string[];
  /** The rule comes with skillctl, and the build has compiled its `when`. */
  readonly builtin: boolean;
  /** Its `when` was not reviewed here: patterns, and definitions that refer to others twice, can take exponential time. */
  readonly mayHang: boolean;
}

/** Default time-out of a handler, in milliseconds, including the opening of its plugin. */
const TIMEOUT_MS = 2_000;

/** The rules that hear an event: those of skills in the order of the catalog, then those of higher tiers. */
export function rulesFor(
  event: GuardEvent,
  skill: string | undefined,
  catalog: Catalog,
  own: OwnRules,
): readonly PlannedRule[] {
  const ofSkill = isOfSkill(event);
  return plannedRules(catalog, own, ({ on, applies }, owner) => {
    if (!on?.some((one) => one === event)) return false;
    return !ofSkill || owner === undefined || applies === "all" || owner === skill;
  });
}

/** Every rule that hears an event, in the same order. */
export function allRules(catalog: Catalog, own: OwnRules): readonly PlannedRule[] {
  return plannedRules(catalog, own, ({ on }) => on !== undefined);
}

/** `isMeant` receives the skill of a rule, or none for a rule without a skill. */
function plannedRules(
  { skills }: Catalog,
  own: OwnRules,
  isMeant: (rule: Pick<Rule, "on" | "applies">, owner?: string) => boolean,
): readonly PlannedRule[] {
  const found: PlannedRule[] = [];
  for (const { manifest, builtin } of skills) {
    for (const [name, rule] of Object.entries(manifest.rules ?? {}))
      if (isMeant(rule, manifest.name)) found.push(planned(manifest.name, name, rule, "plugin", builtin));
  }
  for (const tier of TIERS) {
    for (const [name, rule] of Object.entries((tier !== "plugin" && tier !== "core" && own[tier]) || {})) {
      if (!isMeant({ on: rule.on })) continue;
      found.push({ ...planned(tier, name, { ...rule, tell: rule.message }, tier), lifts: rule.lifts ?? [] });
    }
  }
  for (const [name, rule] of Object.entries(own.core ?? {}))
    if (isMeant(rule)) found.push(planned("core", name, rule, "core", true));
  return found;
}

function planned(
  owner: string,
  name: string,
  rule: PlannedRule["rule"],
  tier: Tier,
  builtin = false,
): PlannedRule {
  const id = `${owner}/${name}`;
  const looked = rule.when ? propertiesOf(rule.when) : new Set<string>();
  return {
    id,
    skill: tier === "plugin" ? owner : undefined,
    name,
    rule,
    version: rule.version ?? 1,
    tier,
    reasonCode: id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_"),
    timeoutMs: rule.timeoutMs ?? TIMEOUT_MS,
    needs: COSTLY.filter((one) => looked.has(one) || rule.needs?.includes(one)),
    lifts: [],
    builtin,
    mayHang: !builtin && rule.when !== undefined,
  };
}

/** The properties of the request that a predicate uses anywhere. */
function propertiesOf(schema: Predicate): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const look = (part: unknown): void => {
    if (!isObject(part) || seen.has(part)) return;
    seen.add(part);
    const { properties = {}, required = [], allOf = [], anyOf = [], not, $ref } = part as Predicate;
    for (const key of [...Object.keys(properties), ...required]) found.add(key);
    for (const below of [...allOf, ...anyOf, not]) look(below);
    if ($ref !== undefined) look($ref === "#" ? schema : schema.$defs?.[$ref.replace("#/$defs/", "")]);
  };
  look(schema);
  return found;
}
