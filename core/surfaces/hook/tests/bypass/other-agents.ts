import type { Expected } from "./call.ts";

/** One event as another agent writes it. */
export interface AgentEvent {
  readonly dialect: "codex" | "cursor" | "gemini";
  readonly event: Readonly<Record<string, unknown>>;
  readonly expected: Expected;
  readonly why: string;
}

const shop = "{root}/src/shop.js";
const codex = (tool_name: string, tool_input: object) => ({
  hook_event_name: "PreToolUse",
  session_id: "s",
  turn_id: "t",
  cwd: "{root}",
  model: "m",
  tool_use_id: "c",
  tool_name,
  tool_input,
});
const gemini = (tool_name: string, tool_input: object) => ({
  hook_event_name: "BeforeTool",
  session_id: "s",
  cwd: "{root}",
  timestamp: "2026-11-22T08:00:00Z",
  tool_name,
  tool_input,
});
const cursor = (hook_event_name: string, more: object) => ({
  hook_event_name,
  conversation_id: "s",
  generation_id: "g",
  workspace_roots: ["{root}"],
  ...more,
});
const PATCH =
  "*** Begin Patch\n*** Update File: src/shop.js\n@@\n-  let sum = 0;\n+  let sum = 1;\n*** End Patch\n";

/** All while a debug session is instrumenting. */
export const OTHER_AGENTS: readonly AgentEvent[] = [
  { dialect: "codex", expected: "deny", why: "a patch", event: codex("apply_patch", { command: PATCH }) },
  {
    dialect: "codex",
    expected: "deny",
    why: "a patch by way of the shell",
    event: codex("shell", { command: ["apply_patch", PATCH] }),
  },
  {
    dialect: "codex",
    expected: "deny",
    why: "a patch in a text for the shell",
    event: codex("Bash", { command: `apply_patch <<'EOF'\n${PATCH}EOF\n` }),
  },
  {
    dialect: "codex",
    expected: "deny",
    why: "the words of a command as a list",
    event: codex("shell", { command: ["bash", "-lc", "sed -i s/0/1/ src/shop.js"] }),
  },
  {
    dialect: "codex",
    expected: "deny",
    why: "the newer tool for commands",
    event: codex("exec_command", { cmd: "echo x > src/shop.js", workdir: "{root}" }),
  },
  {
    dialect: "codex",
    expected: "deny",
    why: "another folder to work in",
    event: codex("exec_command", { cmd: "echo x > shop.js", workdir: "{root}/src" }),
  },
  {
    dialect: "codex",
    expected: "told",
    why: "text that is typed into a program that runs",
    event: codex("write_stdin", { session_id: 1, chars: "echo x > src/shop.js\n" }),
  },
  { dialect: "codex", expected: "allow", why: "a look", event: codex("shell", { command: ["ls", "src"] }) },
  {
    dialect: "codex",
    expected: "allow",
    why: "the tests",
    event: codex("Bash", { command: "npm test" }),
  },
  {
    dialect: "gemini",
    expected: "deny",
    why: "a file is written",
    event: gemini("write_file", { file_path: shop, content: "x" }),
  },
  {
    dialect: "gemini",
    expected: "deny",
    why: "a text is replaced",
    event: gemini("replace", { file_path: shop, old_string: "index = 1", new_string: "index = 0" }),
  },
  {
    dialect: "gemini",
    expected: "deny",
    why: "a command",
    event: gemini("run_shell_command", { command: "sed -i s/0/1/ src/shop.js", description: "x" }),
  },
  {
    dialect: "gemini",
    expected: "deny",
    why: "a command in a folder",
    event: gemini("run_shell_command", { command: "echo x > shop.js", directory: "src" }),
  },
  {
    dialect: "gemini",
    expected: "allow",
    why: "a look",
    event: gemini("read_file", { absolute_path: shop }),
  },
  {
    dialect: "cursor",
    expected: "deny",
    why: "a command",
    event: cursor("beforeShellExecution", { command: "echo x > src/shop.js", cwd: "" }),
  },
  {
    dialect: "cursor",
    expected: "deny",
    why: "a command in a folder",
    event: cursor("beforeShellExecution", { command: "echo x > shop.js", cwd: "{root}/src" }),
  },
  {
    dialect: "cursor",
    expected: "deny",
    why: "a tool that writes",
    event: cursor("preToolUse", { tool_name: "Write", tool_input: { file_path: shop, content: "x" } }),
  },
  {
    dialect: "cursor",
    expected: "deny",
    why: "a server's tool that writes",
    event: cursor("beforeMCPExecution", {
      tool_name: "write_file",
      tool_input: { path: shop, content: "x" },
      url: "http://localhost/mcp",
    }),
  },
  {
    dialect: "cursor",
    expected: "allow",
    why: "a look",
    event: cursor("beforeReadFile", { file_path: shop, content: "x" }),
  },
  {
    dialect: "cursor",
    expected: "deny",
    why: "the token by a tool that reads",
    event: cursor("beforeReadFile", { file_path: "{home}/.svc-login/token.json", content: "x" }),
  },
];
