/** `check --staged`: what a commit may not hold of a debug session. */
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { SkillError } from "skillctl";
import { checkStaged } from "../check/staged.ts";
import { debugProject, type DebugProject } from "./session-harness.ts";
import { gitIn, noGit } from "./worktree-harness.ts";

interface Finding {
  readonly file: string;
  readonly line?: number;
  readonly code: string;
}

async function staged(
  t: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<DebugProject> {
  const project = await debugProject(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project.root, path)), { recursive: true });
    await writeFile(join(project.root, path), text);
  }
  project.git("add", "--all", "--force");
  return project;
}

/** `a.js:3 staged-marker`, or nothing when the commit is fine. */
async function found(project: DebugProject): Promise<readonly string[]> {
  const outcome: unknown = await project.run("check", { staged: true }).catch((caught: unknown) => caught);
  if (!(outcome instanceof Error)) {
    assert.equal((outcome as { readonly ok: boolean }).ok, true);
    return [];
  }
  const { code, result } = outcome as Error & {
    readonly code: string;
    readonly result: { readonly findings: readonly Finding[] };
  };
  assert.equal(code, "DEBUG_CHECK_FAILED", outcome.message);
  return result.findings.map(
    ({ file, line, code }) => `${file}${line === undefined ? "" : `:${line}`} ${code}`,
  );
}

const REFUSED: Readonly<Record<string, readonly [path: string, text: string, ...found: readonly string[]]>> =
  {
    "a region": [
      "a.js",
      "let a;\n// #region debug-point A:x\nx()\n// #endregion debug-point A:x\n",
      ":2 staged-marker",
      ":4 staged-marker",
    ],
    "a region of the other public format": ["a.cs", "#region agent log\n#endregion\n", ":1 staged-marker"],
    "a marker of HTML": ["a.html", "<!-- #region debug-point A -->\n", ":1 staged-marker"],
    "an address": ["a.go", 'post("http://127.0.0.1:7778/event")', ":1 staged-address"],
    "an address of the other format": ["a.kt", '"http://10.0.2.2:7242/ingest/6c0f"', ":1 staged-address"],
    "an address of IPv6": ["a.js", 'fetch("http://[::1]:7777/event")', ":1 staged-address"],
    "an address of the own network": ["a.js", 'fetch("http://192.168.0.5:7777/event")', ":1 staged-address"],
    "a variable": ["a.py", 'os.environ["DEBUG_SERVER_URL"]\n', ":1 staged-name"],
    "the log of the other format, written to": [
      "a.rs",
      'open("/home/x/.cursor/debug.log")',
      ":1 staged-name",
    ],
    "the environment file": [".dbg/a-b.env", "x", " staged-file"],
    "a log": ["logs/svc-debug-log-a-b.ndjson", "{}", " staged-file"],
    "a log of the original": ["trae-debug-log-a-b.ndjson", "{}", " staged-file"],
    "a log of the other format": [".cursor/debug-1f2e3d.log", "{}", " staged-file"],
    "a record": [
      "debug-login-timeout.md",
      "# Debug Session: login-timeout\n- **Status**: [OPEN]\n",
      " staged-file",
    ],
    "a record by its title": ["debug-login-timeout.md", "# [OPEN] Login\n", " staged-file"],
    "a name with everything in it": ['n\ne "q"\tw ü\\.js', "DEBUG_SESSION_ID", ":1 staged-name"],
    "a file without a line end": ["a b.js", "let a;\nDEBUG_SESSION_ID", ":2 staged-name"],
  };

const ALLOWED: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "a guide that mentions all of it": [
    "docs/a.md",
    "`#region debug-point A`\n// #region debug-point A\nDEBUG_SERVER_URL\n",
  ],
  "a guide without an ending": ["docs/README", "It reads DEBUG_SERVER_URL.\n"],
  "a list of changes without an ending": ["CHANGELOG", "- http://127.0.0.1:7777/event\n"],
  "an address of somewhere else": ["a.js", "fetch('http://110.0.0.1:7777/event')\n"],
  "a page of that name that is no record": ["debug-on-windows.md", "# How to debug on Windows\n"],
  "a fold of somebody else's": ["a.ts", "// #region helpers\n// #endregion\n"],
  "an address of another kind": ["a.js", "fetch('http://localhost:3000/events')\n"],
  "an empty file": ["a.js", ""],
  "binary data": ["a.bin", "\0DEBUG_SERVER_URL"],
};

