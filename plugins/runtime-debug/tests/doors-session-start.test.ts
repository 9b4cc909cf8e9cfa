/** A start that is interrupted at any moment: the next command continues, and nothing is left behind. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError, type Files } from "skillctl";
import { sayInProcessOfItsOwn } from "../../../contract-tests/command-line.ts";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { DyingFiles } from "./faults/dying-files.ts";
import { HYPOTHESES, debugProject, type DebugProject } from "./session-harness.ts";
import { ID, RECORD } from "./doors-walk.ts";
import { excludedIn, noGit } from "./worktree-harness.ts";

const START = { issue: "The sum is wrong", session: ID, hypotheses: HYPOTHESES };

/** The state of the session; `undefined` without a session. */
async function stateOf({ run }: DebugProject): Promise<string | undefined> {
  const { sessions } = await run("status");
  return sessions[0]?.state;
}

async function nothingIsLeft({ root, host }: DebugProject, where: string): Promise<void> {
  assert.deepEqual(
    (await readdir(root)).filter((name) => name !== ".git"),
    ["total.js"],
    where,
  );
  const images = await readdir(join(host.environment.stateFolder, "runtime-debug")).catch(() => []);
  assert.deepEqual(images, [], where);
}

/** Ends the session, of which nothing is left then, and returns its record. */
async function ended(project: DebugProject, where: string): Promise<string> {
  const record = await readFile(join(project.root, RECORD), "utf8");
  await project.run("answer", { answer: "D" });
  assert.equal((await project.run("cleanup")).state, "closed", where);
  await nothingIsLeft(project, where);
  return record;
}

describe("a start that is interrupted after any of its changes", () => {
  test("by a kill can be repeated, or the session continues", async (t) => {
    const dying = new DyingFiles();
    const project = await debugProject(t, { git: "none", ports: { files: dying.files } });
    const { run } = project;
    await run("start", START);
    const record = await ended(project, "not killed");
    for (let change = 1, hasDied = true; hasDied; change += 1) {
      const where = `killed after change ${change}`;
      dying.dieAt(change);
      await run("start", START).catch((error: unknown) => assert.match(String(error), /dead/));
      hasDied = dying.revive();
      let state = await stateOf(project);
      if (state === undefined) ({ state } = await run("start", START));
      else if (state === "observing") ({ state } = await run("hypothesize", { hypotheses: HYPOTHESES }));
      assert.equal(state, "instrumenting", where);
      assert.equal(await ended(project, where), record, where);
    }
  });

  test("by a signal leaves nothing, not even an image of the code, or the session continues", async (t) => {
    let left = Infinity;
    let interrupt = new AbortController();
    const changed = (): void => {
      left -= 1;
      if (left === 0) interrupt.abort();
    };
    const files: Files = {
      ...nodeFiles,
      makeFolder: (...words) => nodeFiles.makeFolder(...words).finally(changed),
      create: (...words) => nodeFiles.create(...words).finally(changed),
      replace: (...words) => nodeFiles.replace(...words).finally(changed),
    };
    const project = await debugProject(t, { git: "none", ports: { files } });
    const codes: (string | undefined)[] = [];
    for (let change = 1, isCut = true; isCut; change += 1) {
      const where = `interrupted after change ${change}`;
      [left, interrupt] = [change, new AbortController()];
      const { signal } = interrupt;
      const asked = { skill: "runtime-debug", command: "start", input: START, signal };
      const code = await project.host.run(asked).then(
        () => undefined,
        (error: unknown) => (error as SkillError).code,
      );
      isCut = signal.aborted;
      codes.push(code);
      if ((await stateOf(project)) !== undefined) await ended(project, where);
      else await nothingIsLeft(project, where);
    }
    assert.deepEqual([codes[0], codes.at(-1)], ["CANCELLED", undefined]);
  });
});

test("a start that cannot be stored leaves nothing behind, not even an image of the code", async (t) => {
  const update = async (): Promise<never> => {
    throw new SkillError("FILE_UNWRITABLE", "The disk is full.");
  };
  const project = await debugProject(t, { ports: { state: { read: async () => undefined, update } } });
  const before = await excludedIn(project.root);
  assert.equal((await project.fails("start", START)).code, "FILE_UNWRITABLE");
  assert.equal(await excludedIn(project.root), before);
  await nothingIsLeft(project, "not kept");
});

test("a start derives an id from the words of the symptom that no session, record or log has", async (t) => {
  const { root, run, fails, write } = await debugProject(t, { git: "none" });
  const { issue } = START;
  assert.equal((await run("start", { issue })).session, "sum-wrong");
  assert.equal((await run("start", { issue })).session, "sum-wrong2");
  await write("debug-sum-wrong3.md", "mine\n");
  await write(".dbg/svc-debug-log-sum-wrong4.ndjson", "{}\n");
  assert.equal((await run("start", { issue })).session, "sum-wrong5");
  assert.equal(await readFile(join(root, "debug-sum-wrong3.md"), "utf8"), "mine\n");
  const error = await fails("hypothesize", { hypotheses: HYPOTHESES });
  assert.equal(error.code, "DEBUG_WHICH_SESSION");
  assert.match(error.message, /sum-wrong, sum-wrong2, sum-wrong5/);
});

test(
  "a list of files that a clone omits, if over 4 MiB, ends start with its name",
  { skip: noGit },
  async (t) => {
    const project = await debugProject(t);
    await project.write(".git/info/exclude", "# a comment of a line\n".repeat(200_000));
    const { code, message } = await project.fails("start", START);
    assert.equal(code, "FILE_UNREADABLE");
    assert.match(message, /info\/exclude is over 4194304 bytes/);
    await nothingIsLeft(project, "over 4 MiB");
  },
);

test(
  "an ignore list that the configuration of a repository names is not read, so that a pipe in its place does not block",
  { skip: noGit || process.platform === "win32" },
  async (t) => {
    const { root, git } = await debugProject(t);
    const list = join(root, "list");
    execFileSync("mkfifo", [list]);
    git("config", "core.excludesFile", list);
    const words = ["run", "runtime-debug", "start", START.issue];
    const { status, err } = await sayInProcessOfItsOwn(words, root);
    assert.equal(status, 0, err);
  },
);

test("a session exists until it is ended, whatever the clock says", async (t) => {
  const project = await debugProject(t, { git: "none" });
  await project.run("start", START);
  for (const years of [0, 28]) {
    project.host.clock.advance(years * 366 * 86_400_000);
    assert.equal(await stateOf(project), "instrumenting", `${years} years ahead`);
  }
  await project.run("start", { ...START, session: "sum-later" });
  const { sessions } = await project.run("status");
  assert.deepEqual(sessions.map(({ session }) => session).sort(), [ID, "sum-later"].sort());
});
