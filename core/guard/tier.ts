import type { OwnRule } from "../contract.ts";

/** Where a rule comes from, the weakest first (design of guards, 1.3). A skill can only tighten. */
export const TIERS = ["plugin", "workspace", "user", "operator"] as const;
export type Tier = (typeof TIERS)[number];

/** The rules that no skill brings: of the working folder, of the person, of who runs the machine. */
export type OwnRules = Partial<Readonly<Record<Exclude<Tier, "plugin">, Readonly<Record<string, OwnRule>>>>>;

/** Whether one tier stands above another. */
export function isAbove(one: Tier, other: Tier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other);
}
