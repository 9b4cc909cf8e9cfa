/** The events of each agent in our terms, and the answers to it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { packageFolder } from "../../adapters/package-folder.ts";
import type { GuardDecision, GuardRequest } from "../../contract.ts";
import agents from "../../guard/own/agents.json" with { type: "json" };
import { STRICTNESS } from "../../guard/judgement.ts";
import type { Decision, GuardEvent, Subject } from "../../plugin.ts";
import { Schemas } from "../../schema/schemas.ts";
import type { HookEvent } from "./dialect.ts";
import { AGENTS, EVENTS, type Agent } from "./fixture-agents.ts";
import { CLIENTS, DIALECT_NAMES, dialectOf } from "./hook.ts";
import { resolved } from "./paths.ts";
import { completed } from "./skillctl.ts";
import { kindOf } from "./tool-call.ts";

const schemas = new Schemas({
  read: async (name) =>
    JSON.parse(readFileSync(join(packageFolder(), "schemas", `${name}.json`), "utf8")) as Record<
      string,
      unknown
    >,
});
const requests = () => schemas.check("core/guard-request");
const hear = async (name: string, event: HookEvent) => (await dialectOf(name, requests))?.request(event);
const tool = (tool_name: string, tool_input: unknown, more: object = {}): HookEvent => ({
  ...EVENTS["claude-code"]?.["tool.pre"],
  tool_name,
  tool_input,
  ...more,
});

describe("an event of an agent", () => {
  test("fits the schema of a guard request for any event", async () => {
    const fits = await requests();
    for (const [name, events] of Object.entries(EVENTS)) {
      for (const [ours, event] of Object.entries(events)) {
        const heard = await hear(name, event);
        assert.equal(fits(heard), undefined, `${name} ${ours}: ${JSON.stringify(heard)}`);
      }
    }
  });

  test("of each kind that a dialect supports is recorded here", () => {
    assert.deepEqual(Object.keys(EVENTS).toSorted(), DIALECT_NAMES.toSorted());
    for (const [name, events] of Object.entries(EVENTS)) {
      const heard = Object.values(CLIENTS.find((client) => client.name === name)?.events ?? {});
      assert.deepEqual(
        heard.filter((ours) => !Object.hasOwn(events, ours)),
        [],
        name,
      );
    }
  });

  test("names the agent, the session, the folder and the call", async () => {
    assert.deepEqual(await hear("claude-code", EVENTS["claude-code"]?.["tool.pre"] ?? {}), {
      event: "tool.pre",
      surface: "hook",
      origin: "hook:claude-code",
      session: "s-1",
      call: "call-1",
      cwd: "/shop",
      tool: "shell",
      name: "Bash",
      command: "npm test",
      input: { command: "npm test" },
      paths: [],
      urls: [],
    });
    const cursor = await hear("cursor", EVENTS["cursor"]?.["tool.pre"] ?? {});
    assert.deepEqual(
      [cursor?.tool, cursor?.command, cursor?.cwd, cursor?.session],
      ["shell", "npm test", "/shop", "s-1"],
    );
    const post = await hear("gemini", EVENTS["gemini"]?.["tool.post"] ?? {});
    assert.deepEqual([post?.event, post?.output], ["tool.post", { llmContent: "ok", returnDisplay: "ok" }]);
    const stop = await hear("claude-code", EVENTS["claude-code"]?.["turn.stop"] ?? {});
    assert.deepEqual([stop?.answer, stop?.repeated], ["Done.", true]);
  });

  test("is not read when it lacks a required property, or is not known", async () => {
    const broken: readonly (readonly [string, HookEvent])[] = [
      ["claude-code", {}],
      ["claude-code", { hook_event_name: "toString" }],
      ["claude-code", { hook_event_name: "PermissionDenied" }],
      ["claude-code", { hook_event_name: "PreToolUse", tool_name: "Bash" }],
      ["claude-code", { hook_event_name: "PreToolUse", tool_name: "", tool_input: {} }],
      ["claude-code", { hook_event_name: "PreToolUse", tool_name: 5, tool_input: {} }],
      ["codex", { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: [] }],
      ["claude-code", tool("Bash", {})],
      ["claude-code", tool("Bash", { command: 5 })],
      ["claude-code", tool("Bash", { command: { a: "ls" } })],
      ["codex", tool("shell", { command: ["ls", 5] })],
      ["gemini", { hook_event_name: "BeforeTool", tool_name: "run_shell_command", tool_input: {} }],
      ["cursor", { hook_event_name: "preToolUse", tool_name: "Shell", tool_input: { command: null } }],
      ["claude-code", tool("Bash", { command: "ls" }, { cwd: "." })],
      ["cursor", { hook_event_name: "beforeShellExecution", command: "ls", cwd: "src" }],
      ["codex", { hook_event_name: "UserPromptSubmit" }],
      ["gemini", { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} }],
      ["cursor", { hook_event_name: "beforeShellExecution" }],
      ["cursor", { hook_event_name: "beforeMCPExecution", tool_name: "x", tool_input: "{" }],
    ];
    for (const [name, event] of broken)
      assert.equal(await hear(name, event), undefined, `${name} ${JSON.stringify(event)}`);
    // Our own dialect names the fault.
    await assert.rejects(
      hear("skillctl", { event: "tool.pre" }),
      /it is not a request: \/surface is missing\.$/,
    );
    const hammer = { event: "tool.pre", surface: "hook", tool: "hammer" };
    await assert.rejects(hear("skillctl", hammer), /it is not a request: \/tool must be one of /);
  });
});

test("each agent has a row of facts, in which no tool is of two kinds", () => {
  assert.deepEqual(Object.keys(agents).toSorted(), CLIENTS.map(({ name }) => name).toSorted());
  for (const [name, { tools }] of Object.entries(agents))
    for (const [kind, names] of Object.entries(tools))
      for (const one of names.split(" ")) assert.equal(kindOf(one), kind, `${name} ${one}`);
});

describe("a call of a tool", () => {
  const facts = async (event: HookEvent, name = "claude-code") => {
    const { tool: kind, paths, urls, content, command } = (await hear(name, event)) as Subject;
    return {
      kind,
      paths,
      ...(urls?.length && { urls }),
      ...(content !== undefined && { content }),
      ...(command !== undefined && { command }),
    };
  };

  test("returns the files, addresses and new texts that it names", async () => {
    const rows: readonly (readonly [HookEvent, object])[] = [
      [
        tool("Write", { file_path: "/a.ts", content: "x" }),
        { kind: "write", paths: ["/a.ts"], content: "x" },
      ],
      [
        tool("Edit", { file_path: "/a.ts", old_string: "x", new_string: "y" }),
        { kind: "edit", paths: ["/a.ts"], content: "y" },
      ],
      [
        tool("MultiEdit", { file_path: "/a.ts", edits: [{ new_string: "y" }, { new_string: "z" }] }),
        { kind: "edit", paths: ["/a.ts"], content: "y\nz" },
      ],
      [
        tool("NotebookEdit", { notebook_path: "/a.ipynb", new_source: "y" }),
        { kind: "edit", paths: ["/a.ipynb"], content: "y" },
      ],
      [
        tool("WebFetch", { url: "HTTPS://Example.org:443/a b", prompt: "See http://x.test." }),
        { kind: "fetch", paths: [], urls: ["https://example.org/a", "http://x.test./"] },
      ],
      [
        tool("mcp__disk__save", {
          options: { destinationPath: "b.txt", body: "t" },
          links: ["file:///c%20d"],
        }),
        { kind: "mcp", paths: ["b.txt", "/c d"], content: "t" },
      ],
      [tool("NewThing", { target: "/x" }), { kind: "other", paths: ["/x"] }],
    ];
    for (const [event, expected] of rows)
      assert.deepEqual(await facts(event), expected, JSON.stringify(event));
  });

  test("that ends a command, or waits for one, needs no properties", async () => {
    for (const name of ["KillShell", "write_stdin", "WriteShellStdin"])
      assert.equal((await hear("codex", tool(name, { shell_id: "1" })))?.command, "", name);
  });

  test("returns the files and the added lines of a patch of Codex", async () => {
    const command =
      "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n*** Move to: b.ts\n*** Add File: c.ts\n+more\n*** End Patch";
    assert.deepEqual(await facts(tool("apply_patch", { command }), "codex"), {
      kind: "edit",
      paths: ["src/a.ts", "b.ts", "c.ts"],
      content: "new\nmore",
    });
    const words = { command: ["bash", "-lc", "echo 'a b' > c.ts", "A=1"], workdir: "/w" };
    assert.deepEqual(await facts(tool("shell", words), "codex"), {
      kind: "shell",
      paths: ["/w"],
      command: "bash -lc 'echo '\\''a b'\\'' > c.ts' 'A=1'",
    });
  });

  test("of an MCP server is recognised by its name, by the context of Gemini CLI, and by Cursor's event", async () => {
    assert.equal((await facts(tool("mcp__a__Write", {}))).kind, "mcp");
    const gemini = {
      ...EVENTS["gemini"]?.["tool.pre"],
      tool_name: "Write",
      mcp_context: { server_name: "a" },
    };
    assert.equal((await hear("gemini", gemini))?.tool, "mcp");
    const cursor = { hook_event_name: "beforeMCPExecution", tool_name: "Write", tool_input: '{"path":"/a"}' };
    const heard = await hear("cursor", cursor);
    assert.deepEqual([heard?.tool, heard?.paths], ["mcp", ["/a"]]);
  });

  test("with an unknown name has the kind other, however harmless it sounds", () => {
    for (const name of ["ReadEverything", "-", "_", "toString", "Bash2", ""])
      assert.equal(kindOf(name), "other", name);
    assert.equal(kindOf("run_shell_command"), "shell");
    assert.equal(kindOf("MCP__x__y"), "mcp");
  });

  test("that an agent documents has its kind: no tool that reads, writes or runs has the kind other", () => {
    const rows: Readonly<Record<string, string>> = {
      shell:
        "Bash PowerShell Monitor KillShell shell local_shell shell_command container.exec exec_command write_stdin Shell WriteShellStdin run_shell_command",
      write: "Write write_file GenerateImage",
      edit: "Edit NotebookEdit apply_patch StrReplace EditNotebook Delete ApplyAgentDiff replace",
      read: "Read TaskOutput BashOutput SendUserFile Artifact view_image read_file read_many_files get_internal_docs ReadLints AwaitShell read_background_output",
      search:
        "Glob Grep ToolSearch grep_files list_dir SemanticSearch SemSearch list_background_processes glob grep_search list_directory",
      fetch: "WebFetch WebSearch web_fetch google_web_search",
      agent:
        "Agent Task Workflow SendMessage spawn_agent send_input resume_agent spawn_agents_on_csv invoke_agent",
      mcp: "mcp__a__b MCP:b CallMcpTool ListMcpResourcesTool ReadMcpResourceTool list_mcp_resources read_mcp_resource FetchMcpResource",
    };
    for (const [kind, names] of Object.entries(rows))
      for (const name of names.split(" ")) assert.equal(kindOf(name), kind, name);
  });
});

describe("a path", () => {
  const files = {
    realPath: async (path: string) =>
      ({ "/link": "/real", "/link/..": "/deep", "/": "/", "/shop": "/shop" })[path],
    linkTarget: async (path: string) =>
      ({ "/shop/new": "../secret/new", "/shop/far": "/link/new/far", "/shop/a": "b", "/shop/b": "a" })[path],
  };
  const place = { cwd: "/shop", home: "/home/ada", files, windows: false };

  test("is made absolute, with dot segments, the tilde and links resolved", async () => {
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ["a/../b.ts", ["/shop/b.ts"]],
      ["~/.svc-login/x", ["/home/ada/.svc-login/x"]],
      ["~", ["/home/ada"]],
      ["~other/x", ["/shop/~other/x"]],
      ["/link/a/b", ["/link/a/b", "/real/a/b"]],
      ["new", ["/shop/new", "/secret/new"]],
      ["far/x", ["/shop/far/x", "/real/new/far/x"]],
      ["a/x", ["/shop/a/x", "/shop/b/x"]],
      ["/link", ["/link", "/real"]],
      ["/link/../b.ts", ["/b.ts", "/deep/b.ts"]],
      ["../link/../b.ts", ["/b.ts"]],
      ["..\\c", ["/shop/..\\c", "/c"]],
      ["//x//y/", ["/x/y"]],
    ];
    for (const [written, expected] of rows)
      assert.deepEqual(await resolved([written], place), expected, written);
  });
});

describe("a request in the format of skillctl", () => {
  const pre = (more: Partial<GuardRequest>): GuardRequest => ({
    event: "tool.pre",
    surface: "hook",
    ...more,
  });

  /** Some agents write the input as a text. */
  const asText = (input: unknown) => ({ input: JSON.stringify(input) }) as object;

  test("a shell call has its command only in its input", () => {
    const command = "cat ~/.svc-login/token.json";
    for (const request of [
      pre({ tool: "shell", name: "Bash", input: { command } }),
      pre({ name: "Bash", input: { command } }),
      pre({ tool: "shell", input: { command } }),
      pre({ event: "tool.post", name: "Bash", ...asText({ command }) }),
    ]) {
      const { tool, command: found } = completed(request);
      assert.deepEqual([tool, found], ["shell", command], JSON.stringify(request));
    }
  });

  test("a file is named in the input alone", () => {
    const input = { file_path: "~/.svc-login/token.json", content: "x" };
    const { paths, content } = completed(pre({ tool: "write", input, paths: [] }));
    assert.deepEqual([paths, content], [["~/.svc-login/token.json"], "x"]);
    const both = completed(pre({ tool: "write", input, paths: ["/a"], content: "mine" }));
    assert.deepEqual([both.paths, both.content], [["/a", "~/.svc-login/token.json"], "mine"]);
    assert.deepEqual(completed(pre({ tool: "fetch", input: { url: "http://a.test/b" } })).urls, [
      "http://a.test/b",
    ]);
  });

  test("a call without a tool, and a shell without a command, are refused", () => {
    for (const request of [
      pre({}),
      pre({ input: { command: "ls" } }),
      pre({ name: "" }),
      pre({ event: "tool.post", paths: ["/a"] }),
      pre({ tool: "shell" }),
      pre({ name: "Bash", ...asText("ls") }),
      pre({ name: "Bash", input: {} }),
      pre({ name: "Bash", input: { command: 5 } }),
      pre({ tool: "shell", command: "ls", cwd: "." }),
    ])
      assert.throws(() => completed(request), { code: "REQUEST_UNREADABLE" }, JSON.stringify(request));
  });

  test("existing values and other events stay unchanged", () => {
    const shell = pre({ tool: "shell", command: "ls", input: { command: "other" } });
    assert.equal(completed(shell).command, "ls");
    const stop: GuardRequest = { event: "turn.stop", surface: "hook" };
    assert.equal(completed(stop), stop);
    const bare = pre({ tool: "read", paths: ["/a"] });
    assert.deepEqual(completed(bare), bare);
  });
});

