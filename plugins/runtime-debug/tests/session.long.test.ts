/** Sessions whose person answers at the surface, over HTTP, with several commands at once, and several sessions at a time. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Person } from "skillctl";
import type { AnswerOutput } from "../contract.ts";
import { Ledger } from "../session/ledger.ts";
import { HYPOTHESES, debugProject, entryOf, placed, type DebugProject } from "./session-harness.ts";

const ISSUE = "The sum is wrong";
const ID = "sum-wrong";

/** The open question, answered by a person at the surface. */
function answeredBy({ host }: DebugProject, choose: NonNullable<Person["choose"]>): Promise<AnswerOutput> {
  const person = { columns: 80, secret: async () => "", choose };
  const asked = { skill: "runtime-debug", command: "answer", input: {}, surface: "host", person } as const;
  return host.run(asked) as Promise<AnswerOutput>;
}

describe("a session", () => {
  test("continues with the choice of the person, and an unanswered question changes nothing", async (t) => {
    const project = await debugProject(t, { git: false });
    await placed(project, "confirming", { id: ID, runs: { before: "pre-fix", after: "post-fix" } });
    const nobody = await project.run("answer");
    assert.equal(nobody.state, "confirming");
    assert.deepEqual(Object.keys(nobody.question?.options ?? {}), "A B C D".split(" "));
    const answered = await answeredBy(project, async ({ text }) => (text === "Is the bug gone?" ? "A" : "B"));
    assert.deepEqual([answered.state, answered.answer], ["cleaning", "A"]);
  });

  test("is taken through its steps over HTTP as well", async (t) => {
    const project = await debugProject(t, { git: false });
    const { url } = await project.host.serve();
    const post = async (
      command: string,
      input: object,
    ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> => {
      const reply = await fetch(`${url}/v1/skills/runtime-debug/commands/${command}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    const started = await post("start", { issue: ISSUE });
    assert.deepEqual(
      [started.status, started.body["session"], started.body["state"]],
      [200, ID, "observing"],
    );
    const ran = await post("start", { issue: ISSUE, run: "touch ran", hypotheses: HYPOTHESES });
    assert.deepEqual([ran.status, ran.body["code"]], [400, "INPUT_INVALID"]);
    await assert.rejects(readFile(join(project.root, "ran")), { code: "ENOENT" });
    const early = await post("fix", { summary: "x" });
    assert.deepEqual([early.status, early.body["code"]], [409, "DEBUG_STEP"]);
    assert.equal((await post("hypothesize", { hypotheses: HYPOTHESES })).body["state"], "instrumenting");
    assert.equal((await post("status", {})).status, 200);
    const open = await post("serve", { session: ID, detach: false });
    assert.deepEqual([open.status, open.body["code"]], [400, "USAGE"]);
    const far = await post("doctor", { session: ID, url: "http://192.0.2.1:7777/event" });
    assert.deepEqual([far.status, far.body["code"]], [400, "USAGE"]);
    const near = await post("doctor", { session: ID, url: "http://127.0.0.1:9/event" });
    assert.equal(near.body["code"], "DEBUG_LINK_BROKEN");
    assert.equal((await post("answer", { answer: "D" })).body["state"], "cleaning");
    assert.match(await readFile(join(project.root, `debug-${ID}.md`), "utf8"), /\[ABORTED\]/);
  });
});

describe("commands at once", () => {
  test("that begin sessions with the same words begin one each, and none takes the record of another", async (t) => {
    const project = await debugProject(t);
    const begun = await Promise.all([1, 2, 3].map(() => project.run("start", { issue: ISSUE })));
    assert.deepEqual(begun.map(({ session }) => session).sort(), [ID, `${ID}2`, `${ID}3`]);
    for (const { session } of begun) {
      await readFile(join(project.root, `debug-${session}.md`));
      await entryOf(project, session);
    }
  });

  test("that begin the same session begin it once, and the others leave it intact", async (t) => {
    const project = await debugProject(t, { git: false });
    const settled = await Promise.allSettled(
      [1, 2, 3].map(() => project.run("start", { issue: ISSUE, session: ID })),
    );
    const failed = settled.filter((one) => one.status === "rejected");
    assert.deepEqual(
      failed.map(({ reason }) => (reason as { readonly code: string }).code),
      ["DEBUG_SESSION_TAKEN", "DEBUG_SESSION_TAKEN"],
    );
    const text = await readFile(join(project.root, `debug-${ID}.md`), "utf8");
    assert.equal((await entryOf(project, ID)).recordText, text);
    const { images } = (await entryOf(project, ID)).baseline;
    assert.ok((await readdir(images)).length > 0);
  });

  test("that set probes set all of them", async (t) => {
    const project = await debugProject(t);
    await project.run("start", { issue: ISSUE });
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    await project.collect(ID);
    await Promise.all(
      ["A", "B", "C"].map((hypothesis) =>
        project.run("probe", { hypothesis, point: "loop", data: ["sum"], apply: "total.js:4" }),
      ),
    );
    const code = await readFile(join(project.root, "total.js"), "utf8");
    assert.equal(code.match(/#region/g)?.length, 3);
    assert.equal((await project.run("check")).state, "reproducing");
  });

  test("wait for their turn as long as they state, also during a garbage collection", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE, session: ID });
    const claim = await project.host.host.ports.claims.claim(`runtime-debug turn:${project.root}:${ID}`);
    t.after(() => claim?.release());
    setFlagsFromString("--expose-gc");
    const collected = setInterval(runInNewContext("gc") as () => void, 200);
    t.after(() => clearInterval(collected));
    const late = setTimeout(40_000, "it still waits", { ref: false });
    const { code } = (await Promise.race([project.fails("check"), late])) as { readonly code?: string };
    assert.equal(code, "DEBUG_CHANGED");
  });

  test("do not wait for a person who is asked, and the answer counts for the question asked", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE, session: ID });
    await placed(project, "reproducing", { ...(await entryOf(project, ID)), state: "reproducing" });
    const answered = answeredBy(project, async () => {
      // Meanwhile another command continues.
      await project.run("answer", { answer: "C" });
      return "C";
    });
    await assert.rejects(answered, { code: "DEBUG_CHANGED" });
    assert.equal((await entryOf(project, ID)).state, "observing");
  });
});

describe("a session that has lost its data", () => {
  test("is reported with its record and a remedy", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE });
    await project.run("hypothesize", { hypotheses: HYPOTHESES });
    const name = { collection: "runtime-debug-sessions", id: project.root };
    await project.host.host.ports.state.update(name, 1_000, () => undefined);
    const error = await project.fails("check");
    assert.equal(error.code, "DEBUG_NO_SESSION");
    assert.match(error.hint ?? "", /`status` names records without a session/);
    const { text } = await project.run("status");
    assert.match(text, /debug-sum-wrong\.md \(\[OPEN\] "The sum is wrong"\)[^]*its data is lost/);
  });
});

describe("concurrent sessions", () => {
  test("without git is found from a folder inside, and no second one is begun there", async (t) => {
    const project = await debugProject(t, { git: false });
    await project.run("start", { issue: ISSUE });
    const inside = join(project.root, "src", "deep");
    await mkdir(inside, { recursive: true });
    const { state, files } = project.host.host.ports;
    const ledger = new Ledger(state, files, { ...project.host.environment, workingFolder: inside });
    const { root, sessions } = await ledger.project();
    assert.deepEqual([root, Object.keys(sessions)], [project.root, [ID]]);
  });
});
