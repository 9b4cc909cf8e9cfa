import type { GuardEvent } from "../../plugin.ts";
import type { HookEvent } from "./dialect.ts";

type Events = Partial<Readonly<Record<GuardEvent, HookEvent>>>;

const BASH = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "call-1" };

function claude(hook_event_name: string, more: object = {}): HookEvent {
  const base = { session_id: "s-1", transcript_path: "/t.jsonl", cwd: "/shop", permission_mode: "default" };
  return { ...base, hook_event_name, ...more };
}

function gemini(hook_event_name: string, more: object = {}): HookEvent {
  const base = {
    session_id: "s-1",
    transcript_path: "/t.json",
    cwd: "/shop",
    timestamp: "2026-11-22T08:00:00Z",
  };
  return { ...base, hook_event_name, ...more };
}

function cursor(hook_event_name: string, more: object = {}): HookEvent {
  const base = { conversation_id: "s-1", generation_id: "g", model: "m", cursor_version: "2.1.0" };
  return { ...base, workspace_roots: ["/shop"], user_email: null, hook_event_name, ...more };
}

/** For tests: one event of each kind, as each agent writes it. */
export const EVENTS: Readonly<Record<string, Events>> = {
  "claude-code": {
    "session.start": claude("SessionStart", { source: "startup" }),
    "session.end": claude("SessionEnd", { reason: "clear" }),
    "prompt.submit": claude("UserPromptSubmit", { prompt: "Hello." }),
    "tool.pre": claude("PreToolUse", { ...BASH, prompt_id: "p", effort: { level: "high" } }),
    "tool.post": claude("PostToolUse", { ...BASH, tool_response: { stdout: "ok" }, duration_ms: 34 }),
    "turn.stop": claude("Stop", {
      stop_hook_active: true,
      last_assistant_message: "Done.",
      background_tasks: [],
      session_crons: [],
    }),
  },
  codex: {
    "session.start": claude("SessionStart", { source: "startup", model: "m" }),
    "prompt.submit": claude("UserPromptSubmit", { prompt: "Hello.", model: "m", turn_id: "t" }),
    "tool.pre": claude("PreToolUse", { ...BASH, model: "m", turn_id: "t" }),
    "tool.post": claude("PostToolUse", { ...BASH, tool_response: "ok", model: "m", turn_id: "t" }),
    "turn.stop": claude("Stop", { stop_hook_active: false, last_assistant_message: null, model: "m" }),
  },
  gemini: {
    "session.start": gemini("SessionStart", { source: "startup" }),
    "session.end": gemini("SessionEnd", { reason: "exit" }),
    "prompt.submit": gemini("BeforeAgent", { prompt: "Hello." }),
    "tool.pre": gemini("BeforeTool", { tool_name: "run_shell_command", tool_input: { command: "npm test" } }),
    "tool.post": gemini("AfterTool", {
      tool_name: "run_shell_command",
      tool_input: { command: "npm test" },
      tool_response: { llmContent: "ok", returnDisplay: "ok" },
    }),
    "turn.stop": gemini("AfterAgent", {
      prompt: "Hello.",
      prompt_response: "Done.",
      stop_hook_active: false,
    }),
  },
  cursor: {
    "session.start": cursor("sessionStart", { session_id: "s-1", is_background_agent: false }),
    "session.end": cursor("sessionEnd", { session_id: "s-1", reason: "completed" }),
    "prompt.submit": cursor("beforeSubmitPrompt", { prompt: "Hello.", attachments: [] }),
    "tool.pre": cursor("beforeShellExecution", { command: "npm test", cwd: "", sandbox: false }),
    "tool.post": cursor("afterShellExecution", { command: "npm test", output: "ok", duration: 5 }),
    "turn.stop": cursor("stop", { status: "completed", loop_count: 0 }),
  },
  skillctl: {
    "tool.pre": { event: "tool.pre", surface: "hook", tool: "shell", command: "npm test", cwd: "/shop" },
  },
};
