/** `skillctl hooks audit`, and the log of judged calls that it reads. Transcripts are built in the form of real ones. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { readCalls } from "../../../adapters/call-log.ts";
import { runCli } from "../../cli/fixture-command-line.ts";
import { hookCommand } from "../install/command.ts";
import { hooksPlace } from "./hooks-harness.ts";

type Json = Readonly<Record<string, unknown>>;

const SESSION = "5f0c1e52-7a41-4d0a-9d55-0f6a3f1f9a10";
const COMMAND = hookCommand({ dialect: "claude-code", program: ["skillctl"] }, "linux");
/** Calls are made now: the guard writes the time of the machine. */
const soon = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

interface Document {
  readonly ok: boolean;
  readonly output: {
    readonly summary: Json & {
      readonly reasons: readonly { readonly reason: string; readonly calls: number }[];
    };
    readonly packed: readonly string[];
    readonly files: readonly {
      readonly file: string;
      readonly client?: string;
      readonly broken: number;
      readonly brokenLines: readonly number[];
      readonly calls: readonly Json[];
    }[];
  };
}

async function place(t: TestContext) {
  const own = await hooksPlace(t);
  const { project, variables, state } = own;
  const say = (...words: readonly string[]) => runCli(project, words, { variables });
  /** The hook of an agent for a call. */
  const judge = (client: "claude-code" | "codex", call: Json, more: Json = {}) =>
    runCli(project, ["guard", "--hook", client], {
      variables,
      standardInput: () =>
        Readable.from([
          Buffer.from(
            JSON.stringify({
              session_id: SESSION,
              cwd: project,
              hook_event_name: "PreToolUse",
              tool_name: call["name"],
              tool_input: call["input"],
              tool_use_id: call["id"],
              ...more,
            }),
          ),
        ]),
    });
  const write = async (name: string, entries: readonly (Json | string)[]): Promise<string> => {
    const path = join(project, name);
    await mkdir(dirname(path), { recursive: true });
    const lines = entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
    await writeFile(path, lines.map((line) => `${line}\n`).join(""));
    return path;
  };
  const audit = async (...words: readonly string[]) => {
    const { status, out, err } = await say("hooks", "audit", ...words, "--json");
    assert.equal(err, "");
    const { ok, output } = JSON.parse(out) as Document;
    assert.equal(ok, status === 0);
    const calls = output.files.flatMap((file) => file.calls);
    return { status, output, verdicts: calls.map((call) => call["decision"] ?? call["reason"]), calls };
  };
  const log = async (older: readonly Json[], newer: readonly Json[]): Promise<void> => {
    await mkdir(join(state, "guard"), { recursive: true });
    for (const [name, lines] of [
      ["calls.1.ndjson", older],
      ["calls.ndjson", newer],
    ] as const)
      if (lines.length > 0)
        await writeFile(
          join(state, "guard", name),
          lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
        );
  };
  return { ...own, say, judge, write, audit, log };
}

/** Lines of a transcript of Claude Code 2.1. */
function claude(cwd: string, more: Json = {}) {
  const base = {
    sessionId: SESSION,
    cwd,
    version: "2.1.332",
    isSidechain: false,
    userType: "external",
    ...more,
  };
  return {
    call: ({ id, name, input }: Json, timestamp = soon(-1)): Json => ({
      ...base,
      type: "assistant",
      timestamp,
      message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    }),
    result: (id: string, content: unknown = "done", timestamp = soon(60)): Json => ({
      ...base,
      type: "user",
      timestamp,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    }),
    hook: (toolUseID: string, attachment: Json): Json => ({
      ...base,
      type: "attachment",
      timestamp: soon(60),
      attachment: {
        hookName: "PreToolUse:Bash",
        hookEvent: "PreToolUse",
        toolUseID,
        command: COMMAND,
        ...attachment,
      },
    }),
  };
}

const bash = (id: string, command: string): Json => ({ id, name: "Bash", input: { command } });

