import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent } from "../../plugin.ts";
import agents from "../../guard/own/agents.json" with { type: "json" };
import { requestOf, text } from "./agent-event.ts";
import { KEY_VARIABLE, WAIT_S, command, unlessEnd, type HookClient } from "./client.ts";
import { NEITHER, SILENCE, blocked, json, messagesOf } from "./dialect.ts";
import type { Dialect, HookEvent, HookResponse, Unsupported } from "./dialect.ts";

/** An agent with the hooks of Claude Code: its events in our terms, and the decisions that it lacks before a call. */
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
 * Claude Code, as its hooks reference (code.claude.com/docs/en/hooks) stated in November 2026: an empty answer leaves the
 * call to the person's own settings, whereas `allow` would skip their question; exit status 2 denies at every event,
 * with the reason on standard error; any other status lets the call through. updatedInput counts only beside a permission;
 * `allow` would take the person's own question away. PreSkillShellCommand comes before a command that stands in the text of
 * a skill, which is run when the skill is read (2.1.332; 2.1.197 runs such commands without an event).
 *
 * Claude Code: code.claude.com/docs/en/hooks, read November 2026. `timeout` is in seconds; `onFailure: "block"` is new in
 * 2.1.295 (release notes of 8 October 2026): 2.1.332 denies the call of a late hook, 2.1.197 lets it through.
 * Settings with comments are not read (tried with 2.1.197). A hook of the type `http` gets the event as a POST; any status
 * but 2xx is a failed hook. At SessionStart there is none.
 */
export const CLAUDE_CODE: HookClient = {
  ...agents["claude-code"],
  ...claudeDialect({
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
    unsupported: { "tool.pre": { transform: "ask" } },
  }),
  form: "groups",
  head: {},
  hook: (line, isEnd) => command(line, unlessEnd(isEnd, { onFailure: "block" })),
  http: {
    hook: (url, isEnd) => ({
      type: "http",
      url,
      headers: { Authorization: `Bearer $${KEY_VARIABLE}` },
      allowedEnvVars: [KEY_VARIABLE],
      timeout: WAIT_S,
      ...unlessEnd(isEnd, { onFailure: "block" }),
    }),
    without: ["SessionStart"],
  },
  late: "denied",
  remedy: "Needs Claude Code 2.1.295; older ones let calls through whose hook is late.",
  reads: ["mark"],
  before: { project: "Claude Code runs hooks of a project once its folder is trusted." },
  switchedOff: ({ disableAllHooks }) => disableAllHooks === true,
};

/** Events after an action: a decision becomes a message. After a failed call the model reads additionalContext only. */
const ONLY_TOLD = new Set(["SessionEnd", "PostToolUseFailure"]);

/** An event without questions, at which a changed input keeps the command from running and the model gets no further context. */
const SKILL_COMMAND = "PreSkillShellCommand";

/** The dialect of an agent with the hooks of Claude Code. */
export function claudeDialect(form: Form): Dialect {
  const { name, events } = form;
  const unsupported = { ...UNSUPPORTED, ...form.unsupported };
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
    // The person reads the reason of a question, the model that of a denial.
    permissionDecisionReason: outcome === "ask" ? person : model,
    ...(outcome === "ask" && decision.decision === "transform" && { updatedInput: decision.input }),
  };
  return json({ hookSpecificOutput: permission, ...(outcome === "deny" && { systemMessage: person }) });
}
