/** The gates of a session with git: which project a call reaches, what git ignores, several sessions. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ID } from "./doors-walk.ts";
import { agentOf, gatedProject } from "./gates-harness.ts";
import { placed } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const DENIED = [
  "echo x >> ./total.js",
  "mv total.js other.js",
  "git checkout -- total.js",
  "git stash",
  "find . -delete",
  "echo y >> settings.json",
  "echo total.js >> .gitignore",
];

const FREE = [
  "git diff && git commit -m x",
  "grep -rn sum . | head",
  "node total.js > app.log 2>&1",
  "skillctl run runtime-debug probe --hypothesis A --point sum --apply total.js:4",
  "echo x > notes.txt",
  "echo x > .dbg/notes.txt",
  "tsc --outDir dist",
  "echo x > dist/app.js",
  "rm -rf dist .pytest_cache",
  "echo PORT=2 >> .env",
];

describe("the gates of a session with git", { skip: noGit }, () => {
  test("no command may change code that it names, whatever the ignore lists say; ignored files, new notes and logs may change", async (t) => {
    const project = await gatedProject(t);
    await project.write("settings.json", "{}\n");
    await project.write(".gitignore", "dist/\n.env\n*.log\ntotal.js\n");
    await project.write("dist/app.js", "1\n");
    await project.write(".env", "PORT=1\n");
    await project.run("start", { issue: "The sum is wrong", session: ID });
    const agent = agentOf(project);
    for (const command of DENIED) assert.equal((await agent.bash(command)).decision, "deny", command);
    for (const command of FREE)
      assert.deepEqual(await agent.bash(command), { decision: "allow", text: "" }, command);
    const file_path = join(agent.root, "dist", "out.js");
    assert.equal((await agent.asks("Write", { file_path, content: "x" })).decision, "allow");
  });

  test("paths through links and other folders are resolved into the project and out of it", async (t) => {
    const agent = agentOf(await gatedProject(t));
    await agent.run("start", { issue: "The sum is wrong", session: ID });
    const outside = join(agent.host.folder, "outside");
    await mkdir(outside);
    await symlink(join(agent.root, "total.js"), join(outside, "link.js"));
    await symlink(agent.root, join(outside, "folder"));
    for (const cwd of [agent.root, outside]) {
      for (const file_path of [join(outside, "link.js"), join(outside, "folder", "total.js")])
        assert.equal((await agent.asks("Write", { file_path, content: "" }, cwd)).decision, "deny");
      const notes = { file_path: join(outside, "a.js"), content: "" };
      assert.equal((await agent.asks("Write", notes, cwd)).decision, "allow");
    }
    assert.equal((await agent.bash(`cd ${agent.root} && echo x > total.js`, outside)).decision, "deny");
    assert.equal((await agent.bash("echo x > a.js", outside)).decision, "allow");
  });

  test("code may change once a cause is confirmed in every open session; without a session the skill is not loaded", async (t) => {
    const project = await gatedProject(t);
    const agent = agentOf(project);
    const write = { file_path: join(agent.root, "total.js"), content: "fixed" };
    assert.equal((await agent.asks("Write", write)).decision, "allow");
    assert.equal(project.host.host.activator.loaded.includes("runtime-debug"), false);
    for (const state of ["fixing", "verifying", "confirming", "cleaning"] as const) {
      await placed(project, state);
      assert.equal((await agent.asks("Write", write)).decision, "allow", state);
    }
    await writeFile(join(agent.root, "a.js"), "");
    await project.run("start", { issue: "Another bug", session: "other-bug" });
    const { decision, text } = await agent.asks("Write", write);
    assert.equal(decision, "deny");
    assert.match(text, /Session other-bug/);
  });
});