const DECISIONS: Readonly<Record<Decision, GuardDecision>> = {
  allow: { decision: "allow" },
  warn: said("warn"),
  transform: { ...said("transform"), input: { command: "ls -l" } },
  ask: said("ask"),
  deny: { ...said("deny"), context: ["A fact."] },
};

function said(decision: Decision): GuardDecision {
  return {
    decision,
    reasonCode: "A_RULE",
    message: `Said: ${decision}.`,
    rule: "a/rule",
    version: 1,
    evaluation: "g-1",
  };
}

test("a command in the text of a Claude Code skill is judged as a call of its shell, without further output", async () => {
  const event = tool("Bash", { command: "npm test" }, { hook_event_name: "PreSkillShellCommand" });
  const heard = await hear("claude-code", event);
  assert.deepEqual([heard?.event, heard?.tool, heard?.command], ["tool.pre", "shell", "npm test"]);
  const { respond: answer } = await open("claude-code");
  for (const decision of ["deny", "ask", "transform"] as const) {
    const { hookSpecificOutput } = JSON.parse(answer(DECISIONS[decision], event).out) as Record<
      string,
      object
    >;
    const { permissionDecisionReason: _, ...rest } = hookSpecificOutput as Record<string, unknown>;
    assert.deepEqual(rest, { hookEventName: "PreSkillShellCommand", permissionDecision: "deny" }, decision);
  }
  assert.deepEqual(Object.keys(JSON.parse(answer(DECISIONS.warn, event).out) as object), ["systemMessage"]);
});

