import type { OwnRule, Rule } from "../contract.ts";

/**
 * The origin of a rule, the weakest first (docs/guards.md, Decisions). A skill can only tighten. No rule can answer a question of
 * the core in advance.
 */
export const TIERS = ["plugin", "workspace", "user", "operator", "core"] as const;
export type Tier = (typeof TIERS)[number];

/** Rules without a skill: of the working folder, the person, the operator of the machine and the core. */
export type OwnRules = Partial<
  Readonly<Record<"workspace" | "user" | "operator", Readonly<Record<string, OwnRule>>>>
> & { readonly core?: Readonly<Record<string, Rule>> };

/** Whether one tier stands above another. */
export function isAbove(one: Tier, other: Tier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other);
}
