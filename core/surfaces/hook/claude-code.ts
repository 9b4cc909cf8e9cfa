import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent } from "../../plugin.ts";
import { SILENCE, blocked, spoken, wordsOf, type Dialect, type HookEvent, type Spoken } from "./dialect.ts";
import { text } from "./fields.ts";
import { heardAs } from "./heard.ts";
import { sayable } from "./losses.ts";

/**
 * Claude Code, as its hooks reference (code.claude.com/docs/en/hooks) said in November 2026: an empty answer leaves the
 * call to the person's own settings, where `allow` would skip their question; exit status 2 denies whatever the event,
 * with the reason on standard error; any other status lets the call through.
 */
const EVENTS: Readonly<Record<string, GuardEvent>> = {
  SessionStart: "session.start",
  SessionEnd: "session.end",
  UserPromptSubmit: "prompt.submit",
  PreToolUse: "tool.pre",
  PostToolUse: "tool.post",
  PostToolUseFailure: "tool.post",
  Stop: "turn.stop",
  SubagentStop: "turn.stop",
};

/** What has happened is not undone: whatever is decided is told. A failed call tells the model by additionalContext alone. */
const ONLY_TOLD = new Set(["SessionEnd", "PostToolUseFailure"]);

export const CLAUDE_CODE: Dialect = {
  name: "claude-code",
  hear: (event) => heardAs("claude-code", EVENTS, event),
  says: (decision, event) => says("claude-code", EVENTS, decision, event),
  answer: (decision, event) => answer("claude-code", EVENTS, decision, event),
  refuse: blocked,
};

export function says(
  dialect: string,
  events: Readonly<Record<string, GuardEvent>>,
  { decision }: GuardDecision,
  event: HookEvent,
): Decision {
  const name = text(event, "hook_event_name") ?? "";
  if (ONLY_TOLD.has(name)) return decision === "allow" ? "allow" : "warn";
  return sayable(dialect, events[name] ?? "tool.pre", decision);
}

/** The answers that Claude Code and Codex have in common. */
export function answer(
  dialect: string,
  events: Readonly<Record<string, GuardEvent>>,
  decision: GuardDecision,
  event: HookEvent,
): Spoken {
  const hookEventName = text(event, "hook_event_name") ?? "";
  const ours = events[hookEventName] ?? "tool.pre";
  if (decision.decision === "allow") return SILENCE;
  const said = says(dialect, events, decision, event);
  const { person, model } = wordsOf(decision, said, dialect);
  if (said === "warn")
    return spoken({
      systemMessage: person,
      ...(ours !== "turn.stop" &&
        ours !== "session.end" && { hookSpecificOutput: { hookEventName, additionalContext: model } }),
    });
  if (ours === "session.start") return spoken({ continue: false, stopReason: person });
  if (ours !== "tool.pre")
    return spoken({
      decision: "block",
      reason: ours === "prompt.submit" ? person : model,
      systemMessage: person,
    });
  if (said === "transform") {
    const { input: updatedInput } = decision;
    return spoken({
      hookSpecificOutput: { hookEventName, permissionDecision: "allow", updatedInput },
      systemMessage: person,
    });
  }
  const permission = {
    hookEventName,
    permissionDecision: said,
    // Who is asked reads the reason of a question, the model that of a denial.
    permissionDecisionReason: said === "ask" ? person : model,
    ...(decision.decision === "transform" && { updatedInput: decision.input }),
  };
  return spoken({ hookSpecificOutput: permission, ...(said === "deny" && { systemMessage: person }) });
}
