/** Calls of daily work, as each agent sends them: no rule matches one, with or without a debug session. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test, type TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { ROOT, SKILLS, effort } from "../../../../contract-tests/harness.ts";
import {
  debugProject,
  placed,
  type DebugProject,
} from "../../../../plugins/runtime-debug/tests/session-harness.ts";
import { noGit } from "../../../../plugins/runtime-debug/tests/worktree-harness.ts";
import type { HookEvent } from "../dialect.ts";
import { AGENTS, EVENTS } from "../fixture-agents.ts";
import { dialectOf, respond } from "../hook.ts";

const FOLDER = `${ROOT}/core/surfaces/hook/tests`;
const CALLS = JSON.parse(await readFile(`${FOLDER}/harmless-calls.json`, "utf8")) as Readonly<
  Record<string, readonly string[]>
>;
const ALL = Object.values(CALLS).flat();
/** The short suite takes every fourth of some calls, and different ones for each agent. */
const share = <T>(calls: readonly T[], nth = 0): readonly T[] =>
  calls.filter((_, index) => index % effort(4, 1) === nth % effort(4, 1));

/**
 * A call as in transcripts, documentation and build scripts: its agent, tool and input, the kind of its source, and
 * `code` if it writes code of the project. The project is `/home/dev/project`.
 */
type AgentCall = readonly [
  agent: keyof typeof AGENTS,
  tool: string,
  input: HookEvent,
  from: string,
  code?: "code",
];
const agentCalls = async (name: string): Promise<readonly AgentCall[]> => {
  const text = await readFile(`${FOLDER}/${name}`, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentCall);
};
const AGENT_CALLS = await agentCalls("harmless-agent-calls.jsonl");
/** Harmless calls that a rule matches: a text that names a protected place cannot be distinguished from its use. */
const SPOKEN_OF = await agentCalls("harmless-calls-open.jsonl");

/** Calls that show whether the session is seen: a change of its code, and a removal of its files. */
const CHANGE: AgentCall = [
  "claude-code",
  "Edit",
  { file_path: "/home/dev/project/total.js", old_string: "let sum = 0", new_string: "let sum = 1" },
  "",
  "code",
];
const REMOVAL: AgentCall = ["claude-code", "Bash", { command: "rm -rf .dbg" }, ""];

/** A shell command in a folder, as an event of an agent. */
function eventOf(dialect: string, command: string, cwd: string): object {
  const text = JSON.stringify(EVENTS[dialect]?.["tool.pre"], (key, value: unknown) => {
    if (value === "npm test") return command;
    return key === "cwd" ? cwd : key === "workspace_roots" ? [cwd] : value;
  });
  return JSON.parse(text) as object;
}

