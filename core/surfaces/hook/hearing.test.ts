/** What each agent says, in our words. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { packageFolder } from "../../adapters/package-folder.ts";
import type { Subject } from "../../plugin.ts";
import { Schemas } from "../../schema/schemas.ts";
import { dialectOf } from "./dialects.ts";
import type { HookEvent } from "./dialect.ts";
import { EVENTS } from "./fixture-events.ts";
import { answered } from "./hook.ts";
import { resolved } from "./paths.ts";
import { kindOf } from "./tool-kinds.ts";

const schemas = new Schemas({
  read: async (name) =>
    JSON.parse(readFileSync(join(packageFolder(), "schemas", `${name}.json`), "utf8")) as Record<
      string,
      unknown
    >,
});
const requests = () => schemas.check("core/guard-request");
const hear = async (name: string, event: HookEvent) => (await dialectOf(name, requests))?.hear(event);
const tool = (tool_name: string, tool_input: unknown, more: object = {}): HookEvent => ({
  ...EVENTS["claude-code"]?.["tool.pre"],
  tool_name,
  tool_input,
  ...more,
});

describe("an event of an agent", () => {
  test("fits the schema of a guard request, whatever it is", async () => {
    const fits = await requests();
    for (const [name, events] of Object.entries(EVENTS)) {
      for (const [ours, event] of Object.entries(events)) {
        const heard = await hear(name, event);
        assert.equal(fits(heard), undefined, `${name} ${ours}: ${JSON.stringify(heard)}`);
      }
    }
  });

  test("says who asks, in which session, from which folder, and what", async () => {
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
    assert.deepEqual([post?.event, post?.output], ["tool.post", { llmContent: "ok" }]);
    const stop = await hear("claude-code", EVENTS["claude-code"]?.["turn.stop"] ?? {});
    assert.deepEqual([stop?.answer, stop?.repeated], ["Done.", true]);
  });

  test("is none when it lacks what it must have, or is not known", async () => {
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
      ["skillctl", { event: "tool.pre" }],
      ["skillctl", { event: "tool.pre", surface: "hook", tool: "hammer" }],
    ];
    for (const [name, event] of broken)
      assert.equal(await hear(name, event), undefined, `${name} ${JSON.stringify(event)}`);
  });
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

  test("tells the files, addresses and new texts that it names", async () => {
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

  test("that ends a command or waits for one need be given nothing", async () => {
    for (const name of ["KillShell", "write_stdin", "WriteShellStdin"])
      assert.equal((await hear("codex", tool(name, { shell_id: "1" })))?.command, "", name);
  });

  test("that names a folder and a name apart names the file too", async () => {
    const names = { dir: "/home/ada", name: ".svc-login/token.json", title: "x y" };
    assert.deepEqual((await facts(tool("mcp__fs__read", names))).paths, [
      "/home/ada",
      "/home/ada/.svc-login/token.json",
    ]);
    const absolute = { path: "/a", file: "/b" };
    assert.deepEqual((await facts(tool("mcp__fs__read", absolute))).paths, ["/a", "/b"]);
  });

  test("tells the files and the added lines of a patch of Codex", async () => {
    const command =
      "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n*** Move to: b.ts\n*** Add File: c.ts\n+more\n*** End Patch";
    assert.deepEqual(await facts(tool("apply_patch", { command }), "codex"), {
      kind: "edit",
      paths: ["src/a.ts", "b.ts", "c.ts"],
      content: "new\nmore",
    });
    const words = { command: ["bash", "-lc", "ls"], workdir: "/w" };
    assert.deepEqual(await facts(tool("shell", words), "codex"), {
      kind: "shell",
      paths: ["/w"],
      command: "bash -lc ls",
    });
  });

  test("keeps the words of a list apart, so that a shell would be given the same ones", async () => {
    const command = ["bash", "-lc", "echo 'a b' > c.ts", "A=1"];
    assert.equal(
      (await facts(tool("shell", { command }), "codex")).command,
      "bash -lc 'echo '\\''a b'\\'' > c.ts' 'A=1'",
    );
  });

  test("of an MCP server is one by its name, by what Gemini CLI says, and by Cursor's event", async () => {
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

  test("of a name that nobody knows is other, however harmless it sounds", () => {
    for (const name of ["ReadEverything", "-", "_", "toString", "Bash2", ""])
      assert.equal(kindOf(name), "other", name);
    assert.equal(kindOf("run_shell_command"), "shell");
    assert.equal(kindOf("MCP__x__y"), "mcp");
  });

  test("that the agents' documentation names is of its kind: none that reads, writes or runs is other", () => {
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
  };
  const place = { cwd: "/shop", home: "/home/ada", files, windows: false };

  test("is absolute, without dots, with the home of the user, and where links lead", async () => {
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ["a/../b.ts", ["/shop/b.ts"]],
      ["~/.svc-login/x", ["/home/ada/.svc-login/x"]],
      ["~", ["/home/ada"]],
      ["~other/x", ["/shop/~other/x"]],
      ["/link/a/b", ["/link/a/b", "/real/a/b"]],
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

describe("a whole event", () => {
  const answer = async (
    written: string,
    name = "codex",
    decide = async () => ({ decision: "allow" as const }),
  ) => {
    const dialect = await dialectOf(name, requests);
    assert.ok(dialect);
    return answered(written, {
      dialect,
      decide,
      place: { cwd: "/", home: "/h", files: { realPath: async () => undefined } },
    });
  };

  test("that cannot be read is a denial", async () => {
    for (const written of ["", " \n", "{", "[]", "null", '"x"', '{"hook_event_name":"Nothing"}']) {
      const { out, err, status } = await answer(written);
      assert.deepEqual([out, status], ["", 2], written);
      assert.match(err, /^skillctl guard denies this, because it cannot be read: .+\.\n$/);
    }
    const deep = '{"a":'.repeat(5_000) + "1" + "}".repeat(5_000);
    const event = JSON.stringify(tool("Bash", { a: "DEEP" })).replace('"DEEP"', deep);
    assert.equal((await answer(event)).status, 2);
  });

  test("whose judging throws is a denial", async () => {
    const broken = () => Promise.reject(new Error("no disk."));
    assert.deepEqual(await answer(JSON.stringify(tool("Bash", { command: "ls" })), "codex", broken), {
      out: "",
      err: "skillctl guard denies this, because it cannot be judged: no disk.\n",
      status: 2,
    });
  });
});
