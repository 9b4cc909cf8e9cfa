/** `check --staged` on the command line: the traces of a debug session that a commit may not contain. */
import assert from "node:assert/strict";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { checkStaged } from "../check/staged.ts";
import type { CheckOutput } from "../contract.ts";
import { debugProject, type DebugProject } from "./session-harness.ts";
import { gitIn, noGit } from "./worktree-harness.ts";

/** Staged text, and the finding after its name: `:0` for a whole file. */
const REFUSED: readonly (readonly [path: string, text: string, ...found: readonly string[]])[] = [
  [
    "a.js",
    "let a;\n// #region debug-point A:x\na;\n// #endregion debug-point A:x\n",
    ":2 staged-marker",
    ":4 staged-marker",
  ],
  ["a.cs", "#region agent log\n#endregion\n", ":1 staged-marker"],
  ["a.html", "<!-- #region debug-point A -->\n", ":1 staged-marker"],
  ["b.py", 'post("http://127.0.0.1:7777/event")\n', ":1 staged-address"],
  ["a.kt", '"http://10.0.2.2:7242/ingest/6c0f"', ":1 staged-address"],
  ["b.js", 'fetch("http://[::1]:7777/event")', ":1 staged-address"],
  ["c.js", 'fetch("http://192.168.0.5:7777/event")', ":1 staged-address"],
  ["c.sh", "\n\ncurl $DEBUG_SERVER_URL\n", ":3 staged-name"],
  ["a.rs", 'open("/home/x/.cursor/debug.log")', ":1 staged-name"],
  [".dbg/sum-is-wrong.env", "X=1\n", ":0 staged-file"],
  ["logs/svc-debug-log-a-b.ndjson", "{}", ":0 staged-file"],
  [".cursor/debug-1f2e3d.log", "{}", ":0 staged-file"],
  ["debug-login-timeout.md", "# [OPEN] Login\n", ":0 staged-file"],
  ["a b.js", "let a;\nDEBUG_SESSION_ID", ":2 staged-name"],
  ...(process.platform === "win32"
    ? []
    : [['n\ne "q"\tw ü\\.js', "DEBUG_SESSION_ID", ":1 staged-name"] as const]),
];

const ALLOWED: Readonly<Record<string, string>> = {
  "guide.md": "Use `#region debug-point` and DEBUG_SERVER_URL.\n",
  "docs/README": "It reads DEBUG_SERVER_URL.\n",
  CHANGELOG: "- http://127.0.0.1:7777/event\n",
  "d.js": "fetch('http://110.0.0.1:7777/event')\nfetch('http://localhost:3000/events')\n",
  "debug-on-windows.md": "# How to debug on Windows\n",
  "a.ts": "// #region helpers\n// #endregion\n",
  "empty.js": "",
  "a.bin": "\0DEBUG_SERVER_URL",
};

/** The refusals of `check --staged`: `a.js:3 staged-marker`; empty for a sound commit. */
async function stagedFindings({ run }: DebugProject): Promise<readonly string[]> {
  try {
    assert.equal((await run("check", { staged: true })).ok, true);
    return [];
  } catch (caught) {
    if (!(caught instanceof SkillError && caught.code === "DEBUG_CHECK_FAILED")) throw caught;
    const { findings } = caught.result as CheckOutput;
    return findings.map(({ file = "", line = 0, code }) => `${file}:${line} ${code}`);
  }
}

describe("a commit", { skip: noGit }, () => {
  test("is refused with file and line of each trace that it adds, and a document may mention them", async (t) => {
    const project = await debugProject(t);
    for (const [path, text] of Object.entries(ALLOWED)) await project.write(path, text);
    project.git("add", "--all");
    assert.deepEqual(await stagedFindings(project), []);
    for (const [path, text] of REFUSED) await project.write(path, text);
    project.git("add", "--all", "--force");
    const all = REFUSED.flatMap(([path, , ...ends]) => ends.map((end) => path + end));
    assert.deepEqual([...(await stagedFindings(project))].sort(), all.sort());
  });

  test("is judged only by staged changes, not by the folder or earlier commits", async (t) => {
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

  test("is checked before the first commit, in a second work tree and from a folder below", async (t) => {
    const project = await debugProject(t, { git: false });
    project.git("init", "--quiet");
    await project.write("a.js", "DEBUG_SERVER_URL");
    project.git("add", "--all");
    assert.deepEqual(await stagedFindings(project), ["a.js:1 staged-name"]);
    project.git("commit", "--quiet", "--message", "first");
    const second = join(project.root, "..", "second");
    project.git("worktree", "add", "--quiet", second);
    await mkdir(join(second, "below"));
    await writeFile(join(second, "below", "b.js"), "DEBUG_SERVER_URL");
    gitIn(second, second, "add", "--all");
    const { programs, files, environment } = project.host.host.ports;
    const below = { ...environment, workingFolder: join(second, "below") };
    const check = checkStaged(programs, files, below, new AbortController().signal);
    await assert.rejects(check, ({ result }: { result: { findings: readonly { file: string }[] } }) => {
      assert.deepEqual(
        result.findings.map(({ file }) => file),
        ["below/b.js"],
      );
      return true;
    });
  });

  test("uses its own index in a hook, and reports a folder that is not a git project", async (t) => {
    const none = await debugProject(t, { git: false });
    assert.match((await none.fails("check", { staged: true })).message, /is not a git repository/);
    const index = join(none.root, "index");
    const project = await debugProject(t, { variables: { GIT_INDEX_FILE: index } });
    await copyFile(join(project.root, ".git/index"), index);
    await project.write("a.js", "DEBUG_SERVER_URL");
    project.git("add", "--all");
    assert.deepEqual(await stagedFindings(project), []);
  });

  test("is checked whatever the configuration of the project would run or hide", async (t) => {
    const project = await debugProject(t);
    await project.write("a.js", "DEBUG_SERVER_URL\n");
    await project.write(".gitattributes", "*.js diff=own\n");
    project.git("add", "--all");
    for (const line of [
      "diff.external false",
      "diff.own.command false",
      "diff.own.textconv false",
      "core.fsmonitor false",
      "diff.noprefix true",
      "color.ui always",
      "diff.renames copies",
      "grep.column true",
      "grep.patternType fixed",
      "grep.threads 1",
    ])
      project.git("config", ...line.split(" "));
    assert.deepEqual(await stagedFindings(project), ["a.js:1 staged-name"]);
  });
});
