/** The second layer before the rules of a real session when looking takes long, fails, or cannot put everything back. */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { Files, Subject } from "skillctl";
import { fixedClock } from "skillctl/testing";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { debugProject, entryOf, type DebugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const ID = "sum-is-wrong";
const MANY = Array.from({ length: 10 }, (_, number) => `f${number}.js`);

interface Slow extends DebugProject {
  readonly event: (
    more?: Partial<Subject>,
  ) => Promise<{ readonly decision: string; readonly message?: string }>;
  /** Writes a text to each of the many. */
  readonly writeMany: (text: string) => Promise<void>;
  readonly changed: () => Promise<number>;
}

/** A session in a project in which each file that is put back takes so many milliseconds. */
async function slow(t: TestContext, takesMs: number): Promise<Slow> {
  const clock = fixedClock();
  const files: Files = {
    ...nodeFiles,
    replace: async (path, content, mode) => {
      await nodeFiles.replace(path, content, mode);
      if (/\/f\d\.js$/.test(path)) clock.advance(takesMs);
    },
  };
  const made = await debugProject(t, { ports: { files, clock } });
  const writeMany = async (text: string): Promise<void> => {
    for (const path of MANY) await made.write(path, text);
  };
  await writeMany("1\n");
  await made.run("start", { issue: "The sum is wrong", session: ID });
  return {
    ...made,
    writeMany,
    changed: async () => {
      const texts = await Promise.all(MANY.map((path) => readFile(join(made.root, path), "utf8")));
      return texts.filter((text) => text !== "1\n").length;
    },
    event: (more = {}) =>
      made.host.host.guard.decide({
        event: "tool.post",
        surface: "hook",
        tool: "shell",
        name: "Bash",
        command: "npm test",
        cwd: made.root,
        session: "agent-1",
        ...more,
      }),
  };
}

describe("a look that takes long", { skip: noGit }, () => {
  test("is answered in time, and the next one goes on", async (t) => {
    const project = await slow(t, 1_000);
    await project.writeMany("2\n");
    const { decision, message = "" } = await project.event();
    const left = await project.changed();
    assert.equal(decision, "deny");
    assert.ok(left > 0 && left < MANY.length, `${left}`);
    assert.match(message, new RegExp(`${left} more files? (is|are) not`));
    assert.equal((await project.event()).decision, "deny");
    assert.equal(await project.changed(), 0);
    assert.equal((await project.event()).decision, "allow");
  });

  test("stops no abort: that goes on with a warning", async (t) => {
    const project = await slow(t, 1_000);
    await project.event();
    await project.writeMany("2\n");
    assert.equal((await project.run("answer", { answer: "D" })).state, "cleaning");
    assert.match(project.host.log.notices.join("\n"), /more files? (is|are) not/);
  });

  test("and whose answer nobody has waited for is told by the next one", async (t) => {
    // So late that the guard has given it up.
    const project = await slow(t, 20_000);
    await project.write("f1.js", "2\n");
    assert.match((await project.event()).message ?? "", /f1\.js/);
    const { decision, message = "" } = await project.event({ event: "tool.pre", command: "git status" });
    assert.deepEqual([decision, /f1\.js/.test(message)], ["warn", true]);
    assert.equal((await project.event()).decision, "allow");
  });
});

describe("before a call", { skip: noGit }, () => {
  test("code that could not be looked at stops it; reading and the session's own commands go on", async (t) => {
    const project = await slow(t, 0);
    const { baseline } = await entryOf(project, ID);
    await rm(join(baseline.images, "baseline.json"));
    await project.write("new.js", "1\n");
    const before = (more: Partial<Subject>): ReturnType<Slow["event"]> =>
      project.event({ event: "tool.pre", ...more });
    const test1 = await before({ command: "npm test" });
    assert.deepEqual([test1.decision, /could not be seen/.test(test1.message ?? "")], ["deny", true]);
    assert.equal((await before({ command: "skillctl run runtime-debug status; npm test" })).decision, "deny");
    const read = {
      tool: "read",
      name: "Read",
      paths: [join(project.root, "total.js")],
    } satisfies Partial<Subject>;
    assert.equal((await before(read)).decision, "warn");
    assert.notEqual((await before({ command: "npx skillctl run runtime-debug answer D" })).decision, "deny");
  });

  test("what is left to put back stops it, what was put back does not", async (t) => {
    const project = await slow(t, 1_000);
    await project.writeMany("2\n");
    const next = { event: "tool.pre", command: "git status" } as const;
    assert.equal((await project.event(next)).decision, "deny");
    assert.equal((await project.event(next)).decision, "warn");
    assert.equal(await project.changed(), 0);
  });
});
