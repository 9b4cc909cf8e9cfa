/** The second layer for calls that name no project: what they have written is found all the same. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { Ledger } from "../session/ledger.ts";
import { Watch } from "../watch/watch.ts";
import { Worktree } from "../worktree/worktree.ts";
import { debugProject, entryOf, type DebugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const ID = "sum-is-wrong";

interface Elsewhere extends DebugProject {
  /** Beside the project, with no session above it. */
  readonly outside: string;
  readonly code: () => Promise<string>;
  readonly after: (cwd: string, command: string) => Promise<{ decision: string; message?: string }>;
}

async function elsewhere(t: TestContext): Promise<Elsewhere> {
  const made = await debugProject(t);
  await made.run("start", { issue: "The sum is wrong", session: ID });
  const outside = join(await realpath(made.host.folder), "elsewhere");
  await mkdir(outside);
  return {
    ...made,
    outside,
    code: () => readFile(join(made.root, "total.js"), "utf8"),
    after: (cwd, command) =>
      made.host.host.guard.decide({
        event: "tool.post",
        surface: "hook",
        tool: "shell",
        name: "Bash",
        session: "agent-1",
        command,
        cwd,
      }),
  };
}

/** A session of another project, kept in the same state folder. */
async function begun({ host, root: first }: DebugProject, root: string): Promise<void> {
  const { files, programs, claims, clock, state } = host.host.ports;
  const environment = { ...host.environment, workingFolder: root };
  const worktree = new Worktree(files, programs, environment);
  const ledger = new Ledger(state, files, environment);
  const entry = await ledger.read(first, ID);
  assert.ok(entry);
  const baseline = await worktree.begin(root, ID, new AbortController().signal);
  await new Watch(files, programs, worktree, claims, clock, state).begin(root, { id: ID, baseline });
  await ledger.write(root, { ...entry, baseline, revision: 0 });
}

describe("calls that name no project", { skip: noGit }, () => {
  const calls: readonly (readonly [name: string, cwd: "/" | "outside", command: string, program: string])[] =
    [
      ["a Python program, from the top folder", "/", "python3 {outside}/w.py", "python3"],
      ["a script of the shell, from the top folder", "/", "sh {outside}/w.sh", "sh"],
      ["a script of the shell, from beside the project", "outside", "sh w.sh", "sh"],
      ["JavaScript that puts the path together", "outside", "{node} w.cjs", "sh"],
      ["make", "outside", "make -s", "make"],
    ];
  for (const [name, from, text, program] of calls)
    test(`what ${name} has changed is put back`, async (t) => {
      if (spawnSync(program, ["--version"]).error) return t.skip(`${program} is missing`);
      const project = await elsewhere(t);
      const { root, outside } = project;
      const before = await project.code();
      const target = join(root, "total.js");
      await writeFile(join(outside, "w.py"), `open(${JSON.stringify(target)}, "w").write("x")\n`);
      await writeFile(join(outside, "w.sh"), `echo x > '${target}'\n`);
      await writeFile(
        join(outside, "w.cjs"),
        `require("fs").writeFileSync(${JSON.stringify(target)}, "x");\n`,
      );
      await writeFile(join(outside, "Makefile"), `all:\n\techo x > '${target}'\n`);
      const command = text.replace("{outside}", outside).replace("{node}", process.execPath);
      const cwd = from === "/" ? "/" : outside;
      execFileSync("sh", ["-c", command], { cwd });
      assert.notEqual(await project.code(), before);
      const { decision, message = "" } = await project.after(cwd, command);
      assert.equal(decision, "deny", message);
      assert.match(message, /total\.js/);
      assert.equal(await project.code(), before);
      assert.equal((await project.after(cwd, command)).decision, "allow");
    });

  test("the end of a turn elsewhere looks too; a call that comes next does not", async (t) => {
    const project = await elsewhere(t);
    const before = await project.code();
    await project.write("total.js", "x");
    const { guard } = project.host.host;
    const at = { surface: "hook", cwd: project.outside, session: "agent-1" } as const;
    const next = { ...at, event: "tool.pre", tool: "shell", command: "ls" } as const;
    assert.equal((await guard.decide(next)).decision, "allow");
    assert.equal(await project.code(), "x");
    assert.equal((await guard.decide({ ...at, event: "turn.stop" })).decision, "deny");
    assert.equal(await project.code(), before);
  });

  test("every project with a session is looked at, one without is left alone", async (t) => {
    const project = await elsewhere(t);
    const free = join(project.outside, "free");
    const further = [join(project.outside, "second"), join(project.outside, "third")];
    for (const root of [free, ...further]) {
      await mkdir(root);
      await writeFile(join(root, "a.js"), "1\n");
    }
    for (const root of further) await begun(project, root);
    for (const root of [free, ...further]) await writeFile(join(root, "a.js"), "2\n");
    const before = await project.code();
    await project.write("total.js", "x");
    const { message = "" } = await project.after(free, "ls");
    for (const root of [project.root, ...further])
      assert.ok(message.includes(`no code of ${root} may`), message);
    assert.equal(await project.code(), before);
    const texts = await Promise.all([free, ...further].map((root) => readFile(join(root, "a.js"), "utf8")));
    assert.deepEqual(texts, ["2\n", "1\n", "1\n"]);
  });

  test("a project that cannot be compared is told and stops no call elsewhere", async (t) => {
    const project = await elsewhere(t);
    await project.after(project.root, "ls");
    await rm((await entryOf(project, ID)).baseline.images, { recursive: true });
    const { decision, message = "" } = await project.after(project.outside, "ls");
    assert.equal(decision, "warn");
    assert.ok(message.startsWith(`${project.root}: `), message);
  });

  test("a project whose folder has gone does not come back by a call elsewhere, and one whose session ended is forgotten", async (t) => {
    const project = await elsewhere(t);
    const { state, files } = project.host.host.ports;
    const ledger = new Ledger(state, files, project.host.environment);
    assert.deepEqual(await ledger.roots(), [project.root]);
    await project.after(project.outside, "ls");
    await rm(project.root, { recursive: true });
    assert.equal((await project.after(project.outside, "ls")).decision, "allow");
    assert.equal(existsSync(project.root), false);
    await ledger.remove(project.root, ID);
    assert.deepEqual(await ledger.roots(), []);
    assert.equal(await state.read({ collection: "runtime-debug-sessions", id: "folders" }), undefined);
  });
});
