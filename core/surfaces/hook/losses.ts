import type { Decision, GuardEvent } from "../../plugin.ts";

/** What takes the place of a decision for which an agent has no word at an event. */
export type Losses = Partial<Readonly<Record<GuardEvent, Partial<Readonly<Record<Decision, Decision>>>>>>;

/**
 * What each dialect cannot say, and what it says instead: always something stricter. Known from the published shapes
 * that the files of the dialects name.
 */
export const LOSSES: Readonly<Record<string, Losses>> = {
  "claude-code": {
    // updatedInput counts only beside a permission; `allow` would take the person's own question away.
    "tool.pre": { transform: "ask" },
    "tool.post": { ask: "deny", transform: "deny" },
    "prompt.submit": { ask: "deny", transform: "deny" },
    "session.start": { ask: "deny", transform: "deny" },
    "turn.stop": { ask: "deny", transform: "deny" },
  },
  codex: {
    // Its parser calls permissionDecision ask unsupported, and then runs the call.
    "tool.pre": { ask: "deny" },
    "tool.post": { ask: "deny", transform: "deny" },
    "prompt.submit": { ask: "deny", transform: "deny" },
    "session.start": { ask: "deny", transform: "deny" },
    "turn.stop": { ask: "deny", transform: "deny" },
  },
  cursor: {
    // Only before shell commands and tools of MCP servers may `ask`, at their own events: preToolUse, which comes before
    // them, leaves the question to them. A changed input is not taken over everywhere.
    "tool.pre": { ask: "deny", transform: "deny" },
    "prompt.submit": { ask: "deny", transform: "deny" },
    "session.start": { ask: "deny", transform: "deny" },
    "turn.stop": { ask: "deny", transform: "deny" },
  },
  gemini: {
    "tool.pre": { ask: "deny" },
    "tool.post": { ask: "deny", transform: "deny" },
    "prompt.submit": { ask: "deny", transform: "deny" },
    "turn.stop": { ask: "deny", transform: "deny" },
  },
};

/**
 * Events that an agent tells of and that no answer stops: a denial there is told, and nothing more. So it is after a call
 * that failed (PostToolUseFailure of Claude Code), beside PostToolUse, whose answer stops.
 */
export const UNSTOPPABLE: Readonly<Record<string, readonly GuardEvent[]>> = {
  "claude-code": ["session.end"],
  codex: [],
  cursor: ["session.end", "tool.post"],
  gemini: ["session.start", "session.end"],
};

/** The decision as a dialect can say it at an event. */
export function sayable(dialect: string, event: GuardEvent, decision: Decision): Decision {
  return LOSSES[dialect]?.[event]?.[decision] ?? decision;
}
