import type { GuardDecision } from "../../contract.ts";
import type { GuardEvent } from "../../plugin.ts";
import { object } from "./agent-event.ts";
import { hookClient, outcomeAt, type Answer } from "./client.ts";
import { json, type HookEvent, type HookResponse } from "./dialect.ts";

/** Events whose answer may contain context for the model. */
const WITH_CONTEXT = new Set<GuardEvent>(["prompt.submit", "tool.post", "session.start"]);

/**
 * Gemini CLI: docs/hooks of github.com/google-gemini/gemini-cli and packages/core/src/hooks/hookRunner.ts, August 2026.
 * Standard output is always one JSON object; `decision` is allow or deny; a changed input is merged into the old one, so no
 * property can be removed; exit status 2 denies with the reason on standard error, any other is a warning.
 *
 * `timeout` is in milliseconds. A late hook is a warning, and the call runs. Comments are read, a byte order mark is not
 * (tried with 0.61.0).
 */
export const GEMINI = hookClient("gemini", {
  outcome: (decision, event) => {
    const outcome = outcomeAt("gemini", decision, event);
    return outcome === "transform" && !keepsAll(decision, event) ? "deny" : outcome;
  },
  answer: geminiAnswer,
  switchedOff: ({ hooksConfig }) => {
    const { enabled, disabled } = (hooksConfig ?? {}) as { enabled?: unknown; disabled?: unknown };
    return enabled === false || (Array.isArray(disabled) && disabled.includes("skillctl"));
  },
});

function geminiAnswer({ decision, outcome, person, model, ours }: Answer): HookResponse {
  if (decision.decision === "allow") return json({});
  const systemMessage = person;
  if (outcome === "transform")
    return json({ systemMessage, hookSpecificOutput: { tool_input: decision.input } });
  if (outcome === "deny")
    return json({ decision: "deny", reason: ours === "prompt.submit" ? person : model, systemMessage });
  const hookSpecificOutput = { additionalContext: model };
  return json({ systemMessage, ...(WITH_CONTEXT.has(ours) && { hookSpecificOutput }) });
}

/** Whether a changed input has every property of the old one, so that merging it yields the new one. */
function keepsAll({ input }: GuardDecision, event: HookEvent): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.keys(object(event, "tool_input") ?? {}).every((key) => Object.hasOwn(input, key));
}
