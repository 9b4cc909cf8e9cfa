/** What git ignores, and what lies in `.dbg`. */
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

describe("where the look after the call would not look", { skip: noGit }, () => {
  test("what git ignores, and removing what is absent, is free", async (t) => {
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
      "echo x > dist/app.js",
      "echo PORT=2 >> .env",
      "cat dist/app.js | head",
    ])
      assert.deepEqual(await agent.bash(command), { decision: "allow", text: "" }, command);
  });

  test("a new file that is removed and written by one command is a new file", async (t) => {
    const agent = await shop(t);
    for (const command of ["rm -f src/new.js; echo x > src/new.js", "rm -f new.js; npm test > new.js"])
      assert.equal((await agent.bash(command)).decision, "deny", command);
  });
});
