import { configurationFile } from "../../adapters/configuration.ts";
import type { Catalog } from "../../catalog.ts";
import type { OwnRule } from "../../contract.ts";
import { OWN_RULES } from "../../guard/own/own-rules.ts";
import { idleLifts, unreachableRules, type RuleFinding } from "../../validation/rule-report.ts";
import { coreSchemas } from "./schema-files.ts";
import type { VerbContext } from "./verb.ts";

/** What is wrong with a rule of a skillctl.json. */
export interface OwnRuleFault extends RuleFinding {
  readonly tier: string;
  /** Absolute; missing where it is the person's or the machine's. */
  readonly file?: string;
}

/** What is wrong with the rules of the working folder, of the person and of the machine; they can be read. */
export async function ownRuleFaults(
  context: VerbContext,
  { skills }: Pick<Catalog, "skills">,
): Promise<readonly OwnRuleFault[]> {
  const tiers = Object.entries(await context.rules()).filter(([tier]) => tier !== "core");
  if (tiers.every(([, rules]) => Object.keys(rules ?? {}).length === 0)) return [];
  const request = await coreSchemas.document("core/guard-request");
  const file = configurationFile(context.workingFolder);
  const lower: Record<string, OwnRule> = {};
  const faults: OwnRuleFault[] = [];
  for (const [tier, given] of tiers) {
    const rules = given as Readonly<Record<string, OwnRule>>;
    const found = [
      ...unreachableRules(tier, rules, request),
      ...idleLifts(tier, rules, { skills, lower, core: Object.keys(OWN_RULES) }),
    ];
    for (const one of found)
      faults.push({ ...one, tier, ...(tier === "workspace" && file !== undefined && { file }) });
    for (const [name, rule] of Object.entries(rules)) lower[`${tier}/${name}`] = rule;
  }
  return faults;
}
