/**
 * Four agents, as their documentation and code of November 2026 have them (core/surfaces/hook/install/clients.ts names
 * both): what their settings look like, and what they make of a hook's answer. Written from those, not from our code.
 */

/** How a hook ended. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

type Json = Readonly<Record<string, unknown>>;

export interface Agent {
  /** The part of its settings about hooks, as a JSON Schema. */
  readonly settings: object;
  /** The event before a file is written. */
  readonly event: (file: string, cwd: string) => Json;
  /** The command that it runs at an event. */
  readonly command: (settings: unknown, event: string) => string;
  /** What it changes in the command before its shell sees it. */
  readonly expanded: (command: string, cwd: string) => string;
  /** Whether it has a word for a question before a file is written. */
  readonly asks: boolean;
  readonly verdict: (ended: Ended) => "stopped" | "asks" | "runs";
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
const permissionIn = (out: string): unknown =>
  (parsed(out)?.["hookSpecificOutput"] as Json | undefined)?.["permissionDecision"];

export const AGENTS: Readonly<Record<string, Agent>> = {
  "claude-code": {
    settings: {
      type: "object",
      properties: {
        hooks: grouped(
          [
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
    // 2 blocks; 0 goes by the answer; anything else is reported, and the call runs.
    verdict: ({ status, out }) => {
      if (status === 2) return "stopped";
      const said = status === 0 ? permissionIn(out) : undefined;
      return said === "deny" ? "stopped" : said === "ask" ? "asks" : "runs";
    },
  },
  codex: {
    settings: {
      type: "object",
      additionalProperties: false,
      properties: {
        description: { type: "string" },
        hooks: grouped(
          ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
          commandHook({ timeout: { type: "integer", minimum: 1 } }),
        ),
      },
    },
    event: (file, cwd) => write(file, cwd, { model: "m", turn_id: "t", permission_mode: "default" }),
    command: inGroup,
    expanded: asWritten,
    asks: false,
    // 2 blocks only with a reason on standard error; `ask` and what cannot be read are errors, and the call runs.
    verdict: ({ status, out, err }) => {
      if (status === 2) return err.trim() === "" ? "runs" : "stopped";
      return status === 0 && permissionIn(out) === "deny" ? "stopped" : "runs";
    },
  },
  cursor: {
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
    // failClosed: whatever is no answer stops. An answer of preToolUse knows deny; `ask` is not heard there.
    verdict: ({ status, out }) => {
      const said = status === 0 ? parsed(out) : undefined;
      return !said || said["permission"] === "deny" ? "stopped" : "runs";
    },
  },
  gemini: {
    settings: {
      type: "object",
      properties: {
        hooks: grouped(
          ["SessionStart", "SessionEnd", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"],
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
    // Names of variables are filled in when settings are read, and again before the shell.
    expanded: (command, cwd) => command.replaceAll(/\$(?:(\w+)|{(\w+)})/g, () => `'${cwd}'`),
    asks: false,
    // Without JSON the text counts: at 2 and above it is the reason of a denial. No text at all is no denial.
    verdict: ({ status, out, err }) => {
      const text = out.trim() || err.trim();
      const said = parsed(text);
      if (said) return ["deny", "block"].includes(String(said["decision"])) ? "stopped" : "runs";
      return text !== "" && status !== null && status >= 2 ? "stopped" : "runs";
    },
  },
};
