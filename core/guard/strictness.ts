import type { Decision } from "../plugin.ts";

/** Strictest wins (docs/guards.md, Decisions): a rewrite never takes the place of a question or a denial. */
export const STRICTNESS: Readonly<Record<Decision, number>> = {
  allow: 0,
  warn: 1,
  transform: 2,
  ask: 3,
  deny: 4,
};