test("a session of Claude Code with a subagent, a question and a denial is audited completely", async (t) => {
  const { project, state, judge, write, audit, say } = await place(t);
  const [list, ask, remove, find] = [
    bash("toolu_01AAAAAAAAAAAAAAAAAAAAAA", "ls"),
    bash("toolu_01BBBBBBBBBBBBBBBBBBBBBB", "skillctl hooks remove --client codex"),
    bash("toolu_01CCCCCCCCCCCCCCCCCCCCCC", `rm -rf ${state}/guard`),
    { id: "toolu_01DDDDDDDDDDDDDDDDDDDDDD", name: "Grep", input: { pattern: "x" } },
  ];
  for (const call of [list, ask, remove, find]) assert.equal((await judge("claude-code", call)).status, 93);
  const main = claude(project);
  const sub = claude(project, { isSidechain: true, agentId: "a7c9" });
  const file = await write("session/main.jsonl", [
    { type: "summary", summary: "Cleaning", leafUuid: "x" },
    ...[list, ask, remove].map((call) => main.call(call)),
    main.result(String(remove["id"]), "PreToolUse:Bash hook error: denied"),
    // The same messages as progress of the call that started the subagent.
    { sessionId: SESSION, type: "progress", data: { type: "agent_progress", message: sub.call(find) } },
  ]);
  await write("session/main/subagents/agent-a7c9.jsonl", [sub.call(find)]);
  const { status, verdicts, calls, output } = await audit(join(project, "session"));
  assert.deepEqual(verdicts, ["allow", "ask", "deny", "allow"]);
  assert.match(String(calls[2]?.["rule"]), /^core\//);
  assert.equal(calls[3]?.["subagent"], true);
  assert.deepEqual(output.summary, { calls: 4, judged: 4, denied: 1, asked: 1, without: 0, reasons: [] });
  assert.equal(status, 0);
  const { out } = await say("hooks", "audit", file);
  assert.match(out, /Bash {2}…CCCCCC {2}deny by core\//);
  assert.match(out, /4 calls, 4 judged \(1 denied, 1 asked\), 0 without a verdict\.\n$/);
  const one = await say("hooks", "audit", join(project, "session/main/subagents"));
  assert.match(one.out, /^1 call, 1 judged \(/m);
});

test("the log has a line for each judged call, without input, in at most two files that only this user can read", async (t) => {
  const { state, judge, log } = await place(t);
  await log([], [{ atMs: Date.now() - 9_000, by: "x", decision: "allow", filler: "x".repeat(1_048_600) }]);
  await judge("claude-code", bash("toolu_1", "echo hunter2"), { session_id: "s" });
  await judge("claude-code", bash("toolu_2", "echo hunter2"), { session_id: "s" });
  await judge("claude-code", {}, { hook_event_name: "Stop" });
  const [, first, second] = readCalls(state);
  const { atMs, input, tookUs, ...line } = first ?? assert.fail();
  assert.deepEqual(line, {
    by: "hook:claude-code",
    event: "tool.pre",
    session: "s",
    call: "toolu_1",
    name: "Bash",
    decision: "allow",
  });
  assert.ok(Math.abs(atMs - Date.now()) < 60_000);
  assert.ok(Number.isInteger(tookUs) && tookUs > 0);
  assert.equal(second?.input, input);
  assert.equal(readCalls(state).length, 3);
  const newer = join(state, "guard", "calls.ndjson");
  assert.doesNotMatch(await readFile(newer, "utf8"), /hunter2/);
  if (process.platform !== "win32") assert.equal((await stat(newer)).mode & 0o777, 0o600);
});

test("a log that cannot be written changes no decision, and is reported in one line", async (t) => {
  const { state, judge } = await place(t);
  await mkdir(join(state, "guard", "calls.ndjson"), { recursive: true });
  const { status, out, err } = await judge("claude-code", bash("toolu_1", "ls"));
  assert.deepEqual([status, out], [93, ""]);
  assert.match(err, /^A judged call could not be recorded: .*\n$/);
});

test("calls that Claude Code sends to a server are logged too", async () => {
  await using own = await createTestHost({ skills: [] });
  const { url } = await own.serve();
  const reply = await fetch(`${url}/v1/hook/claude-code`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      session_id: SESSION,
      hook_event_name: "PreToolUse",
      tool_use_id: "toolu_1",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    }),
  });
  assert.equal(reply.status, 200);
  const lines = readCalls(own.environment.stateFolder).map(({ call, by, decision }) => [call, by, decision]);
  assert.deepEqual(lines, [["toolu_1", "hook:claude-code", "allow"]]);
});

