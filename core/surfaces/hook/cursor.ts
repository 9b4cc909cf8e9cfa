import type { Subject } from "../../plugin.ts";
import { defined, nameOf, text } from "./agent-event.ts";
import { hookClient, outcomeAt, requestAt, type Answer } from "./client.ts";
import { DENIED, json, type HookEvent, type HookResponse } from "./dialect.ts";
import type { ToolKind } from "./tool-call.ts";

/** Events with a form of their own, and their tools. */
const OWN_FORM: Readonly<Record<string, readonly [name: string, kind: ToolKind]>> = {
  beforeShellExecution: ["Shell", "shell"],
  afterShellExecution: ["Shell", "shell"],
  beforeReadFile: ["Read", "read"],
  beforeTabFileRead: ["TabRead", "read"],
  afterFileEdit: ["Edit", "edit"],
  afterTabFileEdit: ["TabWrite", "edit"],
};
/** Tools for which beforeShellExecution or beforeMCPExecution follows preToolUse. */
const ASKED_LATER = /^(Shell|MCP:.+)$/;

/**
 * Cursor: cursor.com/docs/hooks, read November 2026. `permission` is allow, ask or deny before shell commands and tools of MCP
 * servers, and allow or deny elsewhere; a prompt is stopped with `continue`; exit status 2 denies. With `failClosed` a hook that
 * crashes, is late or does not return JSON denies; without it the call runs. preToolUse comes before every tool; after it, before
 * shell commands and tools of MCP servers, come their own events, which alone can ask. A changed input is not used
 * everywhere.
 */
export const CURSOR = hookClient("cursor", {
  request,
  outcome: (decision, event) =>
    decision.decision === "ask" && isAskedLater(event) ? "ask" : outcomeAt("cursor", decision, event),
  answer: cursorAnswer,
  refuse: (sentence) => ({
    ...json({ permission: "deny", continue: false, user_message: sentence, agent_message: sentence }, DENIED),
    err: `${sentence}\n`,
  }),
});

function request(event: HookEvent): Subject | undefined {
  const name = nameOf(event);
  const [root] = Array.isArray(event["workspace_roots"]) ? (event["workspace_roots"] as unknown[]) : [];
  const placed = { ...event, cwd: text(event, "cwd") || root };
  const [tool_name, kind] = (Object.hasOwn(OWN_FORM, name) && OWN_FORM[name]) || [];
  if (kind === undefined) {
    const found = requestAt("cursor", placed);
    return found && name.endsWith("MCPExecution") ? { ...found, tool: "mcp" } : found;
  }
  const { command, file_path, edits, output } = event;
  if (typeof (kind === "shell" ? command : file_path) !== "string") return undefined;
  const tool_input = defined({ command, file_path, edits });
  return requestAt("cursor", { ...placed, tool_name, tool_input, tool_output: output }, kind);
}

function isAskedLater(event: HookEvent): boolean {
  return nameOf(event) === "preToolUse" && ASKED_LATER.test(text(event, "tool_name") ?? "");
}

function cursorAnswer({ decision, outcome, event, person, model, ours }: Answer): HookResponse {
  // An empty object and no `permission: allow`: the person's own settings decide.
  if (decision.decision === "allow") return json(ours === "prompt.submit" ? { continue: true } : {});
  if (outcome === "ask" && isAskedLater(event)) return json({});
  const warns = outcome === "warn";
  if (ours === "prompt.submit") return json({ continue: warns, user_message: person });
  if (ours === "session.start")
    return json(warns ? { additional_context: model } : { continue: false, user_message: person });
  if (ours === "turn.stop") return json(warns ? {} : { followup_message: model });
  if (ours === "tool.post" || ours === "session.end") return json({ additional_context: model });
  const messages = { user_message: person, agent_message: model };
  return json(warns ? messages : { permission: outcome, ...messages });
}
