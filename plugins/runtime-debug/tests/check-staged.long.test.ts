/** More of `check --staged`: both public formats, odd names, hooks and other work trees, configurations. */
import assert from "node:assert/strict";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkStaged } from "../check/staged.ts";
import { stagedFindings } from "./doors-staged.ts";
import { debugProject } from "./session-harness.ts";
import { gitIn, noGit } from "./worktree-harness.ts";

/** What is staged, and what is told of it behind its name. */
const REFUSED: readonly (readonly [path: string, text: string, ...found: readonly string[]])[] = [
  ["a.cs", "#region agent log\n#endregion\n", ":1 staged-marker"],
  ["a.html", "<!-- #region debug-point A -->\n", ":1 staged-marker"],
  ["a.kt", '"http://10.0.2.2:7242/ingest/6c0f"', ":1 staged-address"],
  ["b.js", 'fetch("http://[::1]:7777/event")', ":1 staged-address"],
  ["c.js", 'fetch("http://192.168.0.5:7777/event")', ":1 staged-address"],
  ["a.rs", 'open("/home/x/.cursor/debug.log")', ":1 staged-name"],
  ["logs/svc-debug-log-a-b.ndjson", "{}", ":0 staged-file"],
  [".cursor/debug-1f2e3d.log", "{}", ":0 staged-file"],
  ["debug-login-timeout.md", "# [OPEN] Login\n", ":0 staged-file"],
  ["a b.js", "let a;\nDEBUG_SESSION_ID", ":2 staged-name"],
  ...(process.platform === "win32"
    ? []
    : [['n\ne "q"\tw ü\\.js', "DEBUG_SESSION_ID", ":1 staged-name"] as const]),
];

const ALLOWED: Readonly<Record<string, string | Uint8Array>> = {
  "docs/README": "It reads DEBUG_SERVER_URL.\n",
  CHANGELOG: "- http://127.0.0.1:7777/event\n",
  "a.js": "fetch('http://110.0.0.1:7777/event')\nfetch('http://localhost:3000/events')\n",
  "debug-on-windows.md": "# How to debug on Windows\n",
  "a.ts": "// #region helpers\n// #endregion\n",
  "empty.js": "",
  "a.bin": "\0DEBUG_SERVER_URL",
};

describe("check --staged", { skip: noGit }, () => {
  test("refuses what belongs to a session of either public format, with file and line", async (t) => {
    const project = await debugProject(t);
    for (const [path, text] of REFUSED) await project.write(path, text);
    project.git("add", "--all", "--force");
    const all = REFUSED.flatMap(([path, , ...ends]) => ends.map((end) => path + end));
    assert.deepEqual([...(await stagedFindings(project))].sort(), all.sort());
  });

  test("refuses nothing that only looks like it", async (t) => {
    const project = await debugProject(t);
    for (const [path, text] of Object.entries(ALLOWED)) await project.write(path, text as string);
    project.git("add", "--all");
    assert.deepEqual(await stagedFindings(project), []);
  });

  test("works before the first commit, in a second work tree and from a folder below", async (t) => {
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
    const { programs } = project.host.host.ports;
    const check = checkStaged(programs, join(second, "below"), new AbortController().signal);
    await assert.rejects(check, ({ result }: { result: { findings: readonly { file: string }[] } }) => {
      assert.deepEqual(
        result.findings.map(({ file }) => file),
        ["below/b.js"],
      );
      return true;
    });
  });

  test("reads the index of the commit in a hook, and tells a folder that is no project of git", async (t) => {
    const none = await debugProject(t, { git: false });
    assert.match((await none.fails("check", { staged: true })).message, /is no project of git/);
    const index = join(none.root, "index");
    const project = await debugProject(t, { variables: { GIT_INDEX_FILE: index } });
    await copyFile(join(project.root, ".git/index"), index);
    await project.write("a.js", "DEBUG_SERVER_URL");
    project.git("add", "--all");
    assert.deepEqual(await stagedFindings(project), []);
  });

  test("lets the configuration of the project run nothing and hide nothing", async (t) => {
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
