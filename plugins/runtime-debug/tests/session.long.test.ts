/** A session whose person answers at the surface, and one over HTTP. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { AnswerOutput } from "../contract.ts";
import { HYPOTHESES, debugProject, placed, type DebugProject } from "./session-harness.ts";

const ISSUE = "The sum is wrong";
const ID = "sum-wrong";

const record = ({ root }: DebugProject): Promise<string> => readFile(join(root, `debug-${ID}.md`), "utf8");

describe("a session", () => {
  test("that the person at the surface answers takes what is chosen, and a question nobody answers changes nothing", async (t) => {
    const project = await debugProject(t, { git: false });
    await placed(project, "confirming", { id: ID, runs: { before: "pre-fix", after: "post-fix" } });
    const asked: unknown[] = [];
    const person = {
      columns: 80,
      secret: async () => "",
      choose: async (question: unknown) => {
        asked.push(question);
        return "A";
      },
    };
    const nobody = await project.run("answer");
    assert.equal(nobody.state, "confirming");
    assert.deepEqual(Object.keys(nobody.question?.options ?? {}), "A B C D".split(" "));
    const request = {
      skill: "runtime-debug",
      command: "answer",
      input: {},
      surface: "host",
      person,
    } as const;
    const answered = (await project.host.run(request)) as AnswerOutput;
    assert.deepEqual([answered.state, answered.answer], ["cleaning", "A"]);
    assert.equal((asked[0] as { readonly text: string }).text, "Is the bug gone?");
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
    const early = await post("fix", { summary: "x" });
    assert.deepEqual([early.status, early.body["code"]], [409, "DEBUG_STEP"]);
    assert.equal((await post("hypothesize", { hypotheses: HYPOTHESES })).body["state"], "instrumenting");
    assert.equal((await post("status", {})).status, 200);
    const open = await post("serve", { session: ID });
    assert.deepEqual([open.status, open.body["code"]], [400, "USAGE"]);
    const far = await post("doctor", { session: ID, url: "http://192.0.2.1:7777/event" });
    assert.deepEqual([far.status, far.body["code"]], [400, "USAGE"]);
    const near = await post("doctor", { session: ID, url: "http://127.0.0.1:9/event" });
    assert.equal(near.body["code"], "DEBUG_LINK_BROKEN");
    assert.equal((await post("answer", { answer: "D" })).body["state"], "cleaning");
    assert.match(await record(project), /\[ABORTED\]/);
  });
});
