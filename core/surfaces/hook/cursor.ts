import type { GuardDecision } from "../../contract.ts";
import type { Decision, GuardEvent, Subject } from "../../plugin.ts";
import { spoken, wordsOf, type Dialect, type Heard, type HookEvent, type Spoken } from "./dialect.ts";
import { defined, text } from "./fields.ts";
import { heardAs } from "./heard.ts";
import { sayable } from "./losses.ts";
import { toolFacts } from "./tool-call.ts";

/**
 * Cursor, as its hooks documentation (cursor.com/docs/agent/hooks) said in 2026: `permission` is allow, ask or deny before
 * shell commands and tools of MCP servers, and allow or deny elsewhere; a prompt is stopped with `continue`; exit status 2
 * denies, and any other failure lets through unless the hook is marked failClosed. preToolUse comes before every tool; after
 * it, before shell commands and tools of MCP servers, come their own events, which alone can ask.
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
/** Events with a form of their own, and the tool that they tell of. */
const OWN_FORM: Readonly<Record<string, readonly [name: string, kind: NonNullable<Subject["tool"]>]>> = {
  beforeShellExecution: ["Shell", "shell"],
  afterShellExecution: ["Shell", "shell"],
  beforeReadFile: ["Read", "read"],
  beforeTabFileRead: ["TabRead", "read"],
  afterFileEdit: ["Edit", "edit"],
  afterTabFileEdit: ["TabWrite", "edit"],
};
const ASKING = new Set(["beforeShellExecution", "beforeMCPExecution"]);
/** Tools of preToolUse before whose call one of `ASKING` follows. */
const ASKED_LATER = /^(Shell|MCP:.+)$/;
const DENIED = 2;

export const CURSOR: Dialect = {
  name: "cursor",
  hear,
  says,
  answer,
  refuse: (sentence) => ({
    ...spoken(
      { permission: "deny", continue: false, user_message: sentence, agent_message: sentence },
      DENIED,
    ),
    err: `${sentence}\n`,
  }),
};

function hear(event: HookEvent): Heard {
  const name = text(event, "hook_event_name") ?? "";
  const [tool, kind] = (Object.hasOwn(OWN_FORM, name) && OWN_FORM[name]) || [];
  if (tool === undefined || kind === undefined) {
    const heard = heardAs("cursor", EVENTS, withFolder(event));
    return heard && name.endsWith("MCPExecution") ? { ...heard, tool: "mcp" } : heard;
  }
  const { command, file_path, edits, output } = event;
  const wanted = kind === "shell" ? command : file_path;
  if (typeof wanted !== "string") return undefined;
  const heard = heardAs("cursor", EVENTS, {
    ...withFolder(event),
    tool_name: tool,
    tool_input: defined({ command, file_path, edits }),
    tool_output: output,
  });
  return heard && { ...heard, ...toolFacts(tool, defined({ command, file_path, edits }), kind) };
}

function withFolder(event: HookEvent): HookEvent {
  const [root] = Array.isArray(event["workspace_roots"]) ? (event["workspace_roots"] as unknown[]) : [];
  return { ...event, cwd: text(event, "cwd") || root };
}

function says({ decision }: GuardDecision, event: HookEvent): Decision {
  const name = text(event, "hook_event_name") ?? "";
  const ours = EVENTS[name] ?? "tool.pre";
  if (decision === "ask" && (ASKING.has(name) || isAskedLater(event))) return "ask";
  if (ours === "tool.post" || ours === "session.end") return decision === "allow" ? "allow" : "warn";
  return sayable("cursor", ours, decision);
}

function isAskedLater(event: HookEvent): boolean {
  return event["hook_event_name"] === "preToolUse" && ASKED_LATER.test(text(event, "tool_name") ?? "");
}

function answer(decision: GuardDecision, event: HookEvent): Spoken {
  const name = text(event, "hook_event_name") ?? "";
  const ours = EVENTS[name] ?? "tool.pre";
  const said = says(decision, event);
  const { person, model } = wordsOf(decision, said, "cursor");
  // An empty object and no `permission: allow`: the person's own settings decide.
  if (decision.decision === "allow") return spoken(ours === "prompt.submit" ? { continue: true } : {});
  if (said === "ask" && isAskedLater(event)) return spoken({});
  if (ours === "prompt.submit") return spoken({ continue: said === "warn", user_message: person });
  if (ours === "session.start")
    return spoken(
      said === "warn" ? { additional_context: model } : { continue: false, user_message: person },
    );
  if (ours === "turn.stop") return spoken(said === "warn" ? {} : { followup_message: model });
  if (ours === "tool.post" || ours === "session.end") return spoken({ additional_context: model });
  const messages = { user_message: person, agent_message: model };
  return spoken(said === "warn" ? messages : { permission: said, ...messages });
}