test("a call without an id is found by its session, tool and input, in order", async (t) => {
  const { project, judge, write, audit } = await place(t);
  for (const command of ["ls", "pwd"])
    await judge("claude-code", bash("", command), { tool_use_id: undefined });
  const { call } = claude(project);
  const file = await write("a.jsonl", [call(bash("1", "pwd")), call(bash("2", "ls")), call(bash("3", "ls"))]);
  assert.deepEqual((await audit(file)).verdicts, ["allow", "allow", "removed"]);
});

test("calls before hooks were installed or after they were removed are reported as such", async (t) => {
  const { project, state, judge, write, audit, hooks } = await place(t);
  const { call } = claude(project);
  const [one, two] = [bash("toolu_1", "ls"), bash("toolu_2", "pwd")];
  const file = await write("a.jsonl", [call(one), call(two, soon(-50))]);
  assert.deepEqual((await audit(file)).verdicts, ["none", "none"]);
  await hooks("install", "--client", "claude-code");
  const { status, output, verdicts } = await audit(file);
  assert.deepEqual([status, verdicts], [1, ["installed", "installed"]]);
  assert.deepEqual(
    output.summary.reasons.map(({ reason, calls }) => [reason, calls]),
    [["installed", 2]],
  );
  const since = (await hooks("status", "--client", "claude-code", "--json")).out;
  const [{ since: at = "" } = {}] = (JSON.parse(since) as { output: { hooks: { since?: string }[] } }).output
    .hooks;
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000, at);
  const [receipt = ""] = await readdir(join(state, "hooks"));
  await utimes(join(state, "hooks", receipt), 1, 1);
  assert.deepEqual((await audit(file)).verdicts, ["session", "session"]);
  await judge("claude-code", one);
  assert.deepEqual((await audit(file)).verdicts, ["allow", "missed"]);
  const sub = claude(project, { isSidechain: true });
  const mixed = await write("b.jsonl", [call(one), sub.call(bash("toolu_3", "ls"))]);
  assert.deepEqual((await audit(mixed)).verdicts, ["allow", "subagent"]);
  const settings = join(project, ".claude", "settings.json");
  const text = await readFile(settings, "utf8");
  await writeFile(settings, text.replace('"PreToolUse"', '"Elsewhere"'));
  assert.deepEqual((await audit(file)).verdicts, ["allow", "event"]);
  await writeFile(settings, text.replace("{", '{ "disableAllHooks": true,'));
  assert.deepEqual((await audit(file)).verdicts, ["allow", "off"]);
  await writeFile(settings, "{");
  assert.deepEqual((await audit(file)).verdicts, ["allow", "missed"]);
  await writeFile(settings, text);
  await hooks("remove", "--client", "claude-code");
  assert.deepEqual((await audit(file)).verdicts, ["allow", "removed"]);
  const away = claude("/no/such/folder");
  const foreign = await write("c.jsonl", [{ ...away.call(two), sessionId: "other" }]);
  assert.deepEqual((await audit(foreign)).verdicts, ["elsewhere"]);
});

