/** The second layer as agents meet it: events of their hooks before the rules of a real session. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { GuardEvent, Subject } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
import { HYPOTHESES, debugProject, entryOf, type DebugProject } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const ID = "sum-is-wrong";
const FIXED = "export const total = () => 1;\n";

interface Guarded extends DebugProject {
  readonly code: () => Promise<string>;
  /** An event of an agent in the project, after a tool call unless told otherwise. */
  readonly event: (
    more?: Partial<Subject>,
  ) => Promise<{ readonly decision: string; readonly message?: string }>;
}

async function guarded(t: TestContext): Promise<Guarded> {
  const made = await debugProject(t);
  await made.run("start", { issue: "The sum is wrong", session: ID });
  return {
    ...made,
    code: () => readFile(join(made.root, "total.js"), "utf8"),
    event: (more = {}) =>
      made.host.host.guard.decide({
        event: "tool.post" satisfies GuardEvent,
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

/** As if the steps up to a state had been taken. */
async function setState(
  { host, root }: DebugProject,
  state: SessionEntry["state"],
  more: Partial<SessionEntry> = {},
): Promise<void> {
  const name = { collection: "runtime-debug-sessions", id: root };
  await host.host.ports.state.update(name, 60_000, (current) => {
    const { version, sessions } = current as { version: 1; sessions: Record<string, SessionEntry> };
    const changed = Object.entries(sessions).map(
      ([id, entry]) => [id, { ...entry, state, ...more }] as const,
    );
    return { version, sessions: Object.fromEntries(changed) };
  });
}

describe("code before the evidence", { skip: noGit }, () => {
  test("what a tool has written is put back, kept and told; nothing is said of an unchanged tree", async (t) => {
    const project = await guarded(t);
    const before = await project.code();
    assert.equal((await project.event()).decision, "allow");
    await project.write("total.js", FIXED);
    await project.write("src/new.js", "1\n");
    const { decision, message = "" } = await project.event();
    assert.equal(decision, "deny");
    assert.match(message, /Removed \(new\): src\/new\.js\. Put back: total\.js\./);
    const [, kept = ""] = /is kept in (\S+)\./.exec(message) ?? [];
    assert.equal(await readFile(join(kept, "total.js"), "utf8"), FIXED);
    assert.equal(await project.code(), before);
    assert.equal(existsSync(join(project.root, "src")), false);
    assert.equal((await project.event()).decision, "allow");
  });

  test("whatever the tool, and from another folder when the call names the project", async (t) => {
    const project = await guarded(t);
    const before = await project.code();
    const calls: readonly Partial<Subject>[] = [
      { tool: "mcp", name: "mcp__files__save" },
      { tool: "other", name: "anything" },
      { tool: "read", name: "Read", paths: [join(project.root, "total.js")] },
      { cwd: project.host.folder, command: `echo x > ${project.root}/total.js` },
      { cwd: "/", tool: "write", name: "Write", paths: [join(project.root, "total.js")] },
      { session: "agent-2" },
    ];
    for (const call of calls) {
      await project.write("total.js", FIXED);
      assert.equal((await project.event(call)).decision, "deny", JSON.stringify(call));
      assert.equal(await project.code(), before);
    }
  });

  test("what a failed call has written is found before the next call, which may go on, and at the end of a turn", async (t) => {
    const project = await guarded(t);
    const before = await project.code();
    await project.write("total.js", FIXED);
    const next = await project.event({ event: "tool.pre", command: "git status" });
    assert.deepEqual([next.decision, /total\.js/.test(next.message ?? "")], ["warn", true]);
    assert.equal(await project.code(), before);
    await project.write("total.js", FIXED);
    const stop = { event: "turn.stop", surface: "hook", cwd: project.root, session: "agent-1" } as const;
    const decide = () => project.host.host.guard.decide(stop);
    assert.equal((await decide()).decision, "deny");
    assert.equal(await project.code(), before);
    assert.equal((await decide()).decision, "allow");
  });

  test("a late write is put back before the session goes on, and the step is refused once", async (t) => {
    const project = await guarded(t);
    await project.event();
    const before = await project.code();
    await project.write("total.js", FIXED);
    const error = await project.fails("hypothesize", { hypotheses: HYPOTHESES });
    assert.equal(error.code, "GUARD_DENIED");
    assert.match(error.message, /total\.js/);
    assert.equal(await project.code(), before);
    assert.equal((await entryOf(project, ID)).state, "observing");
    assert.equal((await project.run("hypothesize", { hypotheses: HYPOTHESES })).state, "instrumenting");
  });

  test("an abort is possible whatever has changed: it is put back and told", async (t) => {
    const project = await guarded(t);
    await project.event();
    const before = await project.code();
    await project.write("total.js", FIXED);
    assert.equal((await project.run("answer", { answer: "D" })).state, "cleaning");
    assert.equal(await project.code(), before);
    const told = project.host.log.notices.join("\n");
    assert.match(told, /Put back: total\.js/);
  });

  test("an abort is possible when the code cannot be compared", async (t) => {
    const project = await guarded(t);
    await project.event();
    const { baseline } = await entryOf(project, ID);
    await rm(join(baseline.images, "baseline.json"));
    await project.write("new.js", "1\n");
    assert.equal((await project.run("answer", { answer: "D" })).state, "cleaning");
  });

  test("without the hook of an agent a step puts nothing back: `check` tells who has to mend it", async (t) => {
    const project = await guarded(t);
    await project.write("total.js", FIXED);
    assert.equal((await project.run("hypothesize", { hypotheses: HYPOTHESES })).state, "instrumenting");
    assert.equal(await project.code(), FIXED);
  });

  test("a fix stays, also when the session comes back before the evidence; what follows it does not", async (t) => {
    const project = await guarded(t);
    await project.event();
    await setState(project, "fixing");
    await project.write("total.js", FIXED);
    assert.equal((await project.event()).decision, "allow");
    await setState(project, "confirming");
    assert.equal((await project.run("answer", { answer: "B" })).state, "judging");
    assert.equal((await project.event()).decision, "allow");
    assert.equal(await project.code(), FIXED);
    await project.write("total.js", `${FIXED}// more\n`);
    assert.equal((await project.event()).decision, "deny");
    assert.equal(await project.code(), FIXED);
  });

  test("what differs from the accepted fix may be mended, and the fix taken back, before the evidence", async (t) => {
    const project = await guarded(t);
    const before = await project.code();
    await setState(project, "confirming", {
      accepted: { "total.js": createHash("sha256").update(FIXED).digest("hex") },
      fixes: [{ summary: "Counts right", files: ["total.js"] }],
    });
    await project.write("total.js", `${FIXED}// more\n`);
    await project.run("answer", { answer: "C" });
    assert.equal((await project.event()).decision, "allow");
    for (const text of [FIXED, before]) {
      await project.write("total.js", text);
      assert.equal((await project.event()).decision, "allow");
      assert.equal(await project.code(), text);
    }
    await project.write("total.js", "other\n");
    assert.equal((await project.event()).decision, "deny");
    assert.equal(await project.code(), `${FIXED}// more\n`);
  });

  test("of several sessions the strictest holds", async (t) => {
    const project = await guarded(t);
    await setState(project, "fixing");
    await project.run("start", { issue: "Another one", session: "other-one" });
    await project.write("total.js", FIXED);
    const { decision, message = "" } = await project.event();
    assert.equal(decision, "deny");
    assert.match(message, /session other-one/);
    assert.notEqual(await project.code(), FIXED);
  });

  test("two looks at a time put everything back once", async (t) => {
    const project = await guarded(t);
    const before = await project.code();
    await project.write("total.js", FIXED);
    const said = await Promise.all([project.event(), project.event(), project.event()]);
    assert.equal(said.filter(({ decision }) => decision === "deny").length, 1);
    assert.equal(await project.code(), before);
  });

  test("a commit is told and left", async (t) => {
    const project = await guarded(t);
    await writeFile(join(project.root, "app.log"), "line\n");
    project.git("add", "-f", "app.log");
    project.git("commit", "-qm", "log");
    const { decision, message = "" } = await project.event();
    assert.deepEqual([decision, /Another commit/.test(message)], ["warn", true]);
    assert.equal((await project.event()).decision, "allow");
  });

  test("what was put back outlives the session, and nobody looks any more", async (t) => {
    const project = await guarded(t);
    await project.write("total.js", FIXED);
    const [, kept = ""] = /is kept in (\S+)\./.exec((await project.event()).message ?? "") ?? [];
    await project.run("answer", { answer: "D" });
    await project.run("cleanup");
    assert.equal(await readFile(join(kept, "total.js"), "utf8"), FIXED);
    const watched = { collection: "runtime-debug-watch", id: "sessions" };
    assert.equal(await project.host.host.ports.state.read(watched), undefined);
    await project.write("total.js", FIXED);
    assert.equal((await project.event()).decision, "allow");
    assert.equal(await project.code(), FIXED);
  });

  test("a project that was removed as a whole comes back", async (t) => {
    const project = await guarded(t);
    const before = await project.code();
    await project.event();
    await rm(project.root, { recursive: true });
    assert.equal((await project.event()).decision, "deny");
    assert.equal(await project.code(), before);
    await mkdir(project.root, { recursive: true });
  });

  test("a session without a manifest, as of an earlier version, gets one at the first look", async (t) => {
    const project = await guarded(t);
    const { baseline } = await entryOf(project, ID);
    await rm(join(baseline.images, "watch"), { recursive: true });
    const before = await project.code();
    assert.equal((await project.event()).decision, "allow");
    await project.write("total.js", FIXED);
    assert.equal((await project.event()).decision, "deny");
    assert.equal(await project.code(), before);
  });

  test("a tree that cannot be compared is a denial that says why", async (t) => {
    const project = await guarded(t);
    const { baseline } = await entryOf(project, ID);
    await rm(join(baseline.images, "baseline.json"));
    await project.write("new.js", "1\n");
    const { decision, message = "" } = await project.event();
    assert.equal(decision, "deny");
    assert.match(message, /could not be seen: What is kept of the code/);
  });

  test("where no session keeps the code shut, no code of the skill is loaded", async (t) => {
    const { host } = await debugProject(t);
    const cwd = host.environment.workingFolder;
    const loaded = [...host.host.activator.loaded];
    const subject = { event: "tool.post", surface: "hook", tool: "shell", command: "npm test", cwd } as const;
    assert.equal((await host.host.guard.decide(subject)).decision, "allow");
    assert.deepEqual([...host.host.activator.loaded], loaded);
  });
});
