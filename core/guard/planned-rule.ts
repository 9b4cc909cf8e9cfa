import type { Catalog } from "../catalog.ts";
import type { Rule } from "../contract.ts";
import { SkillError } from "../errors/skill-error.ts";
import type { Subject } from "../plugin.ts";
import { PredicateFault, compilePredicate, propertiesOf } from "../schema/predicate.ts";
import { TIERS, type OwnRules, type Tier } from "./tier.ts";

/** What costs something to find out of a subject, and is found out only for rules that look at it. */
export const COSTLY = ["phases", "shell"] as const;
export type Costly = (typeof COSTLY)[number];

/** A predicate that is compiled when it is asked for the first time, or before. @throws SkillError `SCHEMA_INVALID` */
export interface When {
  (subject: Subject): boolean;
  readonly compile: () => (subject: Subject) => boolean;
}

/** A rule, ready to be asked. */
export interface PlannedRule {
  readonly id: string;
  /** Whose plugin has the handler; undefined for a rule that no skill brings. */
  readonly skill: string | undefined;
  readonly name: string;
  readonly rule: Omit<Rule, "decision"> & { readonly decision?: Rule["decision"] | "allow" };
  readonly version: number;
  readonly tier: Tier;
  readonly reasonCode: string;
  readonly timeoutMs: number;
  readonly needs: readonly Costly[];
  /** allow: the rules whose question it answers. */
  readonly lifts: readonly string[];
  /** Whether a subject is the rule's affair. It throws a RangeError too, for one that is nested too deep. */
  readonly when: When | undefined;
}

/** A handler has this long to answer, in milliseconds, the opening of its plugin included. */
const TIMEOUT_MS = 2_000;
const OF_SKILLS = new Set<string>([
  "command.pre",
  "command.post",
  "route.request",
  "phase.enter",
  "phase.leave",
]);

/** The rules that hear an event, of skills in the order of the catalog and then of higher tiers. */
export function rulesFor(
  event: string,
  skill: string | undefined,
  { skills }: Catalog,
  own: OwnRules,
): readonly PlannedRule[] {
  const found: PlannedRule[] = [];
  for (const { manifest } of skills) {
    for (const [name, rule] of Object.entries(manifest.rules ?? {})) {
      if (!rule.on?.some((one) => one === event)) continue;
      if (OF_SKILLS.has(event) && rule.applies !== "all" && manifest.name !== skill) continue;
      found.push(planned(manifest.name, name, rule, "plugin"));
    }
  }
  for (const tier of TIERS) {
    for (const [name, rule] of Object.entries((tier !== "plugin" && own[tier]) || {})) {
      if (!rule.on.some((one) => one === event)) continue;
      found.push({ ...planned(tier, name, { ...rule, tell: rule.message }, tier), lifts: rule.lifts ?? [] });
    }
  }
  return found;
}

function planned(owner: string, name: string, rule: PlannedRule["rule"], tier: Tier): PlannedRule {
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
    when: rule.when && late(`${id}/when`, rule.when),
  };
}

function late(label: string, schema: object): When {
  let test: ((subject: Subject) => boolean) | undefined;
  const compile = (): ((subject: Subject) => boolean) => (test ??= compiled(label, schema));
  return Object.assign((subject: Subject) => (test ?? compile())(subject), { compile });
}

function compiled(label: string, schema: object): (subject: Subject) => boolean {
  try {
    return compilePredicate(schema);
  } catch (cause) {
    if (!(cause instanceof PredicateFault)) throw cause;
    throw new SkillError("SCHEMA_INVALID", `The schema ${label} cannot be used: ${cause.message}.`, {
      cause,
      pointer: cause.pointer,
    });
  }
}