test("a late hook, a failed hook and a hook of another state folder are distinguished", async (t) => {
  const { project, judge, write, audit } = await place(t);
  const { call, hook, result } = claude(project);
  const ids = ["toolu_1", "toolu_2", "toolu_3", "toolu_4", "toolu_5", "toolu_6"];
  const calls = ids.map((id) => bash(id, `echo ${id}`));
  for (const one of [calls[0], calls[4], calls[5]]) await judge("claude-code", one ?? assert.fail());
  const file = await write("a.jsonl", [
    ...calls.map((one) => call(one, soon(-90))),
    hook("toolu_1", { type: "hook_cancelled", timedOut: true, timeoutMs: 60_000, durationMs: 60_012 }),
    hook("toolu_2", { type: "hook_non_blocking_error", exitCode: 127 }),
    hook("toolu_3", { type: "hook_success", exitCode: 0 }),
    result("toolu_4", "PreToolUse:Bash hook error: [sh]: skillctl guard: not allowed"),
    // The verdict came after the call had run.
    result("toolu_5", "done", soon(-60)),
    // Another program's hook was late.
    hook("toolu_6", { type: "hook_cancelled", timedOut: true, command: "lint.sh" }),
  ]);
  const { verdicts } = await audit(file);
  assert.deepEqual(verdicts, ["late", "failed", "unlogged", "deny", "late", "allow"]);
});

test("a call before the beginning of a rotated log is reported as such", async (t) => {
  const { project, write, audit, log } = await place(t);
  const line = {
    atMs: Date.now() - 30_000,
    by: "hook:claude-code",
    session: SESSION,
    call: "toolu_2",
    decision: "allow",
  };
  const { call } = claude(project);
  const file = await write("a.jsonl", [
    call(bash("toolu_1", "ls"), soon(-90)),
    call(bash("toolu_2", "ls"), soon(-31)),
  ]);
  await log([], [line]);
  assert.deepEqual((await audit(file)).verdicts, ["removed", "allow"]);
  await log([line], [{ ...line, atMs: Date.now() - 20_000, call: "toolu_9" }]);
  assert.deepEqual((await audit(file)).verdicts, ["rotated", "allow"]);
});

const codex = (type: string, payload: Json, timestamp = soon(-1)): Json => ({ timestamp, type, payload });

