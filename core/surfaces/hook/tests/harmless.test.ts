/**
 * Daily work without a debug session, in the words of each agent: where no word of the service, of the login token or of
 * the guard's own files stands in a call, no rule speaks of it.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test, type TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { ROOT, SKILLS } from "../../../../contract-tests/harness.ts";
import { EVENTS } from "../fixture-agents.ts";
import { dialectOf, respond } from "../hook.ts";

const CALLS = JSON.parse(
  await readFile(`${ROOT}/core/surfaces/hook/tests/harmless-calls.json`, "utf8"),
) as Readonly<Record<string, readonly string[]>>;
const ALL = Object.values(CALLS).flat();

/** A shell command in a folder, as an agent tells of it. */
function eventOf(dialect: string, command: string, cwd: string): object {
  const text = JSON.stringify(EVENTS[dialect]?.["tool.pre"], (key, value: unknown) => {
    if (value === "npm test") return command;
    return key === "cwd" ? cwd : key === "workspace_roots" ? [cwd] : value;
  });
  return JSON.parse(text) as object;
}

const TOOLS: readonly (readonly [tool: string, input: object])[] = [
  ["Read", { file_path: "src/a.ts" }],
  ["Read", { file_path: "~/.zshrc" }],
  ["Write", { file_path: "src/a.ts", content: "export const a = await fetch(process.env.URL);\n" }],
  ["Write", { file_path: "docs/a.md", content: "# Chat\n\nSync your chat.\n" }],
  ["Edit", { file_path: "package.json", old_string: "1.0.0", new_string: "1.0.1" }],
  ["MultiEdit", { file_path: "src/a.ts", edits: [{ old_string: "a", new_string: "b" }] }],
  ["Grep", { pattern: "token", path: "." }],
  ["Grep", { pattern: "TODO", path: "/home/ada" }],
  ["Glob", { pattern: "**/*.ts" }],
  ["WebFetch", { url: "https://nodejs.org/api/", prompt: "flags" }],
  ["WebSearch", { query: "node streams" }],
  ["Task", { description: "look", prompt: "Read the code", subagent_type: "general-purpose" }],
  ["TodoWrite", { todos: [{ content: "edit", status: "pending", activeForm: "editing" }] }],
  ["mcp__browser__navigate", { url: "http://localhost:3000/" }],
  ["mcp__db__query", { sql: "select token from sessions" }],
  ["mcp__fs__read_file", { path: "src/token.json" }],
  ["SomeNewTool", { steps: [{ go: "https://example.org/agent" }] }],
];

describe("daily work", { skip: process.platform === "win32" && "there is no bash" }, () => {
  test("the table is large, and holds nothing twice", () => {
    assert.ok(ALL.length >= 400);
    assert.equal(new Set(ALL).size, ALL.length);
  });

  for (const name of Object.keys(EVENTS))
    test(`no rule speaks of a command, as ${name} tells of it`, async (t) => {
      const decided = await harness(t, name);
      const wrong: string[] = [];
      for (const command of ALL) {
        const said = await decided((cwd) => eventOf(name, command, cwd));
        if (said !== "allow") wrong.push(`${said}: ${command}`);
      }
      assert.deepEqual(wrong, []);
    });

  test("in the same place a word of the token, the service or the guard's files is stopped", async (t) => {
    const decided = await harness(t, "claude-code");
    for (const [command, expected] of [
      ["cat ~/.svc-login/token.json", "deny login-proxy/no-cache-read"],
      [
        "curl http://localhost:3000/openapi/v1/musician/data/agent/chat-sync",
        "deny music-analysis/wrapper-only",
      ],
      ["echo $SVC_HEADER_TOKEN", "deny login-proxy/no-token-print"],
      ["echo '{}' > .claude/settings.json", "ask core/agent-settings"],
    ] as const)
      assert.equal(await decided((cwd) => eventOf("claude-code", command, cwd)), expected, command);
  });

  test("no rule speaks of another tool", async (t) => {
    const decided = await harness(t, "claude-code");
    const wrong: string[] = [];
    for (const [tool_name, tool_input] of TOOLS) {
      const said = await decided((cwd) => ({
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd,
        tool_name,
        tool_input,
      }));
      if (said !== "allow") wrong.push(`${said}: ${tool_name} ${JSON.stringify(tool_input)}`);
    }
    assert.deepEqual(wrong, []);
  });
});

/** What a guard with the skills in the box decides, and by which rule; `allow` where none has spoken. */
async function harness(t: TestContext, name: string) {
  const { host, environment, close } = await createTestHost({ skills: SKILLS });
  t.after(close);
  const { home, workingFolder: cwd } = environment;
  const dialect =
    (await dialectOf(name, () => host.schemas.check("core/guard-request"))) ?? assert.fail(name);
  return async (event: (cwd: string) => object): Promise<string> => {
    let said = "unheard";
    await respond(JSON.stringify(event(cwd)), {
      dialect,
      base: { cwd, home, files: host.ports.files },
      decide: async (subject) => {
        const decision = await host.guard.decide(subject);
        said = [decision.decision, ...(decision.rule === undefined ? [] : [decision.rule])].join(" ");
        return decision;
      },
    });
    return said;
  };
}