const open = async (name: string) => (await dialectOf(name, requests)) ?? assert.fail(name);

/** The keys that permit the action of an event. */
const PERMITS =
  /"permission":"allow"|"permissionDecision":"allow"(?!,"updatedInput")|"decision":"(allow|approve)"/;
describe("at every event", () => {
  for (const [name, agent] of Object.entries(AGENTS)) {
    const { events, stopped, unstoppable }: Agent = agent;
    test(`${name}: a denial and a question stop every event that can be stopped, and nothing is ever permitted`, async () => {
      const { respond: answer, request, outcome } = await open(name);
      for (const [ours, event] of Object.entries(events) as [GuardEvent, HookEvent][]) {
        assert.equal(request(event)?.event, ours);
        for (const [decision, given] of Object.entries(DECISIONS)) {
          const { out, err, status } = answer(given, event);
          const became = outcome(given, event);
          const isStop = became === "deny" || became === "ask";
          assert.equal(isStop, stopped.test(out), `${ours} ${decision}: ${became} in ${out}`);
          const about = `${name} ${ours} ${decision}: ${out}`;
          assert.deepEqual([err, status], ["", 0], about);
          assert.doesNotMatch(out, PERMITS, about);
          if (out !== "") assert.equal(typeof JSON.parse(out), "object", about);
          const stops = decision === "deny" || decision === "ask";
          if (stops && !unstoppable?.includes(ours)) assert.match(out, stopped, about);
          assert.ok(became === "warn" || STRICTNESS[became] >= STRICTNESS[given.decision], about);
          if (decision === "allow" || decision === "warn") assert.doesNotMatch(out, stopped, about);
        }
      }
    });
  }
});

test("Cursor's preToolUse leaves a question to the event of shell commands or MCP tools that follows, and no denial", async () => {
  const { respond: answer } = await open("cursor");
  const said = (decision: Decision, tool_name: string) =>
    answer(DECISIONS[decision], { hook_event_name: "preToolUse", tool_name, tool_input: {} });
  for (const name of ["Shell", "MCP:disk_save"]) {
    assert.deepEqual(said("ask", name), { out: "{}\n", err: "", status: 0 }, name);
    for (const decision of ["deny", "transform"] as const)
      assert.match(said(decision, name).out, /"permission":"deny"/, name);
  }
  for (const name of ["Write", "Shell2", "MCP", "shell", "Task"])
    assert.match(said("ask", name).out, /"permission":"deny"/, name);
});
