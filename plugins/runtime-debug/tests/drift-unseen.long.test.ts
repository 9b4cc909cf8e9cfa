/** Calls that nobody can see into before they run: what they have changed is told after the call, and undone. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { agentIn } from "./gates-harness.ts";
import { noGit } from "./worktree-harness.ts";

const WRITE = 'require("fs").writeFileSync("total.js","x")';

/** Each changes `total.js`; the program that it needs. */
const CALLS: readonly (readonly [program: string, command: string])[] = [
  ["node", "node ../change.cjs"],
  ["python3", "python3 ../change.py"],
  ["perl", "perl ../change.pl"],
  ["sh", 'f=$(ls ../change.cjs); node "$f"'],
];

const skip = process.platform === "win32" ? "the commands are in words of a POSIX shell" : noGit;

test(
  "what nobody could see before the call is told after it, and undo gives the bytes back",
  { skip },
  async (t) => {
    const agent = await agentIn(t);
    const { root, host } = agent;
    await writeFile(join(host.folder, "change.cjs"), WRITE);
    await writeFile(join(host.folder, "change.py"), "open('total.js', 'w').write('x')\n");
    await writeFile(join(host.folder, "change.pl"), "open F, q(>), q(total.js); print F 1;\n");
    const before = await readFile(join(root, "total.js"), "latin1");
    let ran = 0;
    for (const [program, command] of CALLS) {
      if (spawnSync(program, ["--version"]).error) continue;
      const { decision } = await agent.bash(command);
      if (decision !== "allow") continue;
      ran += 1;
      execFileSync("sh", ["-c", command], { cwd: root, stdio: "ignore" });
      assert.notEqual(await readFile(join(root, "total.js"), "latin1"), before, command);
      const told = await host.host.guard.decide({
        event: "tool.post",
        surface: "hook",
        tool: "shell",
        name: "Bash",
        command,
        cwd: root,
        session: "agent-1",
      });
      assert.equal(told.decision, "warn", command);
      assert.match(told.message ?? "", /total\.js/, command);
      assert.equal((await agent.fails("check")).code, "DEBUG_CHECK_FAILED", command);
      await agent.run("undo", { files: ["total.js"] });
      assert.equal(await readFile(join(root, "total.js"), "latin1"), before, command);
    }
    assert.ok(ran >= 1, "none was let through and run");
  },
);
