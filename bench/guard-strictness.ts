import type { Decision } from "../core/plugin.ts";

export const STRICT: readonly Decision[] = ["allow", "warn", "transform", "ask", "deny"];

export function strictest(decisions: readonly (Decision | undefined)[]): Decision {
  const places = decisions.map((decision) => STRICT.indexOf(decision ?? "allow"));
  return STRICT[Math.max(0, ...places)] ?? "allow";
}
