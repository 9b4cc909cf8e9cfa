import type { OwnRule, Rule } from "../contract.ts";

/**
 * Where a rule comes from, the weakest first (docs/guards.md, Decisions). A skill can only tighten, and what the core asks
 * nobody answers beforehand.
 */
export const TIERS = ["plugin", "workspace", "user", "operator", "core"] as const;
export type Tier = (typeof TIERS)[number];

/** The rules that no skill brings: of the working folder, of the person, of who runs the machine, and of the core. */
export type OwnRules = Partial<
  Readonly<Record<"workspace" | "user" | "operator", Readonly<Record<string, OwnRule>>>>
> & { readonly core?: Readonly<Record<string, Rule>> };

/** Whether one tier stands above another. */
export function isAbove(one: Tier, other: Tier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other);
}
