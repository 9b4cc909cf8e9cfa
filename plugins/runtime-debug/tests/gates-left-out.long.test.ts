/** What git ignores, what lies in `.dbg`, and tools that look harmless: they may decide what the program does all the same. */
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { SESSION, agentOf, gatedProject, type Agent } from "./gates-harness.ts";

const FILES = {
  ".gitignore": "dist/\nnode_modules/\n.venv/\n.env\n*.log\ncoverage/\n__pycache__/\n",
  ".env": "PORT=1\n",
  "dist/app.js": "1\n",
  "node_modules/dep/index.js": "1\n",
  "package.json": '{"name":"shop","scripts":{"build":"tsc"}}\n',
};

async function shop(t: TestContext): Promise<Agent> {
  const project = await gatedProject(t);
  for (const [path, text] of Object.entries(FILES)) await project.write(path, text);
  project.git("add", "-A");
  project.git("commit", "-qm", "second");
  await project.run("start", { issue: "The sum is wrong", session: SESSION });
  return agentOf(project);
}

describe("where neither layer would look", { skip: noGit }, () => {
  test("a command that itself writes ignored code or settings is asked about", async (t) => {
    const agent = await shop(t);
    for (const command of [
      "echo x > dist/app.js",
      "cat dist/app.js ../y > dist/app.js",
      "echo PORT=2 >> .env",
      "cp ../x.js node_modules/dep/index.js",
      "cp ../index.js node_modules/dep",
      "mv ../x dist/app.json",
      "echo x | tee node_modules/dep/readme",
      "sed -i s/1/2/ dist/app.js",
      "ln -sf ../x .venv/lib/a",
      "dd if=/dev/zero of=dist/app.js",
      "touch dist/app.js",
      "cp ../x app/__pycache__/a.cpython-311.pyc",
      "npm run lint; echo x > dist/app.js",
    ])
      assert.equal((await agent.bash(command)).decision, "ask", command);
  });

  test("plain outputs, builds, and removing what is ignored or absent are free", async (t) => {
    const agent = await shop(t);
    await mkdir(join(agent.root, "coverage"), { recursive: true });
    for (const command of [
      "npm test > coverage/out.txt",
      "node total.js > app.log 2>&1",
      "node --test --test-reporter=spec > coverage/report.json",
      "esbuild total.js --outfile=dist/app.js",
      "tsc --outDir dist",
      "rm -rf coverage .pytest_cache",
      "rm -rf coverage .pytest_cache 2>/dev/null && ls",
      "rm -rf dist/*.js",
      "mkdir -p dist/assets",
      "cat dist/app.js | head",
    ])
      assert.deepEqual(await agent.bash(command), { decision: "allow", text: "" }, command);
  });

  test("a new file that is removed and written by one command is a new file", async (t) => {
    const agent = await shop(t);
    for (const command of ["rm -f src/new.js; echo x > src/new.js", "rm -f new.js; npm test > new.js"])
      assert.equal((await agent.bash(command)).decision, "deny", command);
  });

  test("nothing but what the server keeps there comes into .dbg, and no further .dbg", async (t) => {
    const agent = await shop(t);
    for (const path of [
      ".dbg/x.js",
      ".dbg/src/a.txt",
      "src/.dbg/evil.js",
      ".DBG/x.js",
      ".dbg/svc-debug-log-a.js",
    ]) {
      const file_path = join(agent.root, path);
      assert.equal((await agent.asks("Write", { file_path, content: "x" })).decision, "deny", path);
      assert.equal((await agent.bash(`echo x > ${path}`)).decision, "deny", path);
    }
    for (const command of ["echo x > .dbg/notes.txt", "ln -s ../src .dbg/src", "rm -f .dbg/x.js"])
      assert.equal(
        (await agent.bash(command)).decision,
        command.startsWith("ln") ? "deny" : "allow",
        command,
      );
  });

  test("no tool is harmless by its name when it is handed a path of the project and a text", async (t) => {
    const agent = await shop(t);
    const path = join(agent.root, "total.js");
    const asked: readonly (readonly [string, object])[] = [
      ["mcp__fs__select", { path, value: "x" }],
      ["mcp__fs__fill", { path, text: "x" }],
      ["mcp__fs__type", { path, data: "x" }],
      ["mcp__serena__find_symbol", { relative_path: "total.js", path, body: "x" }],
      ["Notify", { file_path: path, content: "x" }],
      ["sleep", { path, content: "x" }],
      ["mcp__db__query", { sql: `COPY t TO '${path}'` }],
      ["mcp__x__count", { all: [{ sql: `COPY t TO '${path}'` }] }],
      ["LSP", { operation: "rename", filePath: path, newName: "x" }],
      ["LSP", { operation: "formatDocument", filePath: path }],
    ];
    for (const [tool, input] of asked)
      assert.equal((await agent.asks(tool, input)).decision, "ask", `${tool} ${JSON.stringify(input)}`);
    const free: readonly (readonly [string, object])[] = [
      ["TodoWrite", { todos: [{ content: `look at ${path}`, status: "pending" }] }],
      ["mcp__fs__read_file", { path }],
      ["mcp__fs__search_files", { path: agent.root, pattern: "total" }],
      ["mcp__thinking__sequentialthinking", { thought: `in ${path} the loop begins at 1` }],
      ["mcp__github__add_issue_comment", { body: `in ${path} the loop begins at 1` }],
      ["mcp__playwright__browser_type", { element: "name", text: "Ada" }],
      ["mcp__db__query", { sql: "SELECT 1" }],
      ["LSP", { operation: "goToDefinition", filePath: path, line: 1 }],
    ];
    for (const [tool, input] of free)
      assert.deepEqual(await agent.asks(tool, input), { decision: "allow", text: "" }, tool);
  });
});
