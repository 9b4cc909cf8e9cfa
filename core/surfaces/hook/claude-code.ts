import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent } from "../../plugin.ts";
import { requestOf, text } from "./agent-event.ts";
import { NEITHER, SILENCE, blocked, json, messagesOf } from "./dialect.ts";
import type { Dialect, HookEvent, HookResponse, Unsupported } from "./dialect.ts";

/** An agent with the hooks of Claude Code: its events in our words, and what it has no word for. */
interface Form {
  readonly name: string;
  readonly events: Readonly<Record<string, GuardEvent>>;
  readonly unsupported: Unsupported;
}

const UNSUPPORTED: Unsupported = {
  "tool.post": NEITHER,
  "prompt.submit": NEITHER,
  "session.start": NEITHER,
  "turn.stop": NEITHER,
};

/**
 * Claude Code, as its hooks reference (code.claude.com/docs/en/hooks) said in November 2026: an empty answer leaves the
 * call to the person's own settings, where `allow` would skip their question; exit status 2 denies whatever the event,
 * with the reason on standard error; any other status lets the call through. updatedInput counts only beside a permission;
 * `allow` would take the person's own question away. PreSkillShellCommand comes before a command that stands in the text of
 * a skill, which is run when the skill is read (2.1.332; 2.1.197 runs such commands and tells nobody).
 */
export const CLAUDE_CODE = dialect({
  name: "claude-code",
  events: {
    SessionStart: "session.start",
    SessionEnd: "session.end",
    UserPromptSubmit: "prompt.submit",
    PreToolUse: "tool.pre",
    PreSkillShellCommand: "tool.pre",
    PostToolUse: "tool.post",
    PostToolUseFailure: "tool.post",
    Stop: "turn.stop",
    SubagentStop: "turn.stop",
  },
  unsupported: { ...UNSUPPORTED, "tool.pre": { transform: "ask" } },
});

/**
 * Codex, as the schemas in codex-rs/hooks/schema/generated and the parser in codex-rs/hooks/src/engine/output_parser.rs of
 * github.com/openai/codex said in October 2026: closed objects; permissionDecision `ask`, and `allow` without an updated
 * input, count as errors, and after an error the call is run. A changed input with `allow` is taken over and skips no
 * approval. Exit status 2 denies only with a reason on standard error. Codex shows the call itself beside the reason.
 */
export const CODEX = dialect({
  name: "codex",
  events: {
    SessionStart: "session.start",
    UserPromptSubmit: "prompt.submit",
    PreToolUse: "tool.pre",
    PostToolUse: "tool.post",
    Stop: "turn.stop",
  },
  unsupported: { ...UNSUPPORTED, "tool.pre": { ask: "deny" } },
});

/** What has happened is not undone: whatever is decided is told. A failed call tells the model by additionalContext alone. */
const ONLY_TOLD = new Set(["SessionEnd", "PostToolUseFailure"]);

/** Where nobody is asked, a changed input keeps the command from running, and the model is told nothing beside it. */
const SKILL_COMMAND = "PreSkillShellCommand";

function dialect(form: Form): Dialect {
  const { name, events, unsupported } = form;
  const outcome = ({ decision }: GuardDecision, event: HookEvent): Decision => {
    const theirs = text(event, "hook_event_name") ?? "";
    if (ONLY_TOLD.has(theirs)) return decision === "allow" ? "allow" : "warn";
    const stricter: Unsupported["tool.pre"] =
      theirs === SKILL_COMMAND ? NEITHER : unsupported[events[theirs] ?? "tool.pre"];
    return stricter?.[decision] ?? decision;
  };
  return {
    name,
    events,
    request: (event) => requestOf(name, events, event),
    outcome,
    respond: (decision, event) => respond(form, decision, outcome(decision, event), event),
    refuse: blocked,
  };
}

function respond(
  { name, events }: Form,
  decision: GuardDecision,
  outcome: Decision,
  event: HookEvent,
): HookResponse {
  const hookEventName = text(event, "hook_event_name") ?? "";
  const ours = events[hookEventName] ?? "tool.pre";
  if (decision.decision === "allow") return SILENCE;
  const { person, model } = messagesOf(decision, outcome, name);
  if (outcome === "warn")
    return json({
      systemMessage: person,
      ...(ours !== "turn.stop" &&
        ours !== "session.end" &&
        hookEventName !== SKILL_COMMAND && {
          hookSpecificOutput: { hookEventName, additionalContext: model },
        }),
    });
  if (ours === "session.start") return json({ continue: false, stopReason: person });
  if (ours !== "tool.pre")
    return json({
      decision: "block",
      reason: ours === "prompt.submit" ? person : model,
      systemMessage: person,
    });
  if (outcome === "transform") {
    const { input: updatedInput } = decision;
    return json({
      hookSpecificOutput: { hookEventName, permissionDecision: "allow", updatedInput },
      systemMessage: person,
    });
  }
  const permission = {
    hookEventName,
    permissionDecision: outcome,
    // Who is asked reads the reason of a question, the model that of a denial.
    permissionDecisionReason: outcome === "ask" ? person : model,
    ...(outcome === "ask" && decision.decision === "transform" && { updatedInput: decision.input }),
  };
  return json({ hookSpecificOutput: permission, ...(outcome === "deny" && { systemMessage: person }) });
}
