/** The record of a session in its project: made first, kept by tools, edited by people, lost by nobody. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { HYPOTHESES, debugProject } from "./session-harness.ts";
import { excludedIn } from "./worktree-harness.ts";

const ISSUE = "The sum is wrong";
const ID = "sum-wrong";
const FILE = `debug-${ID}.md`;

describe("start", () => {
  test("makes an id of the words of the symptom that no session, record or log has", async (t) => {
    const project = await debugProject(t, { git: false });
    assert.equal((await project.run("start", { issue: ISSUE })).session, "sum-wrong");
    assert.equal((await project.run("start", { issue: ISSUE })).session, "sum-wrong2");
    await project.write("debug-sum-wrong3.md", "mine\n");
    await project.write(".dbg/svc-debug-log-sum-wrong4.ndjson", "{}\n");
    assert.equal((await project.run("start", { issue: ISSUE })).session, "sum-wrong5");
    assert.equal(await readFile(join(project.root, "debug-sum-wrong3.md"), "utf8"), "mine\n");
    const error = await project.fails("hypothesize", { hypotheses: HYPOTHESES });
    assert.equal(error.code, "DEBUG_WHICH_SESSION");
    assert.match(error.message, /sum-wrong, sum-wrong2, sum-wrong5/);
  });

  test("writes what is known into the record, and asks for what is not [debug.resource.record]", async (t) => {
    const project = await debugProject(t, { git: false });
    const { text } = await project.run("start", {
      issue: ISSUE,
      expected: "6",
      actual: "5",
      steps: ["Run it"],
    });
    assert.match(text, /Not known yet: the environment; who is affected[^]*B\) Unable to obtain it/);
    const record = await readFile(join(project.root, FILE), "utf8");
    assert.match(record, /\[OPEN\][^]*- Expected: 6\n- Actual: 5\n[^]*1\. Run it/);
    const noted = await project.run("answer", { answer: "A", note: "Node 24" });
    assert.equal(noted.state, "observing");
    assert.match(await readFile(join(project.root, FILE), "utf8"), /- Note: A\) Provided: Node 24/);
  });

  test("that cannot be kept leaves nothing behind, no image of the code either", async (t) => {
    const full = async (): Promise<never> => {
      throw new SkillError("FILE_UNWRITABLE", "The disk is full.");
    };
    const state = { read: async () => undefined, update: full };
    const project = await debugProject(t, { ports: { state } });
    assert.equal((await project.fails("start", { issue: ISSUE })).code, "FILE_UNWRITABLE");
    assert.equal(existsSync(join(project.root, FILE)), false);
    assert.doesNotMatch(await excludedIn(project.root), /debug-/);
    const kept = await readdir(project.host.environment.stateFolder, { recursive: true });
    assert.deepEqual(
      kept.filter((name) => name.includes(ID)),
      [],
    );
  });
});

describe("the record", () => {
  test("that is gone is written again, and it is told", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE });
    await rm(join(project.root, FILE));
    assert.match((await project.run("status")).text, /The record is gone/);
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    assert.match(await readFile(join(project.root, FILE), "utf8"), /\| A \| The loop skips/);
    assert.ok(project.host.log.notices.some((line) => /was gone; it is written again/.test(line)));
  });

  test("that is over 1 MiB, no UTF-8 or binary is refused, and nothing has changed", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE });
    for (const bytes of ["x".repeat(1024 * 1024 + 1), new Uint8Array([0xff, 0xfe, 0x41]), "a\0b"]) {
      await writeFile(join(project.root, FILE), bytes);
      const error = await project.fails("hypothesize", { hypotheses: HYPOTHESES });
      assert.deepEqual([error.code, error.file], ["FILE_UNREADABLE", join(project.root, FILE)]);
      assert.match((await project.run("status")).text, /Step 2 of 11/);
      assert.deepEqual(await readFile(join(project.root, FILE)), Buffer.from(bytes as string));
    }
  });

  test("that is a link or a folder is refused, and nothing is written through it", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE });
    const path = join(project.root, FILE);
    const elsewhere = join(project.host.folder, "elsewhere.md");
    await writeFile(elsewhere, "theirs\n");
    await rm(path);
    await symlink(elsewhere, path);
    assert.equal((await project.fails("hypothesize", { hypotheses: HYPOTHESES })).code, "STORAGE_UNSAFE");
    assert.equal(await readFile(elsewhere, "utf8"), "theirs\n");
    await rm(path);
    await mkdir(path);
    assert.equal((await project.fails("hypothesize", { hypotheses: HYPOTHESES })).code, "STORAGE_UNSAFE");
  });
});
