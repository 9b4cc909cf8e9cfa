/** An installation that is killed, or meets a full disk or another one, leaves the folder as before or as after it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import {
  PROGRAM,
  program,
  sayInProcessOfItsOwn,
  variablesOf,
} from "../../../../contract-tests/command-line.ts";
import { ownFolder } from "../../../../contract-tests/doors-harness.ts";
import { writeSkill } from "../fixture-command-line.ts";
import { atTerminal, noTerminal } from "../tests/terminal-harness.ts";

const onPosix = { skip: process.platform === "win32" };
/** The number of kills, each at a random moment of its share of the time that an undisturbed update takes. */
const MOMENTS = 12;
const FILES = 150;

/** A folder with a project, and a skill of many files. */
async function place(t: TestContext) {
  const folder = await ownFolder(t);
  const source = join(folder, "source");
  await mkdir(source);
  const publish = async (version: string): Promise<void> => {
    const skill = await writeSkill(source, "greeting", { manifest: { version } });
    for (let index = 0; index < FILES; index += 1)
      await writeFile(join(skill, `data-${index}`), `${version} ${index}`);
  };
  const project = join(folder, "project");
  await mkdir(project);
  const variables = { SKILLCTL_STATE: join(folder, "state") };
  const say = (...words: readonly string[]) => sayInProcessOfItsOwn(words, project, { variables });
  return {
    folder,
    project,
    publish,
    say,
    start: (...words: readonly string[]) => program(words, project, { variables }),
  };
}

/** The texts of skillctl.json and the lock, and the names in the folder of skills. */
async function stateOf(project: string) {
  const [configuration, lock] = await Promise.all(
    ["skillctl.json", "skillctl-lock.json"].map((name) =>
      readFile(join(project, name), "utf8").catch(() => undefined),
    ),
  );
  const inside: string[] = await readdir(join(project, ".skillctl", "skills")).catch(() => []);
  return { configuration, lock, inside: inside.sort() };
}

describe("a kill", onPosix, () => {
  test("during an update leaves the old or the new skill, and the next command completes the rest", async (t) => {
    const { project, publish, say, start } = await place(t);
    await publish("1.0.0");
    assert.equal((await say("add", "../source/greeting", "--yes")).status, 0);
    await publish("1.1.0");
    const begun = performance.now();
    assert.equal((await say("update", "--yes")).status, 0);
    const tookMs = performance.now() - begun;
    const ends = new Set<string>();
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      await publish(`1.2.${moment}`);
      const before = await stateOf(project);
      const child = start("update", "--yes");
      const timer = setTimeout(() => child.kill("SIGKILL"), (tookMs * (moment + Math.random())) / MOMENTS);
      await once(child, "close");
      clearTimeout(timer);
      const run = await say("run", "greeting", "Ada");
      // Between skillctl.json and the record of trust the skill waits.
      assert.ok(run.out === "Hello Ada\n" || /cannot be used yet/.test(run.err), run.err);
      const verified = await say("verify");
      assert.equal(verified.status, 0, verified.out + verified.err);
      const after = await stateOf(project);
      const isBefore = after.lock === before.lock;
      assert.equal(after.configuration === before.configuration, isBefore);
      assert.equal(after.inside.length, 1, after.inside.join());
      assert.match(verified.out, isBefore ? /^greeting 1\./ : new RegExp(`^greeting 1\\.2\\.${moment} `));
      assert.equal((await say("run", "greeting", "Ada")).out, "Hello Ada\n");
      ends.add(isBefore ? "before" : "after");
    }
    t.diagnostic(`an update took ${Math.round(tookMs)} ms; ends: ${[...ends].join(", ")}`);
    assert.ok(ends.has("before"));
  });
});

describe("a full disk", onPosix, () => {
  for (const [what, content] of [
    ["while files are unpacked", { large: "x".repeat(200_000) }],
    [
      "while the lock is written",
      Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`data-${index}`, "x"])),
    ],
  ] as const)
    test(`${what} leaves the folder as before`, async (t) => {
      const { folder, project, publish, say } = await place(t);
      await publish("1.0.0");
      assert.equal((await say("add", "../source/greeting", "--yes")).status, 0);
      const before = await stateOf(project);
      const skill = await writeSkill(join(folder, "source"), "greeting", { manifest: { version: "1.1.0" } });
      for (const [name, text] of Object.entries(content)) await writeFile(join(skill, name), text);
      const line = [process.execPath, ...PROGRAM, "update", "--yes"].map((word) => `'${word}'`).join(" ");
      const child = spawn("sh", ["-c", `ulimit -f 100; exec ${line}`], {
        cwd: project,
        env: { ...variablesOf(project), SKILLCTL_STATE: join(folder, "state") },
      });
      let err = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      const [status] = (await once(child, "close")) as [number];
      assert.deepEqual([status, /EFBIG/.test(err)], [73, true], err);
      assert.deepEqual(await stateOf(project), before);
      assert.equal((await say("run", "greeting", "Ada")).out, "Hello Ada\n");
    });
});

test("of two concurrent installations one is refused or both succeed, and the lock matches the folder", async (t) => {
  const { folder, project, publish, say } = await place(t);
  await publish("1.0.0");
  await writeSkill(join(folder, "source"), "other");
  const both = await Promise.all(
    ["greeting", "other"].map((name) => say("add", `../source/${name}`, "--yes")),
  );
  for (const { status, err } of both)
    assert.ok(status === 0 || /Another process installs skills/.test(err), err);
  const added = both.filter(({ status }) => status === 0).length;
  assert.ok(added > 0);
  assert.equal((await say("verify")).status, 0);
  assert.equal((await stateOf(project)).inside.length, added);
});

describe("a person at a terminal", { skip: noTerminal }, () => {
  for (const [answer, status, told, count] of [
    ["y", 0, /greeting 1\.0\.0 is installed and trusted/, 1],
    ["n", 130, /Nothing was changed/, 0],
  ] as const)
    test(`is asked, and answers ${answer}`, async (t) => {
      const { folder, publish } = await place(t);
      await publish("1.0.0");
      let asked = false;
      const shown = await atTerminal("add ./source/greeting", {
        folder,
        columns: 80,
        person: (all, type) => {
          if (asked || !/Install and trust it\?/.test(all)) return;
          asked = true;
          type(answer, 300);
          type("\r", 600);
        },
      });
      assert.deepEqual(
        [shown.status, told.test(shown.shown), shown.restored],
        [status, true, true],
        shown.shown,
      );
      assert.equal((await stateOf(folder)).inside.length, count);
    });
});
