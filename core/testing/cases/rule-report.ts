import type { SkillManifest, OwnRule, Rule } from "../../contract.ts";
import type { Check } from "../../schema/schemas.ts";
import type { HostedSkill } from "../../skill.ts";
import { dataRules, decisionTable, findingsOf, type RuleFinding } from "./decision-table.ts";
import { subjectsIn, readTables } from "./rule-cases.ts";

/**
 * What is wrong with the rules of a skill by their decision table: one that is unreachable, shadowed, or speaks of
 * everything. `fits` is the check of `core/guard-request`. Loads no code.
 */
export async function ruleReport(
  manifest: SkillManifest,
  folder: string,
  fits: Check,
): Promise<readonly RuleFinding[]> {
  const rules = dataRules(manifest);
  if (rules.length === 0) return [];
  const given = await subjectsIn(folder, Object.keys(manifest.rules ?? {}));
  return findingsOf(rules, decisionTable(manifest.name, rules, given, fits));
}

/** What is wrong with a rule that no skill brings. */
export interface OwnRuleFinding {
  /** Its name. */
  readonly rule: string;
  readonly code: string;
  readonly sentence: string;
}

/** What own rules are held against. */
export interface OwnRuleSurroundings {
  readonly skills: readonly Pick<HostedSkill, "manifest" | "folder">[];
  /** Own rules of lower tiers by `<tier>/<rule>`. */
  readonly lower: Readonly<Record<string, OwnRule>>;
  /** Names of the rules of the core. */
  readonly core: readonly string[];
  /** The check of `core/guard-request`. */
  readonly fits: Check;
}

/**
 * What is wrong with the rules of one skillctl.json, by the checks of a skill's rules: one that never speaks, speaks of
 * everything or never matters; and lifts of what is not there or never asks. Loads no code of a skill.
 */
export async function ownRuleReport(
  tier: string,
  rules: Readonly<Record<string, OwnRule>>,
  surroundings: OwnRuleSurroundings,
): Promise<readonly OwnRuleFinding[]> {
  const told = Object.entries(rules).map(([name, rule]): [string, Rule] => [
    name,
    { ...rule, tell: rule.message, applies: "all" } as Rule,
  ]);
  const data = dataRules({ name: tier, rules: Object.fromEntries(told) } as SkillManifest);
  const found: OwnRuleFinding[] = [...findingsOf(data, decisionTable(tier, data, [], surroundings.fits))];
  for (const [rule, { lifts = [] }] of Object.entries(rules)) {
    for (const id of lifts) {
      const why = await whyNot(id, surroundings);
      if (why !== undefined)
        found.push({ rule, code: "RULE_LIFTS_NOTHING", sentence: `${tier}/${rule} lifts ${id}, ${why}.` });
    }
  }
  return found;
}

/** Why a rule cannot be lifted; undefined when it can. */
async function whyNot(id: string, { skills, lower, core }: OwnRuleSurroundings): Promise<string | undefined> {
  const [owner = "", name = ""] = id.split("/");
  if (owner === "core")
    return core.includes(name) ? "which is of the core: nobody lifts that" : "which does not exist";
  const skill = skills.find(({ manifest }) => manifest.name === owner);
  const rules = skill?.manifest.rules ?? {};
  const rule = Object.hasOwn(rules, name) ? rules[name] : Object.hasOwn(lower, id) ? lower[id] : undefined;
  if (!rule) return skill ? "which does not exist" : "which no hosted skill brings";
  const { decision } = rule;
  if ("handler" in rule && rule.handler) {
    const tables = skill && (await readTables(skill.folder, name).catch(() => undefined));
    const asks = tables?.stops.some((stop) => stop.decision === "ask") ?? true;
    return asks ? undefined : "which asks in none of its cases: only a question can be answered";
  }
  return decision === "ask" ? undefined : `which decides ${decision}: only a question can be answered`;
}
