import type { SkillManifest } from "../../contract.ts";
import type { Check } from "../../schema/schemas.ts";
import { dataRules, decisionTable, findingsOf, type RuleFinding } from "./decision-table.ts";
import { subjectsIn } from "./rule-tables.ts";

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
