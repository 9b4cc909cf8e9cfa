/** Projects that keep git waiting for ever: every command ends within the time that git has, and says why. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { debugProject, type DebugProject } from "./session-harness.ts";
import { scratch } from "./server-harness.ts";
import { noGit } from "./worktree-harness.ts";

const START = { issue: "The sum is wrong", session: "sum-is-wrong" };
const skip = noGit || (process.platform === "win32" && "there are no pipes");
/** The time limit of a whole run; one git process has half of it. */
const timeout = 75_000;
const SLOW_PATTERN = `${"*a".repeat(12)}b\n`;
const SLOW_NAME = `${"a".repeat(120)}.js`;

/** A project whose git is stopped once it has worked for 8 s: it need not keep a processor busy during the wait. */
async function slowProject(t: TestContext): Promise<DebugProject> {
  const path = process.env["PATH"] ?? "";
  const folder = await scratch(t);
  const stop = "sleep 8; grep -qx git /proc/$$/comm && kill -STOP $$";
  const script = `#!/bin/sh\n( ${stop} ) </dev/null >/dev/null 2>&1 &\nPATH="${path}" exec git "$@"\n`;
  await writeFile(join(folder, "git"), script, { mode: 0o755 });
  return debugProject(t, { variables: { PATH: `${folder}${delimiter}${path}` } });
}

const PIPES = [".gitignore", "n/.gitignore", ".gitattributes", "m/.git/HEAD"];

async function pipe({ root }: DebugProject, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  execFileSync("mkfifo", [join(root, path)]);
}

test("start names a pipe that git would read, and leaves nothing behind", { skip, timeout }, async (t) => {
  await Promise.all(
    PIPES.map(async (path) => {
      const project = await debugProject(t);
      if (path.endsWith("HEAD"))
        for (const part of ["objects", "refs"])
          await mkdir(join(project.root, "m/.git", part), { recursive: true });
      await pipe(project, path);
      const { code, message, hint } = await project.fails("start", START);
      assert.equal(code, "PROGRAM_FAILED", message);
      assert.match(message, /^git \S+ was ended in .*: it waits for .*, which is not a regular file\.$/);
      assert.ok(message.includes(`${join(project.root, path)},`), message);
      assert.equal(hint, "Put a regular file there, or remove it.");
      await nothingIsLeft(project);
    }),
  );
});

test("a pattern on which git does not end makes start fail with a sentence", { skip, timeout }, async (t) => {
  const project = await slowProject(t);
  await project.write("n/.gitignore", SLOW_PATTERN);
  await project.write(join("n", SLOW_NAME), "");
  const { code, message, hint } = await project.fails("start", START);
  assert.equal(code, "PROGRAM_FAILED", message);
  assert.match(message, /^git \S+ was ended in .*: no answer within 30 s\.$/);
  assert.match(hint ?? "", /`find \. -name \.gitignore/);
  await nothingIsLeft(project);
});

test(
  "a name on which git does not end makes check fail, and status reports it",
  { skip, timeout },
  async (t) => {
    const project = await slowProject(t);
    await project.write(".gitignore", SLOW_PATTERN);
    await project.run("start", START);
    await project.write(SLOW_NAME, "");
    const [{ message }, { text }] = await Promise.all([project.fails("check"), project.run("status")]);
    for (const said of [message, text]) assert.match(said, /git \S+ was ended in .*: no answer within 30 s/);
  },
);

async function nothingIsLeft({ root, host }: DebugProject): Promise<void> {
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.startsWith("debug-")),
    [],
  );
  const images = await readdir(join(host.environment.stateFolder, "runtime-debug")).catch(() => []);
  assert.deepEqual(images, []);
}
