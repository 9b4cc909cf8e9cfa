/** `check --staged` on the command line: what a commit may not hold of a debug session. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stagedFindings } from "./doors-staged.ts";
import { debugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

describe("a commit", { skip: noGit }, () => {
  test("is refused with file and line of each trace that it adds, and a document may mention them", async (t) => {
    const project = await debugProject(t);
    const { write, git } = project;
    await write("a.js", "let a;\n// #region debug-point A:x\na;\n// #endregion debug-point A:x\n");
    await write("b.py", 'post("http://127.0.0.1:7777/event")\n');
    await write("c.sh", "\n\ncurl $DEBUG_SERVER_URL\n");
    await write("debug-sum-is-wrong.md", "# Debug Session: sum-is-wrong\n\n- **Status**: [OPEN]\n");
    await write(".dbg/sum-is-wrong.env", "X=1\n");
    await write("guide.md", "Use `#region debug-point` and DEBUG_SERVER_URL.\n");
    git("add", "--all", "--force");
    assert.deepEqual(await stagedFindings(project), [
      ".dbg/sum-is-wrong.env:0 staged-file",
      "a.js:2 staged-marker",
      "a.js:4 staged-marker",
      "b.py:1 staged-address",
      "c.sh:3 staged-name",
      "debug-sum-is-wrong.md:0 staged-file",
    ]);
  });

  test("is judged by what is staged alone, not by what lies in the folder or is there already", async (t) => {
    const project = await debugProject(t);
    const { write, git } = project;
    await write("old.js", "// #region debug-point A\n// #endregion\n");
    git("add", "--all");
    git("commit", "-qm", "second");
    await write("old.js", "let a;\n// #region debug-point A\n// #endregion\n");
    git("add", "--all");
    await write("total.js", "// #region debug-point A\n// #endregion\n");
    assert.deepEqual(await stagedFindings(project), []);
    git("mv", "old.js", "new.js");
    assert.deepEqual(await stagedFindings(project), ["new.js:2 staged-marker"]);
  });
});