/** The events that an agent sends before a call: Cursor has a second one for shell commands, reads and MCP tools. */
function eventsOf([agent, tool, input]: AgentCall): readonly HookEvent[] {
  const base: HookEvent = { ...EVENTS[agent]?.["tool.pre"], cwd: "/home/dev/project" };
  if (agent !== "cursor") {
    const [, server, name] = /^mcp_([^_]+)_(.+)$/.exec(tool) ?? [];
    const mcp_context = agent === "gemini" &&
      server !== undefined && { server_name: server, tool_name: name };
    return [{ ...base, tool_name: tool, tool_input: input, ...(mcp_context && { mcp_context }) }];
  }
  const { command: _, ...common } = { ...base, cwd: "", workspace_roots: ["/home/dev/project"] } as HookEvent;
  const first = { ...common, hook_event_name: "preToolUse", tool_name: tool, tool_input: input };
  const { command, working_directory: cwd = "", path, target_file = path } = input;
  if (tool === "Shell") return [first, { ...common, hook_event_name: "beforeShellExecution", command, cwd }];
  if (tool === "Read")
    return [first, { ...common, hook_event_name: "beforeReadFile", file_path: target_file, content: "" }];
  const [, name] = /^MCP:(.+)$/.exec(tool) ?? [];
  if (name === undefined) return [first];
  const tool_input = JSON.stringify(input);
  return [first, { ...common, hook_event_name: "beforeMCPExecution", tool_name: name, tool_input }];
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
  test("the table of commands is large, and has no duplicates", () => {
    assert.ok(ALL.length >= 400);
    assert.equal(new Set(ALL).size, ALL.length);
  });

  for (const [nth, name] of Object.keys(EVENTS).entries())
    test(`no rule matches a command in an event of ${name}`, async (t) => {
      const decided = await harness(t, name);
      const wrong: string[] = [];
      for (const command of nth === 0 ? ALL : share(ALL, nth)) {
        const said = await decided((cwd) => eventOf(name, command, cwd));
        if (said !== "allow") wrong.push(`${said}: ${command}`);
      }
      assert.deepEqual(wrong, []);
    });

  test("the table of calls has at least 120 of each agent, and no duplicates", () => {
    for (const agent of Object.keys(AGENTS))
      assert.ok(AGENT_CALLS.filter(([name]) => name === agent).length >= 120, `too few calls of ${agent}`);
    const calls = AGENT_CALLS.map(([agent, tool, input]) => JSON.stringify([agent, tool, input]));
    assert.equal(new Set(calls).size, calls.length);
  });

  test("every call of an agent passes without a debug session, except those that name a protected file or address", async (t) => {
    const { host, environment, close } = await createTestHost({ skills: SKILLS });
    t.after(close);
    const place = { host, environment, root: environment.workingFolder };
    assert.deepEqual(await spoken(AGENT_CALLS, place), []);
    assert.deepEqual(new Set(await spoken(SPOKEN_OF, place)).size, SPOKEN_OF.length);
  });

  test(
    "every call that writes no code passes while a session collects evidence",
    { skip: noGit },
    async (t) => {
      const project = await debugProject(t);
      await project.run("start", { issue: "The sum of the first item is missing" });
      const calls = AGENT_CALLS.filter(([, , , , code]) => code === undefined);
      assert.deepEqual(await spoken(calls, inProject(project)), []);
      assert.match(
        String(await spoken([CHANGE], inProject(project))),
        /^deny runtime-debug\/evidence-gate: /,
      );
    },
  );

  test("every call passes while the cause is fixed, after the evidence", { skip: noGit }, async (t) => {
    const project = await debugProject(t);
    await placed(project, "fixing");
    const writes = AGENT_CALLS.filter(([, , , , code]) => code !== undefined);
    assert.deepEqual(await spoken([...share(AGENT_CALLS), ...writes, CHANGE], inProject(project)), []);
    assert.match(
      String(await spoken([REMOVAL], inProject(project))),
      /^deny runtime-debug\/confirmation-gate: /,
    );
  });

  test("control: commands that name the token, the service or the guard's files are denied or asked about", async (t) => {
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

  test("no rule matches another tool", async (t) => {
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

/** The decision of a guard with the built-in skills, and its rule; `allow` if no rule matched. */
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
        const one = [decision.decision, ...(decision.rule === undefined ? [] : [decision.rule])].join(" ");
        said = said === "unheard" || said === "allow" ? one : said;
        return decision;
      },
    });
    return said;
  };
}

function inProject({ host, root }: DebugProject): Place {
  return { host: host.host, environment: host.environment, root };
}

/** Where calls are judged. */
interface Place extends Pick<Awaited<ReturnType<typeof createTestHost>>, "host" | "environment"> {
  readonly root: string;
}

/** The calls that do not pass, each with the decision and its rule, or with the reason why it is not read. */
async function spoken(
  calls: readonly AgentCall[],
  { host, environment, root }: Place,
): Promise<readonly string[]> {
  const { home } = environment;
  const found = new Set<string>();
  for (const call of calls) {
    const [agent] = call;
    const dialect = (await dialectOf(agent, () => assert.fail())) ?? assert.fail(agent);
    for (const event of eventsOf(call)) {
      const text = JSON.stringify(event)
        .replaceAll("/home/dev/project", () => root)
        .replaceAll("/home/dev", () => home);
      let said = "";
      const { out, err, status } = await respond(text, {
        dialect,
        base: { cwd: root, home, files: host.ports.files },
        decide: async (subject) => {
          const decision = await host.guard.decide(subject);
          if (said === "" || said === "allow") said = `${decision.decision} ${decision.rule ?? ""}`.trim();
          return decision;
        },
      });
      const isFree = said === "allow" && status === 0 && !AGENTS[agent].stopped.test(out);
      if (!isFree) found.add(`${said || err.trim()}: ${JSON.stringify(call)}`);
    }
  }
  return [...found];
}
