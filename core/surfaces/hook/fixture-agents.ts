import type { GuardEvent } from "../../plugin.ts";
import type { HookEvent } from "./dialect.ts";

/**
 * For tests: the events, settings and reactions of the agents according to their documentation and code of November
 * 2026 (`<agent>.ts` names both). Independent of our code.
 */

/** The end of a hook process. */
export interface ProcessResult {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

type Json = Readonly<Record<string, unknown>>;

type Response = (model: string, person: string) => object;

type Events = Partial<Readonly<Record<GuardEvent, HookEvent>>>;

export interface Agent {
  /** Its settings file, relative to the project's folder. */
  readonly file: string;
  /** Whether it accepts comments in its settings. */
  readonly comments: boolean;
  /** The events with a hook of ours, and those at which it can stop. */
  readonly heard: readonly string[];
  readonly ends: readonly string[];
  /** The outcome of a call whose hook is late. */
  readonly late: "denied" | "let through";
  /** The property with which a failing hook stops a call. */
  readonly closed?: string;
  /** One event of each kind. */
  readonly events: Events;
  /** The pattern of an answer that stops it, and the events that cannot be stopped. */
  readonly stopped: RegExp;
  readonly unstoppable?: readonly GuardEvent[];
  /** The part of its settings about hooks, as a JSON Schema. */
  readonly settings: object;
  /** The event before a file is written. */
  readonly event: (file: string, cwd: string) => Json;
  /** The command that it runs at an event. */
  readonly command: (settings: unknown, event: string) => string;
  /** Its change of the command before its shell sees it. */
  readonly expanded: (command: string, cwd: string) => string;
  /** Whether it supports a question before a file is written. */
  readonly asks: boolean;
  /** Its documented responses to `events["tool.pre"]`, with a text for the model and one for the person; `ask` where it can ask. */
  readonly responses: {
    readonly allow?: object;
    readonly warn: Response;
    readonly ask?: Response;
    readonly deny: Response;
  };
  /** Standard output, standard error and exit status that stop an event which cannot be read. */
  readonly unread: (sentence: string) => readonly [out: string, err: string, status: number];
  readonly verdict: (ended: ProcessResult) => "stopped" | "asks" | "runs";
}

const commandHook = (more: object) => ({
  type: "object",
  required: ["type", "command"],
  additionalProperties: false,
  properties: { type: { const: "command" }, command: { type: "string", minLength: 1 }, ...more },
});

function grouped(events: readonly string[], hook: object): object {
  const group = {
    type: "object",
    required: ["hooks"],
    additionalProperties: false,
    properties: { matcher: { type: "string" }, hooks: { type: "array", items: hook } },
  };
  const lists = Object.fromEntries(events.map((event) => [event, { type: "array", items: group }]));
  return { type: "object", additionalProperties: false, properties: lists };
}

function inGroup(settings: unknown, event: string): string {
  const { hooks } = settings as {
    hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]>;
  };
  const [group] = (hooks[event] ?? []).filter(({ matcher = "*" }) => matcher === "*" || matcher === "");
  return group?.hooks[0]?.command ?? "exit 0";
}

function parsed(out: string): Json | undefined {
  try {
    return JSON.parse(out) as Json;
  } catch {
    return undefined;
  }
}

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

const asWritten = (command: string): string => command;
const write = (file: string, cwd: string, more: Json): Json => ({
  session_id: "s-1",
  transcript_path: "/t.jsonl",
  cwd,
  hook_event_name: "PreToolUse",
  tool_name: "Write",
  tool_input: { file_path: file, content: "x" },
  ...more,
});

function hooked(permissionDecision: string, permissionDecisionReason: string): object {
  const hookEventName = "PreToolUse";
  return { hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason } };
}
const warned: Response = (additionalContext, systemMessage) => ({
  systemMessage,
  hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext },
});
const denied: Response = (model, systemMessage) => ({ ...hooked("deny", model), systemMessage });
const blocked: Agent["unread"] = (sentence) => ["", `${sentence}\n`, 2];

const permissionIn = (out: string): unknown =>
  (parsed(out)?.["hookSpecificOutput"] as Json | undefined)?.["permissionDecision"];

