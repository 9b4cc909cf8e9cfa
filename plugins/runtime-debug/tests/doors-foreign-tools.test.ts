/** Tools of MCP servers, and edit tools with more keys than they have, during a debug session: hooks of a real session. */
import assert from "node:assert/strict";
import { lstat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { processorSeconds } from "../../../contract-tests/harness.ts";
import type { CheckOutput } from "../contract.ts";
import { BUG, FIX, ID, RECORD, walked, type Walk } from "./doors-walk.ts";
import { agentOf, asked, gatedProject, type AgentName } from "./gates-harness.ts";

const PROBE = { hypothesis: "A", point: "first", data: ["index"], apply: "total.js:3" };

type Call = readonly [agent: AgentName, tool: string, input: object];

async function at(t: TestContext, state: Parameters<typeof walked>[1]): Promise<Walk> {
  const project = await gatedProject(t, { git: "none" });
  await project.write("src/tax.py", "def tax(net):\n  return net\n");
  await project.write("book.ipynb", "{}\n");
  return walked(project, state);
}

/** The calls that are stopped, or those that pass, each with the answer. */
async function told(
  walk: Walk,
  calls: readonly Call[],
  verdict: "stopped" | "runs",
  said = /./,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [agent, tool_name, tool_input] of calls) {
    const [answer, text] = await asked(walk, agent, tool_name, tool_input);
    const isStopped = answer !== "runs" && said.test(text);
    if (isStopped === (verdict === "stopped"))
      found.push(`${agent} ${tool_name} ${JSON.stringify(tool_input)} ${text}`);
  }
  return found;
}

