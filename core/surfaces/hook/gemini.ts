import agents from "../../guard/own/agents.json" with { type: "json" };
import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent } from "../../plugin.ts";
import { object, requestOf, text } from "./agent-event.ts";
import { WAIT_S, type HookClient } from "./client.ts";
import { NEITHER, blocked, json, messagesOf } from "./dialect.ts";
import type { HookEvent, Unsupported } from "./dialect.ts";

/**
 * Gemini CLI, as docs/hooks/reference.md of github.com/google-gemini/gemini-cli stated in 2026: standard output is always one
 * JSON object; `decision` is allow or deny; a changed input is merged into the old one, so that no property can be removed;
 * exit status 2 denies with the reason on standard error, any other is a warning.
 */
const EVENTS: Readonly<Record<string, GuardEvent>> = {
  SessionStart: "session.start",
  SessionEnd: "session.end",
  BeforeAgent: "prompt.submit",
  BeforeTool: "tool.pre",
  AfterTool: "tool.post",
  AfterAgent: "turn.stop",
};
/** Events that cannot be stopped: a decision becomes a message. */
const TOLD = { ask: "warn", transform: "warn", deny: "warn" } as const;
const UNSUPPORTED: Unsupported = {
  "tool.pre": { ask: "deny" },
  "tool.post": NEITHER,
  "prompt.submit": NEITHER,
  "turn.stop": NEITHER,
  "session.start": TOLD,
  "session.end": TOLD,
};
/** Events whose answer may contain context for the model. */
const WITH_CONTEXT = new Set<GuardEvent>(["prompt.submit", "tool.post", "session.start"]);

/**
 * Gemini CLI: docs/hooks of github.com/google-gemini/gemini-cli and packages/core/src/hooks/hookRunner.ts, August 2026.
 * `timeout` is in milliseconds. A late hook is a warning, and the call runs. Comments are read, a byte order mark is not
 * (tried with 0.61.0).
 */
export const GEMINI: HookClient = {
  ...agents.gemini,
  name: "gemini",
  events: EVENTS,
  request: (event) => requestOf("gemini", EVENTS, event),
  outcome,
  respond: (decision, event) => {
    const ours = oursOf(event);
    if (decision.decision === "allow") return json({});
    const given = outcome(decision, event);
    const { person, model } = messagesOf(decision, given, "gemini");
    if (given === "warn")
      return json({
        systemMessage: person,
        ...(WITH_CONTEXT.has(ours) && { hookSpecificOutput: { additionalContext: model } }),
      });
    if (given === "transform")
      return json({ systemMessage: person, hookSpecificOutput: { tool_input: decision.input } });
    const reason = ours === "prompt.submit" ? person : model;
    return json({ decision: "deny", reason, systemMessage: person });
  },
  refuse: blocked,
  form: "groups",
  head: {},
  hook: (line) => ({ name: "skillctl", type: "command", command: line, timeout: WAIT_S * 1000 }),
  late: "let through",
  remedy: "Gemini CLI has no switch for it.",
  reads: ["comments"],
  before: {
    project: "Gemini CLI runs hooks only in a folder that is trusted.",
    user: "Gemini CLI runs hooks only in a folder that is trusted.",
  },
  variableFiles: [".env", "../.env"],
  switchedOff: ({ hooksConfig }) => {
    const { enabled, disabled } = (hooksConfig ?? {}) as { enabled?: unknown; disabled?: unknown };
    return enabled === false || (Array.isArray(disabled) && disabled.includes("skillctl"));
  },
};

function oursOf(event: HookEvent): GuardEvent {
  return EVENTS[text(event, "hook_event_name") ?? ""] ?? "tool.pre";
}

function outcome({ decision, input }: GuardDecision, event: HookEvent): Decision {
  const given = UNSUPPORTED[oursOf(event)]?.[decision] ?? decision;
  return given === "transform" && !keepsAll(object(event, "tool_input"), input) ? "deny" : given;
}

/** Whether an input has every property of the old one, so that merging it yields the new one. */
function keepsAll(before: object | undefined, after: unknown): boolean {
  if (typeof after !== "object" || after === null) return false;
  return Object.keys(before ?? {}).every((key) => Object.hasOwn(after, key));
}