describe("check --staged", { skip: noGit }, () => {
  for (const [what, [path, text, ...ends]] of Object.entries(REFUSED)) {
    const isOdd = /[\n"]/.test(path) && process.platform === "win32";
    test(`${what} is refused`, { skip: isOdd }, async (t) => {
      assert.deepEqual(
        await found(await staged(t, { [path]: text })),
        ends.map((end) => path + end),
      );
    });
  }

  for (const [what, [path, text]] of Object.entries(ALLOWED)) {
    test(`${what} is not refused`, async (t) => {
      assert.deepEqual(await found(await staged(t, { [path]: text })), []);
    });
  }

  test("a renamed file counts as new, so that nothing gets a second place", async (t) => {
    const project = await staged(t, { "a.js": "1\n2\nDEBUG_SERVER_URL\n" });
    project.git("commit", "--quiet", "--message", "old");
    project.git("mv", "a.js", "b.js");
    assert.deepEqual(await found(project), ["b.js:3 staged-name"]);
  });

  test("it works before the first commit, in a second work tree and from a folder below", async (t) => {
    const project = await debugProject(t, { git: false });
    project.git("init", "--quiet");
    await project.write("a.js", "DEBUG_SERVER_URL");
    project.git("add", "--all");
    assert.deepEqual(await found(project), ["a.js:1 staged-name"]);

    const other = await staged(t, {});
    const second = join(other.root, "..", "second");
    other.git("worktree", "add", "--quiet", second);
    await mkdir(join(second, "below"));
    await writeFile(join(second, "below", "b.js"), "DEBUG_SERVER_URL");
    gitIn(second, second, "add", "--all");
    const { signal } = new AbortController();
    const check = checkStaged(other.host.host.ports.programs, join(second, "below"), signal);
    await assert.rejects(check, (caught: SkillError) => {
      const { findings } = caught.result as { readonly findings: readonly Finding[] };
      assert.deepEqual(
        findings.map(({ file }) => file),
        ["below/b.js"],
      );
      return true;
    });
  });

  test("in a hook of a commit of some files the index of that commit counts", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "skillctl-staged-"));
    t.after(() => rm(folder, { recursive: true }));
    const index = join(folder, "index");
    const project = await debugProject(t, { variables: { GIT_INDEX_FILE: index } });
    await copyFile(join(project.root, ".git/index"), index);
    await project.write("a.js", "DEBUG_SERVER_URL");
    project.git("add", "--all");
    assert.deepEqual(await found(project), []);
  });

  test("a folder that is no project of git is told as such", async (t) => {
    const project = await debugProject(t, { git: false });
    const { code, message } = await project.fails("check", { staged: true });
    assert.equal(code, "PROGRAM_FAILED");
    assert.match(message, /is no project of git/);
  });

  test("the configuration of the project runs nothing and hides nothing", async (t) => {
    const project = await staged(t, { "a.js": "DEBUG_SERVER_URL\n", ".gitattributes": "*.js diff=own\n" });
    const fails = "false";
    for (const [key, value] of Object.entries({
      "diff.external": fails,
      "diff.own.command": fails,
      "diff.own.textconv": fails,
      "core.fsmonitor": fails,
      "diff.noprefix": "true",
      "diff.mnemonicPrefix": "true",
      "color.ui": "always",
      "diff.wordRegex": ".",
      "diff.interHunkContext": "9",
      "diff.renames": "copies",
    }))
      project.git("config", key, value);
    assert.deepEqual(await found(project), ["a.js:1 staged-name"]);
  });
});