test("a rollout of Codex with a shell, a patch, code and input for a running program is audited", async (t) => {
  const { project, state, judge, write, audit } = await place(t);
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch";
  await judge("codex", bash("call_01", "ls"));
  await judge("codex", { id: "call_02", name: "apply_patch", input: { command: patch } });
  await judge("codex", bash("call_03", `rm -rf ${state}`));
  await judge("codex", bash("exec-5e0f", "skillctl hooks remove --client codex"));
  await judge("codex", bash("exec-6a00", "ls"));
  const item = (payload: Json, at?: string): Json => codex("response_item", payload, at);
  const done = (one: Json): Json => codex("event_msg", { type: "item_completed", item: one }, soon(60));
  const shell = (call_id: string, cmd: string): Json =>
    item({ type: "function_call", name: "exec_command", call_id, arguments: JSON.stringify({ cmd }) });
  const code = (call_id: string, at: string): readonly Json[] => [
    item(
      { type: "custom_tool_call", status: "completed", call_id, name: "exec", input: "await tools.x()" },
      at,
    ),
    item(
      { type: "custom_tool_call_output", call_id, output: "ok" },
      new Date(Date.parse(at) + 90_000).toISOString(),
    ),
  ];
  const file = await write("rollout-2026-11-28T10-00-00-thread.jsonl", [
    codex("session_meta", {
      id: "thread",
      session_id: SESSION,
      cwd: project,
      cli_version: "0.171.0",
      source: "cli",
    }),
    codex("turn_context", { cwd: project, approval_policy: "never" }),
    shell("call_01", "ls"),
    item({ type: "function_call_output", call_id: "call_01", output: "a" }, soon(60)),
    item({
      type: "custom_tool_call",
      status: "completed",
      call_id: "call_02",
      name: "apply_patch",
      input: patch,
    }),
    shell("call_03", `rm -rf ${state}`),
    item({
      type: "function_call",
      name: "write_stdin",
      call_id: "call_04",
      arguments: '{"session_id":7,"chars":"y"}',
    }),
    item({ type: "web_search_call", id: "ws_05", action: {} }),
    // Versions of 2026 wrote searches without an id.
    item({ type: "web_search_call", status: "completed", action: {} }),
    item({ type: "web_search_call", status: "completed", action: {} }),
    ...code("call_06", soon(-2)),
    ...code("call_07", soon(200)),
    codex("event_msg", { type: "exec_command_begin", call_id: "call_01", command: ["bash", "-lc", "ls"] }),
    codex(
      "event_msg",
      { type: "exec_command_end", call_id: "exec-5e0f", command: ["bash", "-lc", "skillctl"] },
      soon(60),
    ),
    codex("event_msg", { type: "exec_command_end", call_id: "u1", source: "user_shell", command: ["ls"] }),
    // From 0.149 on, one event for each.
    done({ type: "CommandExecution", id: "exec-6a00", command: ["bash", "-lc", "ls"], source: "agent" }),
    done({ type: "CommandExecution", id: "u2", command: ["ls"], source: "user_shell" }),
    done({ type: "McpToolCall", id: "exec-6a01", server: "files", tool: "read", arguments: {} }),
    done({ type: "FileChange", id: "exec-6a02", changes: {} }),
    done({ type: "FileChange", id: "call_02", changes: {} }),
    done({ type: "AgentMessage", id: "msg_1", content: [] }),
    shell("call_08", "pwd"),
    item({
      type: "function_call_output",
      call_id: "call_08",
      output: "Command blocked by PreToolUse hook: skillctl guard denies this.",
    }),
    shell("call_09", "pwd"),
  ]);
  const { status, calls, output } = await audit(file);
  assert.deepEqual(
    calls.map(({ id, tool, decision, reason }) => [id, decision ?? reason, ...(id === "" ? [tool] : [])]),
    [
      ["call_01", "allow"],
      ["call_02", "allow"],
      ["call_03", "deny"],
      ["call_04", "untold"],
      ["ws_05", "untold"],
      ["", "untold", "web_search_call"],
      ["", "untold", "web_search_call"],
      // A question is a denial for Codex.
      ["call_06", "deny"],
      ["call_07", "inside"],
      ["exec-5e0f", "deny"],
      ["exec-6a00", "allow"],
      ["exec-6a01", "removed"],
      ["exec-6a02", "removed"],
      ["call_08", "deny"],
      ["call_09", "removed"],
    ],
  );
  assert.equal(status, 1);
  const { reasons, ...counts } = output.summary;
  assert.deepEqual(counts, { calls: 15, judged: 7, denied: 4, asked: 0, without: 8 });
  assert.deepEqual(
    reasons.map(({ reason, calls: count }) => [reason, count]),
    [
      ["untold", 4],
      ["inside", 1],
      ["removed", 3],
    ],
  );
});

test("a thread of a subagent of Codex, an earlier form of rollouts and repeated ids are read", async (t) => {
  const { project, judge, write, audit } = await place(t);
  await judge("codex", bash("call_1", "ls"));
  const shell = (call_id: string, command: unknown): Json => ({
    type: "function_call",
    name: "shell",
    call_id,
    arguments: JSON.stringify({ command }),
  });
  const source = { subagent: { thread_spawn: { parent_thread_id: SESSION, depth: 1 } } };
  const thread = await write("thread.jsonl", [
    codex("session_meta", { id: "child", session_id: SESSION, cwd: project, source }),
    codex("response_item", shell("call_1", "ls"), soon(-2)),
    // A model that restarts the numbers of its calls.
    codex("response_item", shell("call_1", "pwd"), soon(-1)),
    codex("response_item", shell("call_1", "pwd"), soon(0)),
  ]);
  const { calls } = await audit(thread);
  assert.equal(calls.length, 3);
  assert.ok(calls.every(({ subagent }) => subagent === true));
  const old = await write("old.jsonl", [
    { id: SESSION, timestamp: "2025-06-01T10:00:00.000Z", instructions: null, git: {} },
    { record_type: "state" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] },
    shell("call_1", ["bash", "-lc", "ls"]),
    { type: "function_call_output", call_id: "call_1", output: "{}" },
    {
      type: "local_shell_call",
      call_id: "call_2",
      status: "completed",
      action: { type: "exec", command: ["ls"] },
    },
  ]);
  const found = await audit(old);
  assert.deepEqual(
    found.calls.map(({ id, tool, decision }) => [id, tool, decision]),
    [
      ["call_1", "shell", "allow"],
      ["call_2", "local_shell", undefined],
    ],
  );
});

