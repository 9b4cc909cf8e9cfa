/** What agents and people run all day and what changes no code is no drift. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { harmlessCommands } from "./harmless-commands.ts";
import { debugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

/** As many are run before somebody looks. */
const AT_ONCE = 25;
/** So many of them must really have run: programs may be missing, and those show nothing. */
const FLOOR = 0.7;
/** Ends as a shell does that has not found a program, or may not run it. */
const MISSING: ReadonlySet<string> = new Set(["126", "127"]);
const FILES: Readonly<Record<string, string>> = {
  ".gitignore": "node_modules/\ndist/\nbuild/\n__pycache__/\n",
  "package.json": JSON.stringify({
    name: "shop",
    type: "module",
    scripts: { test: "node --test test/", build: "mkdir -p dist && cp total.js dist/" },
  }),
  "total.js": "export const total = (items) => items.length;\nconsole.log(total([1]));\n",
  "src/cart.js": "export function cart() {\n  return [];\n}\n",
  "src/price.py": "def price():\n    return 1\n\nprint(price())\n",
  "test/total.test.js": "import '../total.js';\n",
  "README.md": "# Shop\n\nReturns a total.\n",
  Makefile: "all: build\nbuild:\n\tmkdir -p dist && cp total.js dist/total.js\n",
};

const skip = process.platform === "win32" ? "the commands are in words of a POSIX shell" : noGit;

test("500 harmless commands before the evidence are not taken for a change", { skip }, async (t) => {
  const project = await debugProject(t);
  const { root, host, git, run } = project;
  for (const [path, text] of Object.entries(FILES)) await project.write(path, text);
  git("add", "--all");
  git("commit", "--quiet", "--message", "second");
  git("clone", "--quiet", "--bare", ".", join(host.folder, "remote.git"));
  git("remote", "add", "origin", join(host.folder, "remote.git"));
  await run("start", { issue: "The sum is wrong", session: "sum-is-wrong" });
  await mkdir(join(host.folder, "elsewhere"));
  const env = {
    PATH: process.env["PATH"],
    HOME: host.environment.home,
    T: join(host.folder, "elsewhere"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "T",
    GIT_AUTHOR_EMAIL: "t@example.org",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.org",
    LC_ALL: "C",
  };
  const all = harmlessCommands();
  let ran = 0;
  for (let first = 0; first < all.length; first += AT_ONCE) {
    const some = all.slice(first, first + AT_ONCE);
    const script = some.map((text) => `(${text}\n) < /dev/null > /dev/null 2>&1; echo $?`).join("\n");
    const { stdout } = spawnSync("bash", ["-c", script], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
      timeout: 120_000,
    });
    ran += stdout.split("\n").filter((status) => status !== "" && !MISSING.has(status)).length;
    const { sessions } = await run("status");
    assert.equal("drift" in ((sessions as readonly object[])[0] ?? {}), false, some.join("\n"));
  }
  assert.ok(ran >= all.length * FLOOR, `only ${ran} of ${all.length} commands have run`);
});