describe("before a cause is confirmed [debug.gate.evidence]", () => {
  test("an edit with more keys than its tool has changes no code, whichever of them the tool reads", async (t) => {
    const walk = await at(t, "instrumenting");
    const path = join(walk.root, "total.js");
    const change = { old_string: BUG, new_string: FIX };
    const calls: readonly Call[] = [
      ["gemini", "write_file", { file_path: path, path: "/tmp/x", content: "x" }],
      ["gemini", "write_file", { file_path: path, target_file: "/tmp/x", content: "x" }],
      ["gemini", "replace", { file_path: path, ...change, path: "/tmp/x" }],
      ["gemini", "replace", { file_path: path, ...change, edits: [] }],
      ["gemini", "replace", { file_path: path, ...change, absolutePath: "/tmp/x", path: "/tmp/y" }],
      ["cursor", "Write", { path, file_path: "/tmp/x", contents: "x" }],
      ["cursor", "StrReplace", { path, file_path: "/tmp/x", ...change }],
      ["cursor", "Delete", { path, file_path: "/tmp/x" }],
      ["cursor", "delete_file", { target_file: "/tmp/x", path }],
      ["cursor", "search_replace", { file_path: "total.js", path: "README.md", ...change }],
      ["claude-code", "Edit", { file_path: path, path: "/tmp/x", ...change }],
      ["claude-code", "Edit", { file_path: path, ...change, edits: [] }],
      ["claude-code", "Edit", { file_path: path, ...change, edits: null }],
      ["claude-code", "Write", { file_path: path, path: "/tmp/x", content: "x" }],
      ["claude-code", "Write", { file_path: "/tmp/x", filePath: path, content: "x" }],
      ["claude-code", "MultiEdit", { file_path: "/tmp/x", edits: [{ ...change, file_path: path }] }],
    ];
    assert.deepEqual(await told(walk, calls, "runs", /No log line has confirmed a cause/), []);
    const free: readonly Call[] = [
      ["gemini", "write_file", { file_path: "/tmp/x", path: "/tmp/y", content: "x" }],
      ["cursor", "delete_file", { target_file: "/tmp/x", explanation: "It is not necessary." }],
      ["claude-code", "Edit", { file_path: path, path, old_string: "absent", new_string: "x" }],
    ];
    assert.deepEqual(await told(walk, free, "stopped"), []);
  });

  test("a tool of a server changes no code, by the verb in its name or by the text that it carries", async (t) => {
    const walk = await at(t, "instrumenting");
    const path = join(walk.root, "src", "tax.py");
    const names =
      "update_file replace_content replace_lines insert_at_line insert_after_symbol rename_symbol delete_lines patch_file patch_text_file_contents save_file put_file upload set_content modify_file rename_file copy_file remove_file unlink trash overwrite edit_block apply_diff create_new_file replace_text_in_file reformat_file search_and_replace delete_directory refactor frobnicate rewriteFile";
    const calls: readonly Call[] = [
      ...names
        .split(" ")
        .map((name) => ["claude-code", `mcp__srv__${name}`, { path, content: "x" }] as const),
      ["claude-code", "mcp__fs__put", { files: { "src/tax.py": "x = 1" } }],
      ["gemini", "mcp_fs_edit", { zq: "./src/tax.py", diff: "-  return net\n+  return 0" }],
      ["gemini", "mcp_srv_write_file", { path, content: "x" }],
      ["codex", "mcp__fs__apply", { patch: "--- a/total.js\n+++ b/total.js\n@@ -1 +1 @@\n-a\n+b\n" }],
      ["cursor", "MCP:rename", { pairs: [["src/tax.py", "src/tax3.py"]] }],
      [
        "gemini",
        "mcp_ide_replace_text_in_file",
        { pathInProject: "total.js", newText: "x", projectPath: walk.root },
      ],
      ["codex", "mcp__ide__create_new_file", { pathInProject: "src/new.ts", text: "export const a = 1;" }],
      ["cursor", "MCP:git_checkout", { repo_path: walk.root, branch_name: "other" }],
      ["claude-code", "mcp__s__replace_symbol_body", { relative_path: "src/tax.py", body: "return 0" }],
      ["claude-code", "mcp__s__replace_regex", { relative_path: "src\\tax.py", regex: "net", repl: "0" }],
      ["gemini", "mcp_desk_edit_block", { args: JSON.stringify({ file_path: path, old: "0", new: "7" }) }],
      ["gemini", "smart_edit", { t: `${path}#L2`, with: "return 0" }],
      ["claude-code", "mcp__j__edit_cell", { notebook_path: "book.ipynb", source: "x = 1" }],
      ["cursor", "EditNotebook", { target_notebook: "book.ipynb", cell_idx: 0, new_string: "x = 1" }],
    ];
    assert.deepEqual(await told(walk, calls, "runs", /No log line has confirmed a cause/), []);
    const free: readonly Call[] = [
      ...["read_file", "open_file", "get_file_info", "git_blame", "find_references", "view"].map(
        (name) => ["claude-code", `mcp__srv__${name}`, { path }] as const,
      ),
      ["claude-code", "mcp__skillctl__runtime-debug_probe", PROBE],
      ["gemini", "mcp_skillctl_runtime-debug_probe", { from: [PROBE], check: true }],
      ["claude-code", "mcp__skillctl__call", { command: "runtime-debug_probe", arguments: PROBE }],
      ["codex", "mcp__skillctl__call", { command: "runtime-debug_undo", arguments: { files: ["total.js"] } }],
      ["claude-code", "mcp__debugger__set_breakpoint", { file: "total.js", line: 3 }],
      ["claude-code", "mcp__debugger__remove_breakpoint", { file: "total.js", line: 3 }],
      ["codex", "mcp__git__git_add", { repo_path: walk.root, files: ["total.js"] }],
      ["codex", "mcp__git__git_create_branch", { repo_path: walk.root, branch_name: "other" }],
      ["codex", "mcp__fs__write_file", { path: "/tmp/scratch.py", content: "x" }],
      [
        "codex",
        "mcp__ide__create_new_file",
        { pathInProject: "docs/a.md", text: "x", projectPath: walk.root },
      ],
      ["claude-code", "mcp__github__create_issue", { title: "The total is wrong", body: "See src/tax.py." }],
    ];
    assert.deepEqual(await told(walk, free, "stopped"), []);
  });

  test("a command in the input of a tool of a server is judged as one of a shell", async (t) => {
    const walk = await at(t, "reproducing");
    const { port } = new URL(walk.url);
    const calls: readonly Call[] = [
      ["claude-code", "mcp__box__run", { command: "sed -i s/a/b/ total.js" }],
      ["codex", "mcp__box__run", { cmd: "sh", args: ["-c", "rm total.js"] }],
      ["gemini", "mcp_box_run", { script: "rm total.js\nls" }],
      ["cursor", "MCP:run", { command: ["bash", "-c", "echo x > total.js"] }],
      ["claude-code", "mcp__box__run", { command: "rm tax.py", cwd: join(walk.root, "src") }],
      ["claude-code", "mcp__box__run", { commands: ["ls", "cd src && rm tax.py"] }],
      ["claude-code", "mcp__box__run", { command_line: "mv total.js /tmp", script: "don't" }],
      ["claude-code", "mcp__box__run", { steps: [{ request: { program: "rm", arguments: ["total.js"] } }] }],
      ["claude-code", "mcp__box__run", { args: JSON.stringify({ command: "rm total.js" }) }],
      ["claude-code", "BrandNewTool", { command: `curl -d x ${walk.url}/event` }],
      ["claude-code", "mcp__box__run", { command: `kill ${process.pid}` }],
      ["claude-code", "mcp__box__run", { cmd: "fuser", args: ["-k", `${port}/tcp`] }],
    ];
    assert.deepEqual(await told(walk, calls, "runs"), []);
    const free: readonly Call[] = [
      ["claude-code", "mcp__box__run", { command: "npm test", cwd: "src" }],
      ["claude-code", "mcp__box__run", { cmd: "node", args: ["total.js"] }],
      ["claude-code", "mcp__box__run", { command: `curl -s ${walk.url}/logs; kill -0 ${process.pid}` }],
      ["claude-code", "mcp__browser__evaluate", { script: "() => items.map((x) => x.total)" }],
      ["claude-code", "mcp__db__exec", { command: "select * from t where a > b" }],
      ["claude-code", "mcp__redis__call", { cmd: "GET", args: ["key"] }],
    ];
    assert.deepEqual(await told(walk, free, "stopped"), []);
  });

  test("a new file or link is code, for the guard and for the check, unless its extension is that of data, notes or products", async (t) => {
    const walk = await at(t, "instrumenting");
    const { bash } = agentOf(walk);
    const code =
      "Makefile Dockerfile CMakeLists.txt tsconfig.json src/package.json pyproject.toml .npmrc .babelrc .eslintrc.json .env ci.yml run.ipynb helper bin/tool sitecustomize.pth page.ejs theme.css card.mdx lib.mts query.prisma main.kts run.wgsl Procfile.dev .gitattributes shim.js.1";
    const data =
      "out.json run.log rows.csv yarn.lock notes.txt app.log.1 app.log.2026-11-29 LICENSE .coverage total.js.map cart.o libcart.so.1.2 a.out page.png total.js.orig .total.js.swp nohup.out shop.sqlite-wal node_modules/x/index.js src/__pycache__/cart.cpython-312.pyc";
    const passed: string[] = [];
    const stopped: string[] = [];
    for (const name of code.split(" ")) {
      const write: Call = ["claude-code", "Write", { file_path: join(walk.root, name), content: "x\n" }];
      passed.push(...(await told(walk, [write], "runs", /would be a new file/)));
      for (const command of [`echo x > ${name}`, `ln -s /tmp/x ${name}`])
        if ((await bash(command)).decision !== "deny") passed.push(command);
    }
    for (const name of data.split(" "))
      for (const command of [`echo x > ${name}`, `ln -s /tmp/x ${name}`])
        if ((await bash(command)).decision !== "allow") stopped.push(command);
    assert.deepEqual([passed, stopped], [[], []]);
    for (const name of data.split(" ")) await walk.write(name, "x\n");
    await walk.write("notes.txt", "#!/bin/sh\n");
    // Compilers give programs no ending, and some are very large.
    for (const text of ["\u007fELF\u0002\u0001", "\u007fELF\u0002\u0002"]) {
      assert.equal((await bash("gcc -g -o cart cart.c")).decision, "allow");
      await walk.write("cart", text);
    }
    await writeFile(join(walk.root, "big"), Buffer.concat([Buffer.from("\u007fELF"), Buffer.alloc(5e6)]));
    await writeFile(join(walk.root, "big-code"), Buffer.alloc(5e6, "x\n"));
    for (const name of ["helper", "card.mdx", "shim.js.1"]) await walk.write(name, "x\n");
    await symlink("total.js", join(walk.root, "again"));
    await symlink("total.js", join(walk.root, "latest.log"));
    const { result } = await walk.fails("check");
    const { findings } = result as CheckOutput;
    assert.deepEqual(
      findings.filter(({ code: found }) => found === "new-file").map(({ file }) => file),
      ["again", "big-code", "card.mdx", "helper", "notes.txt", "shim.js.1"],
    );
    const before = await walk.read("total.js");
    await walk.run("undo");
    await assert.rejects(lstat(join(walk.root, "again")));
    assert.equal(await walk.read("total.js"), before);
  });
});