test("a line that is nested too deeply is a broken line, and the others are audited", async (t) => {
  const { project, write, audit } = await place(t);
  const { call } = claude(project);
  const deep = JSON.stringify(call({ id: "2", name: "Bash", input: { command: "DEEP" } }));
  const nested = deep.replace('"DEEP"', "[".repeat(100_000) + "]".repeat(100_000));
  const { output, calls } = await audit(
    await write("logs/a.jsonl", [call(bash("1", "ls")), nested, call(bash("3", "ls"))]),
  );
  assert.deepEqual(output.files[0]?.brokenLines, [2]);
  assert.deepEqual(
    calls.map(({ id }) => id),
    ["1", "3"],
  );
});

test("broken lines are counted and named; empty, unknown, missing and compressed files are distinguished", async (t) => {
  const { project, write, audit, say } = await place(t);
  const { call } = claude(project);
  const broken = await write("logs/a.jsonl", ["{", call(bash("1", "ls")), "7", "", '{"type":"assi']);
  const { output } = await audit(broken);
  assert.deepEqual([output.files[0]?.brokenLines, output.files[0]?.broken], [[1, 3, 5], 3]);
  assert.match((await say("hooks", "audit", broken)).out, /cannot be read: line 1, 3, 5\n/);
  await write("logs/empty.jsonl", []);
  const empty = await audit(join(project, "logs", "empty.jsonl"));
  assert.deepEqual([empty.status, empty.calls], [0, []]);
  await write("logs/notes.jsonl", [{ note: 1 }]);
  await write("logs/old/rollout-1.jsonl.zst", ["x"]);
  const all = await audit(join(project, "logs"));
  assert.deepEqual([all.output.files.length, all.output.packed.length, all.status], [3, 1, 1]);
  assert.deepEqual((await audit("logs", "--client", "claude-code")).output.files.length, 1);
  await mkdir(join(project, "none"));
  const rows: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["logs/notes.jsonl"], 66, /no transcript of Claude Code or Codex in .*notes\.jsonl/],
    [["none"], 66, /no transcript of Claude Code or Codex in .*none/],
    [["logs/missing.jsonl"], 66, /missing\.jsonl cannot be read \(ENOENT\)/],
    [[], 64, /hooks audit needs a transcript/],
    [["logs", "--client", "cursor"], 64, /hooks audit reads transcripts of claude-code and codex/],
    [["logs", "--scope", "user"], 64, /hooks audit takes neither --scope nor --http/],
  ];
  for (const [words, status, told] of rows) {
    const shown = await say("hooks", "audit", ...words);
    assert.deepEqual([shown.status, shown.out], [status, ""], words.join(" "));
    assert.match(shown.err, told);
  }
});

test("names in a transcript forge no line of the report", async (t) => {
  const { project, write, say } = await place(t);
  const { call } = claude(project);
  const file = await write("a.jsonl", [
    call({ id: "1\n  deny", name: "Bash\n0 calls\u001B[2K\u202E", input: {} }),
  ]);
  const { out } = await say("hooks", "audit", file);
  assert.equal(out.split("\n").filter((line) => line.startsWith("0 calls")).length, 0);
  assert.doesNotMatch(out, /[\u001B\u202E]/);
});