/** The events of each agent with a hook of ours. */
const HEARD = {
  "claude-code": [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PreSkillShellCommand",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
  ],
  codex: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
  gemini: ["SessionStart", "SessionEnd", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"],
  cursor: [
    "sessionStart",
    "sessionEnd",
    "beforeSubmitPrompt",
    "preToolUse",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
    "beforeTabFileRead",
    "postToolUse",
    "postToolUseFailure",
    "afterShellExecution",
    "afterMCPExecution",
    "afterFileEdit",
    "afterTabFileEdit",
    "stop",
  ],
};

export const AGENTS = {
  "claude-code": {
    file: ".claude/settings.json",
    comments: false,
    heard: HEARD["claude-code"],
    ends: ["Stop", "SubagentStop"],
    late: "denied",
    closed: "onFailure",
    events: {
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
    stopped: /"permissionDecision":"(deny|ask)"|"decision":"block"|"continue":false/,
    unstoppable: ["session.end"],
    settings: {
      type: "object",
      properties: {
        hooks: grouped(
          HEARD["claude-code"],
          commandHook({
            timeout: { type: "number", exclusiveMinimum: 0 },
            onFailure: { enum: ["continue", "block"] },
          }),
        ),
      },
    },
    event: (file, cwd) => write(file, cwd, { permission_mode: "default", tool_use_id: "c-1" }),
    command: inGroup,
    expanded: asWritten,
    asks: true,
    responses: { warn: warned, ask: (_, person) => hooked("ask", person), deny: denied },
    unread: blocked,
    // 2 blocks; 0 uses the answer; any other status is reported, and the call runs.
    verdict: ({ status, out }) => {
      if (status === 2) return "stopped";
      const said = status === 0 ? permissionIn(out) : undefined;
      return said === "deny" ? "stopped" : said === "ask" ? "asks" : "runs";
    },
  },
  codex: {
    file: ".codex/hooks.json",
    comments: false,
    heard: HEARD.codex,
    ends: ["Stop"],
    late: "let through",
    events: {
      "session.start": claude("SessionStart", { source: "startup", model: "m" }),
      "prompt.submit": claude("UserPromptSubmit", { prompt: "Hello.", model: "m", turn_id: "t" }),
      "tool.pre": claude("PreToolUse", { ...BASH, model: "m", turn_id: "t" }),
      "tool.post": claude("PostToolUse", { ...BASH, tool_response: "ok", model: "m", turn_id: "t" }),
      "turn.stop": claude("Stop", { stop_hook_active: false, last_assistant_message: null, model: "m" }),
    },
    stopped: /"permissionDecision":"deny"|"decision":"block"|"continue":false/,
    settings: {
      type: "object",
      additionalProperties: false,
      properties: {
        description: { type: "string" },
        hooks: grouped(HEARD.codex, commandHook({ timeout: { type: "integer", minimum: 1 } })),
      },
    },
    event: (file, cwd) => write(file, cwd, { model: "m", turn_id: "t", permission_mode: "default" }),
    command: inGroup,
    expanded: asWritten,
    asks: false,
    responses: { warn: warned, deny: denied },
    unread: blocked,
    // 2 blocks only with a reason on standard error; `ask` and unreadable answers are errors, and the call runs.
    verdict: ({ status, out, err }) => {
      if (status === 2) return err.trim() === "" ? "runs" : "stopped";
      return status === 0 && permissionIn(out) === "deny" ? "stopped" : "runs";
    },
  },
  cursor: {
    file: ".cursor/hooks.json",
    comments: true,
    heard: HEARD.cursor,
    ends: ["stop"],
    late: "denied",
    closed: "failClosed",
    events: {
      "session.start": cursor("sessionStart", { session_id: "s-1", is_background_agent: false }),
      "session.end": cursor("sessionEnd", { session_id: "s-1", reason: "completed" }),
      "prompt.submit": cursor("beforeSubmitPrompt", { prompt: "Hello.", attachments: [] }),
      "tool.pre": cursor("beforeShellExecution", { command: "npm test", cwd: "", sandbox: false }),
      "tool.post": cursor("afterShellExecution", { command: "npm test", output: "ok", duration: 5 }),
      "turn.stop": cursor("stop", { status: "completed", loop_count: 0 }),
    },
    stopped: /"permission":"(deny|ask)"|"continue":false|"followup_message":"./,
    unstoppable: ["session.end", "tool.post"],
    settings: {
      type: "object",
      required: ["version", "hooks"],
      properties: {
        version: { const: 1 },
        hooks: {
          type: "object",
          additionalProperties: {
            type: "array",
            items: {
              type: "object",
              required: ["command"],
              additionalProperties: false,
              properties: {
                command: { type: "string", minLength: 1 },
                timeout: { type: "number", exclusiveMinimum: 0 },
                failClosed: { const: true },
              },
            },
          },
        },
      },
    },
    event: (file, cwd) => ({
      conversation_id: "s-1",
      generation_id: "g",
      hook_event_name: "preToolUse",
      workspace_roots: [cwd],
      tool_name: "Write",
      tool_input: { file_path: file, content: "x" },
      tool_use_id: "c-1",
    }),
    command: (settings, event) =>
      (settings as { hooks: Record<string, { command: string }[]> }).hooks[event]?.[0]?.command ?? "exit 0",
    expanded: asWritten,
    asks: false,
    responses: {
      allow: {},
      warn: (agent_message, user_message) => ({ user_message, agent_message }),
      ask: (agent_message, user_message) => ({ permission: "ask", user_message, agent_message }),
      deny: (agent_message, user_message) => ({ permission: "deny", user_message, agent_message }),
    },
    unread: (text) => {
      const denial = { permission: "deny", continue: false, user_message: text, agent_message: text };
      return [`${JSON.stringify(denial)}\n`, `${text}\n`, 2];
    },
    // failClosed: everything except an answer stops. preToolUse supports deny and ignores `ask`.
    verdict: ({ status, out }) => {
      const said = status === 0 ? parsed(out) : undefined;
      return !said || said["permission"] === "deny" ? "stopped" : "runs";
    },
  },
  gemini: {
    file: ".gemini/settings.json",
    comments: true,
    heard: HEARD.gemini,
    ends: ["AfterAgent"],
    late: "let through",
    events: {
      "session.start": gemini("SessionStart", { source: "startup" }),
      "session.end": gemini("SessionEnd", { reason: "exit" }),
      "prompt.submit": gemini("BeforeAgent", { prompt: "Hello." }),
      "tool.pre": gemini("BeforeTool", {
        tool_name: "run_shell_command",
        tool_input: { command: "npm test" },
      }),
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
    stopped: /"decision":"deny"/,
    unstoppable: ["session.start", "session.end"],
    settings: {
      type: "object",
      properties: {
        hooks: grouped(
          HEARD.gemini,
          commandHook({ name: { type: "string" }, timeout: { type: "number", minimum: 1000 } }),
        ),
      },
    },
    event: (file, cwd) => ({
      session_id: "s-1",
      transcript_path: "/t.json",
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: "2026-11-22T08:00:00Z",
      tool_name: "write_file",
      tool_input: { file_path: file, content: "x" },
    }),
    command: inGroup,
    // Variables are replaced when settings are read, and again before the shell.
    expanded: (command, cwd) => command.replaceAll(/\$(?:(\w+)|{(\w+)})/g, () => `'${cwd}'`),
    asks: false,
    responses: {
      allow: {},
      warn: (_, systemMessage) => ({ systemMessage }),
      deny: (reason, systemMessage) => ({ decision: "deny", reason, systemMessage }),
    },
    unread: blocked,
    // Without JSON the text counts: from status 2 on it is the reason of a denial. Without any text the call is not
    // denied.
    verdict: ({ status, out, err }) => {
      const text = out.trim() || err.trim();
      const said = parsed(text);
      if (said) return ["deny", "block"].includes(String(said["decision"])) ? "stopped" : "runs";
      return text !== "" && status !== null && status >= 2 ? "stopped" : "runs";
    },
  },
} satisfies Readonly<Record<string, Agent>>;

/** One event of each kind, in each dialect. */
export const EVENTS: Readonly<Record<string, Events>> = {
  ...Object.fromEntries(Object.entries(AGENTS).map(([name, { events }]) => [name, events])),
  skillctl: {
    "tool.pre": { event: "tool.pre", surface: "hook", tool: "shell", command: "npm test", cwd: "/shop" },
  },
};
