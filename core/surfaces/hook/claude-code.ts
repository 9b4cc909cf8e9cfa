import { hookClient, type Answer } from "./client.ts";
import { SILENCE, json, type HookResponse } from "./dialect.ts";

/**
 * Claude Code: code.claude.com/docs/en/hooks, read November 2026. An empty answer leaves the call to the person's own settings,
 * whereas `allow` would skip their question. Exit status 2 denies at every event, with the reason on standard error; any other
 * status lets the call through. updatedInput counts only with a permission, so a changed input is a question. After a failed
 * call the model reads additionalContext only. PreSkillShellCommand comes before a command in the text of a skill, which
 * is run when the skill is read (2.1.332; 2.1.197 runs such commands without an event).
 *
 * `timeout` is in seconds; `onFailure: "block"` is new in 2.1.295 (release notes of 8 October 2026): 2.1.332 denies the call of
 * a late hook, 2.1.197 lets it through. Settings with comments are not read (tried with 2.1.197). A hook of the type `http` gets
 * the event as a POST; a status other than 2xx is a failure of the hook. SessionStart has no such hooks.
 */
export const CLAUDE_CODE = hookClient("claude-code", {
  answer: claudeAnswer,
  switchedOff: ({ disableAllHooks }) => disableAllHooks === true,
});

/** Translates a decision into the format of Claude Code and of the agents that adopted its hooks. */
export function claudeAnswer({ decision, outcome, person, model, ours, theirs }: Answer): HookResponse {
  const hookEventName = theirs;
  if (decision.decision === "allow") return SILENCE;
  if (outcome === "warn") {
    // At PreSkillShellCommand the model gets no further context.
    const isUnread = ours === "turn.stop" || ours === "session.end" || theirs === "PreSkillShellCommand";
    const hookSpecificOutput = { hookEventName, additionalContext: model };
    return json({ systemMessage: person, ...(!isUnread && { hookSpecificOutput }) });
  }
  if (ours === "session.start") return json({ continue: false, stopReason: person });
  if (ours !== "tool.pre") {
    const reason = ours === "prompt.submit" ? person : model;
    return json({ decision: "block", reason, systemMessage: person });
  }
  const { input: updatedInput } = decision;
  if (outcome === "transform")
    return json({
      hookSpecificOutput: { hookEventName, permissionDecision: "allow", updatedInput },
      systemMessage: person,
    });
  const permission = {
    hookEventName,
    permissionDecision: outcome,
    // The person reads the reason of a question, the model that of a denial.
    permissionDecisionReason: outcome === "ask" ? person : model,
    ...(outcome === "ask" && decision.decision === "transform" && { updatedInput }),
  };
  return json({ hookSpecificOutput: permission, ...(outcome === "deny" && { systemMessage: person }) });
}
