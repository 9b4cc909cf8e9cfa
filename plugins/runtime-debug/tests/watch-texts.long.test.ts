/** What was put back is told as what it is, and can be found again later. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { CleanupOutput, StatusOutput } from "../contract.ts";
import { revertsText } from "../watch/reverts.ts";
import { verdictOf } from "../watch/told.ts";
import { debugProject, type DebugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const ID = "sum-is-wrong";
const FIXED = "export const total = () => 1;\n";

async function begun(t: TestContext): Promise<DebugProject> {
  const project = await debugProject(t);
  await project.write("with blank.js", "1\n");
  await project.run("start", { issue: "The sum is wrong", session: ID });
  return project;
}

async function event({ host, root }: DebugProject): Promise<string> {
  const { message = "" } = await host.host.guard.decide({
    event: "tool.post",
    surface: "hook",
    tool: "shell",
    name: "Bash",
    command: "npm test",
    cwd: root,
    session: "agent-1",
  });
  return message;
}

test("a name that turns the text around is shown, and one that was only missing has no place", () => {
  const reverted = [{ path: "a\u202esj.b", kind: "removed" }] as const;
  const looked = { root: "/shop", id: ID, reverted, regions: 0, stuck: [], moved: false };
  assert.match(verdictOf([looked], "").message ?? "", /Put back: "a\\u\{202e\}sj\.b"\.$/);
  const strange = [{ path: 'C:\\a "b"\n.js', kind: "changed" }] as const;
  assert.match(
    verdictOf([{ ...looked, reverted: strange }], "").message ?? "",
    /Put back: "C:\\a \\"b\\"\\n\.js"\.$/,
  );
  assert.equal(revertsText({ times: 1 }), "once");
});

describe("what was put back", { skip: noGit }, () => {
  test("a new file is said to be removed, and a name with a blank is one name", async (t) => {
    const project = await begun(t);
    await project.write("b.js", "1\n");
    assert.match(await event(project), /Removed \(new\): b\.js\. What/);
    await project.write("with blank.js", "2\n");
    await project.write("a, b.js", "1\n");
    await project.write("total.js", FIXED);
    assert.match(
      await event(project),
      /Removed \(new\): "a, b\.js"\. Put back: total\.js, "with blank\.js"\. What/,
    );
  });

  test("a revert is found again: status, cleanup and the page say how often and where it is kept", async (t) => {
    const project = await begun(t);
    const none = (await project.run("status")) as unknown as StatusOutput;
    assert.equal(none.sessions[0]?.reverted, undefined);
    assert.doesNotMatch(none.text, /Put back/);
    await project.write("total.js", FIXED);
    await event(project);
    await project.write("new.js", "1\n");
    await event(project);
    const { sessions, text } = (await project.run("status")) as unknown as StatusOutput;
    const { times, keptIn = "" } = sessions[0]?.reverted ?? {};
    assert.equal(times, 2);
    assert.equal(await readFile(join(keptIn, "1", "total.js"), "utf8"), FIXED);
    assert.ok(text.includes(`Put back: 2 times, kept in ${keptIn}`), text);

    await project.run("answer", { answer: "D" });
    const record = await readFile(join(project.root, `debug-${ID}.md`), "utf8");
    assert.ok(record.includes(`## Put Back\n\n2 times, kept in ${keptIn}\n`), record);
    const report = join(project.host.folder, "page.md");
    const done = (await project.run("cleanup", { report })) as unknown as CleanupOutput;
    assert.deepEqual(done.reverted, { times: 2, keptIn });
    assert.ok(done.text.includes(`Put back before the evidence: 2 times, kept in ${keptIn}`), done.text);
    const page = await readFile(report, "utf8");
    assert.match(page, /## Put back before the evidence\n\n2 times, kept in /);
    assert.ok(existsSync(join(keptIn, "1", "total.js")));
  });
});
