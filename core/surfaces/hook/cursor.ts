import agents from "../../guard/own/agents.json" with { type: "json" };
import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent, Subject } from "../../plugin.ts";
import { defined, requestOf, text } from "./agent-event.ts";
import { WAIT_S, unlessEnd, type HookClient } from "./client.ts";
import { DENIED, json, messagesOf, type HookEvent, type HookResponse } from "./dialect.ts";
import { toolFacts } from "./tool-call.ts";

/**
 * Cursor, as its hooks documentation (cursor.com/docs/agent/hooks) stated in 2026: `permission` is allow, ask or deny before
 * shell commands and tools of MCP servers, and allow or deny elsewhere; a prompt is stopped with `continue`; exit status 2
 * denies, and any other failure lets the call through unless the hook is marked failClosed. preToolUse comes before every tool; after
 * it, before shell commands and tools of MCP servers, come their own events, which alone can ask. A changed input is not
 * taken over everywhere.
 */
const EVENTS: Readonly<Record<string, GuardEvent>> = {
  sessionStart: "session.start",
  sessionEnd: "session.end",
  beforeSubmitPrompt: "prompt.submit",
  preToolUse: "tool.pre",
  beforeShellExecution: "tool.pre",
  beforeMCPExecution: "tool.pre",
  beforeReadFile: "tool.pre",
  beforeTabFileRead: "tool.pre",
  postToolUse: "tool.post",
  postToolUseFailure: "tool.post",
  afterShellExecution: "tool.post",
  afterMCPExecution: "tool.post",
  afterFileEdit: "tool.post",
  afterTabFileEdit: "tool.post",
  stop: "turn.stop",
};
/** Events with a form of their own, and their tools. */
const OWN_FORM: Readonly<Record<string, readonly [name: string, kind: NonNullable<Subject["tool"]>]>> = {
  beforeShellExecution: ["Shell", "shell"],
  afterShellExecution: ["Shell", "shell"],
  beforeReadFile: ["Read", "read"],
  beforeTabFileRead: ["TabRead", "read"],
  afterFileEdit: ["Edit", "edit"],
  afterTabFileEdit: ["TabWrite", "edit"],
};
const ASKING = new Set(["beforeShellExecution", "beforeMCPExecution"]);
/** Tools for which one of `ASKING` follows preToolUse. */
const ASKED_LATER = /^(Shell|MCP:.+)$/;

/**
 * Cursor: cursor.com/docs/hooks, read November 2026. With `failClosed` a hook that
 * crashes, is late or does not answer JSON denies. preToolUse leaves its questions to beforeShellExecution and beforeMCPExecution.
 */
export const CURSOR: HookClient = {
  ...agents.cursor,
  name: "cursor",
  events: EVENTS,
  request,
  outcome,
  respond,
  refuse: (sentence) => ({
    ...json({ permission: "deny", continue: false, user_message: sentence, agent_message: sentence }, DENIED),
    err: `${sentence}\n`,
  }),
  form: "flat",
  head: { version: 1 },
  hook: (line, isEnd) => ({ command: line, timeout: WAIT_S, ...unlessEnd(isEnd, { failClosed: true }) }),
  late: "denied",
  remedy: "Needs a Cursor that knows failClosed; older ones let calls through whose hook is late.",
  reads: ["comments", "mark"],
  before: { project: "Cursor runs hooks of a project only in a workspace that is trusted." },
  switchedOff: () => false,
};

function request(event: HookEvent): Subject | undefined {
  const name = text(event, "hook_event_name") ?? "";
  const [root] = Array.isArray(event["workspace_roots"]) ? (event["workspace_roots"] as unknown[]) : [];
  const placed = { ...event, cwd: text(event, "cwd") || root };
  const [tool, kind] = (Object.hasOwn(OWN_FORM, name) && OWN_FORM[name]) || [];
  if (tool === undefined || kind === undefined) {
    const found = requestOf("cursor", EVENTS, placed);
    return found && name.endsWith("MCPExecution") ? { ...found, tool: "mcp" } : found;
  }
  const { command, file_path, edits, output } = event;
  if (typeof (kind === "shell" ? command : file_path) !== "string") return undefined;
  const tool_input = defined({ command, file_path, edits });
  const found = requestOf("cursor", EVENTS, { ...placed, tool_name: tool, tool_input, tool_output: output });
  return found && { ...found, ...toolFacts(tool, tool_input, kind) };
}

function outcome({ decision }: GuardDecision, event: HookEvent): Decision {
  const name = text(event, "hook_event_name") ?? "";
  const ours = EVENTS[name] ?? "tool.pre";
  if (decision === "ask" && (ASKING.has(name) || isAskedLater(event))) return "ask";
  if (ours === "tool.post" || ours === "session.end") return decision === "allow" ? "allow" : "warn";
  return decision === "ask" || decision === "transform" ? "deny" : decision;
}

function isAskedLater(event: HookEvent): boolean {
  return event["hook_event_name"] === "preToolUse" && ASKED_LATER.test(text(event, "tool_name") ?? "");
}

function respond(decision: GuardDecision, event: HookEvent): HookResponse {
  const name = text(event, "hook_event_name") ?? "";
  const ours = EVENTS[name] ?? "tool.pre";
  const permission = outcome(decision, event);
  const { person, model } = messagesOf(decision, permission, "cursor");
  // An empty object and no `permission: allow`: the person's own settings decide.
  if (decision.decision === "allow") return json(ours === "prompt.submit" ? { continue: true } : {});
  if (permission === "ask" && isAskedLater(event)) return json({});
  const warns = permission === "warn";
  if (ours === "prompt.submit") return json({ continue: warns, user_message: person });
  if (ours === "session.start")
    return json(warns ? { additional_context: model } : { continue: false, user_message: person });
  if (ours === "turn.stop") return json(warns ? {} : { followup_message: model });
  if (ours === "tool.post" || ours === "session.end") return json({ additional_context: model });
  const messages = { user_message: person, agent_message: model };
  return json(warns ? messages : { permission, ...messages });
}