describe("before the user has answered [debug.gate.confirmation]", () => {
  test("no tool of a server and no fetching tool sends events, purges them or writes the log", async (t) => {
    const walk = await at(t, "reproducing");
    const { port } = new URL(walk.url);
    const log = `.dbg/svc-debug-log-${ID}.ndjson`;
    const body = '{"hypothesisId":"A"}';
    const post = (url: string, more: object = {}): Call => [
      "claude-code",
      "mcp__http__post",
      { url, body, ...more },
    ];
    const calls: readonly Call[] = [
      post(`http://127.0.0.1:${port}/event`),
      post(`http://localhost:${port}/event`, { method: "POST" }),
      post(`http://LOCALHOST:${port}/event`),
      post(`http://127.1:${port}/event`),
      post(`http://[::1]:${port}/log`),
      post(`http://127.0.0.1:${port}/ingest/a`),
      post(`http://127.0.0.1:${port}/v1/logs`),
      post(`http://127.0.0.1:${port}`),
      ["claude-code", "mcp__http__request", { method: "DELETE", url: `${walk.url}/logs?purge=1` }],
      [
        "claude-code",
        "mcp__http__request",
        { method: "PUT", url: `${walk.url}/run`, json: { runId: "post-fix" } },
      ],
      ["codex", "mcp__http__request", { method: "POST", target: `localhost:${port}/event`, body }],
      [
        "codex",
        "mcp__http__request",
        { method: "POST", host: "localhost", port: Number(port), path: "/event" },
      ],
      ["cursor", "MCP:post", { u: `http://LOCALHOST:${port}/%65vent`, payload: { hypothesisId: "A" } }],
      ["gemini", "mcp_fetch_post", { url: `http://127.1:${port}/LOG`, body }],
      ["claude-code", "WebFetch", { url: `http://127.0.0.1:${port}/event`, method: "POST", body }],
      [
        "claude-code",
        "mcp__pw__browser_evaluate",
        { function: `() => fetch('http://127.0.0.1:${port}/event', { method: 'POST', body: '{}' })` },
      ],
      [
        "claude-code",
        "mcp__skillctl__runtime-debug_reproduce",
        {
          page: "http://localhost:1/",
          act: `await fetch('http://127.0.0.1:${port}/event', { method: 'POST', body: '{}' })`,
        },
      ],
      ["claude-code", "mcp__runtime__log_event", { file: log, append: body }],
      ["claude-code", "mcp__fs__truncate", { file: log }],
    ];
    assert.deepEqual(
      await told(walk, calls, "runs", /Evidence comes only from the running program|events of the session/),
      [],
    );
    const free: readonly Call[] = [
      ["claude-code", "WebFetch", { url: `${walk.url}/logs?last=5`, prompt: "Which events are there?" }],
      ["claude-code", "mcp__fetch__fetch", { url: `${walk.url}/health` }],
      ["claude-code", "mcp__http__request", { method: "GET", url: `${walk.url}/logs` }],
      ["claude-code", "mcp__pw__browser_navigate", { url: `${walk.url}/logs?format=summary` }],
      ["claude-code", "mcp__http__post", { url: "http://127.0.0.1:1/event", body }],
      ["claude-code", "mcp__http__post", { url: `http://other.example:${port}/event`, body }],
      ["claude-code", "mcp__fs__read_file", { path: log }],
      [
        "claude-code",
        "mcp__skillctl__runtime-debug_reproduce",
        { page: "http://localhost:1/", act: "fetch('/orders', { method: 'POST' })" },
      ],
      [
        "claude-code",
        "mcp__chat__post_message",
        { text: `The server of the session is at ${walk.url}/event.` },
      ],
    ];
    assert.deepEqual(await told(walk, free, "stopped"), []);
  });

  test("the record is not removed, emptied or replaced by something else, by any tool", async (t) => {
    const walk = await at(t, "fixing");
    const path = join(walk.root, RECORD);
    const text = await walk.read(RECORD);
    const first = text.split("\n")[0] ?? "";
    const patch = (...lines: readonly string[]) => ({
      command: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
    });
    const calls: readonly Call[] = [
      ["claude-code", "Write", { file_path: path, content: "" }],
      ["claude-code", "Write", { file_path: path, content: "[DONE]\n" }],
      ["claude-code", "Write", { file_path: path, content: "# [DONE]\n" }],
      ["claude-code", "Write", { file_path: path, path: "/tmp/x", content: "" }],
      ["claude-code", "Edit", { file_path: path, old_string: first, new_string: "" }],
      ["gemini", "write_file", { file_path: RECORD, content: "" }],
      ["cursor", "Delete", { path }],
      ["codex", "apply_patch", patch(`*** Delete File: ${RECORD}`)],
      [
        "codex",
        "apply_patch",
        patch(`*** Update File: ${RECORD}`, "*** Move to: docs/old.md", "@@", `-${first}`, "+# y"),
      ],
      ["claude-code", "mcp__fs__write_file", { path, content: "" }],
      ["claude-code", "mcp__fs__rename", { from: path, to: "/tmp/x.md" }],
      ["claude-code", "mcp__fs__move_file", { source: join(walk.root, ".dbg"), destination: "/tmp/d" }],
      ["claude-code", "mcp__fs__move_file", { source: "/tmp/d", destination: join(walk.root, ".dbg") }],
    ];
    assert.deepEqual(await told(walk, calls, "runs", /No file of a session may be removed/), []);
    const free: readonly Call[] = [
      ["claude-code", "Write", { file_path: path, content: `${text}\nA note.\n` }],
      ["claude-code", "Edit", { file_path: path, old_string: first, new_string: `${first}\n\nA note.` }],
      ["codex", "apply_patch", patch(`*** Update File: ${RECORD}`, "@@", ` ${first}`, "+A note.")],
      ["claude-code", "mcp__fs__write_file", { path, content: `${text}\nA note.\n` }],
    ];
    assert.deepEqual(await told(walk, free, "stopped"), []);
  });

  test("the server is not ended by a pattern, a selection, its port or a tool of a server", async (t) => {
    const walk = await at(t, "fixing");
    const { bash } = agentOf(walk);
    const { port } = new URL(walk.url);
    const { pid } = process;
    const commands = [
      "pkill -f 'runtime-debug serve'",
      "pkill -f 'skillctl.cjs run'",
      "pkill -f 'serve --json'",
      `pkill -f ${ID}`,
      "pkill -f 'bin/skillctl'",
      "pkill -9 -f 'serve sum'",
      "pkill -u root",
      "pkill -t pts/0",
      "killall -r 'no.e'",
      "killall -u root",
      "pkill -x nod.",
      "pkill -f 'run.*serve'",
      "pkill .",
      "skill -9 node",
      `prlimit --pid ${pid} --cpu=1:1`,
      `prlimit --pid=${pid} --cpu=1`,
      `ss -K sport = :${port}`,
      `gdb -p ${pid} -batch -ex kill`,
      `lsof -ti tcp:${port} | xargs kill`,
      `kill $(lsof -ti:${port})`,
      "kill -9 $(pgrep -f runtime-debug)",
    ];
    const passed: string[] = [];
    for (const command of commands)
      if (!/debug server must run/.test((await bash(command)).text)) passed.push(command);
    assert.deepEqual(passed, []);
    const calls: readonly Call[] = [
      ["claude-code", "mcp__proc__kill_process", { pid }],
      ["claude-code", "mcp__proc__terminate", { processId: String(pid) }],
    ];
    assert.deepEqual(await told(walk, calls, "runs", /debug server must run/), []);
    const free = [
      `kill -0 ${pid}`,
      "kill -l",
      "pkill -f 'npm start'",
      "pkill -f server.js",
      "pkill -f 'node --watch app.js'",
      "pkill -P 999999",
      'pkill -f "$APP"',
      "pkill -u root -f 'npm start'",
      "killall -0 node",
      `prlimit --pid ${pid}`,
      `ss -lt sport = :${port}`,
      `lsof -i :${port}`,
      "pgrep -f runtime-debug",
    ];
    const stopped: string[] = [];
    for (const command of free) if ((await bash(command)).decision !== "allow") stopped.push(command);
    assert.deepEqual(stopped, []);
  });

  test("a denial names no file within a file, and a path of 30,000 folders is denied at once", async (t) => {
    const walk = await at(t, "reproducing");
    const { bash } = agentOf(walk);
    const log = `.dbg/svc-debug-log-${ID}.1.ndjson`;
    const { text } = await bash(`cp /tmp/event.json ${log}`);
    assert.match(text, /only by the debug server/);
    assert.doesNotMatch(text, /ndjson\/event\.json/);
    const long: Call = ["claude-code", "mcp__fs__write_file", { path: "/a".repeat(30_000), content: "x" }];
    const seconds = await processorSeconds(async () =>
      assert.deepEqual(await told(walk, [long], "runs", /more than 20000 folders/), []),
    );
    assert.ok(seconds < 1.5, `${seconds} s`);
  });
});
