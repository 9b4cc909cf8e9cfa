/** Two debug sessions in one folder, from the outside: each knows the changes that were accepted in the other. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { CheckOutput } from "../contract.ts";
import { BUG, FIX, ID, event, walked, type Walk } from "./doors-walk.ts";
import { debugProject, HYPOTHESES, type DebugProject } from "./session-harness.ts";

const OTHER = "tax-is-missing";
const TAX = "export const tax = 1;\n";
const REGION = `// #region debug-point A:sum
fetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sessionId: "${OTHER}" }) });
// #endregion debug-point A:sum
`;

/** A project whose commands belong to one session if they name none. */
const inSession = (project: DebugProject, session: string): DebugProject => ({
  ...project,
  run: (command, input, surface) => project.run(command, { session, ...input }, surface),
  fails: (command, input) => project.fails(command, { session, ...input }),
});

/** A session in a state, and another one that has begun before it. */
async function both(t: TestContext, state: Parameters<typeof walked>[1]): Promise<[Walk, DebugProject]> {
  const project = await debugProject(t, { git: "none" });
  await project.write("tax.js", TAX);
  const other = inSession(project, OTHER);
  await other.run("start", { issue: "The tax is missing", hypotheses: HYPOTHESES });
  return [await walked(inSession(project, ID), state), other];
}

/** The findings of a session's check besides hypotheses without probes. */
async function drift({ fails }: DebugProject): Promise<readonly string[]> {
  const { result, message } = await fails("check");
  assert.ok(result, message);
  const { findings } = result as CheckOutput;
  return findings.filter(({ code }) => code !== "no-probe").map(({ file, code }) => `${file} ${code}`);
}

describe("a change that was accepted in one of two sessions of a folder", () => {
  test("is not drift of the other, which neither undoes nor claims it, also after the first has ended", async (t) => {
    const [one, other] = await both(t, "fixing");
    await one.replace(BUG, FIX);
    assert.deepEqual(await drift(other), ["total.js code-changed"]);
    await one.run("fix", { summary: "From 0." });
    assert.deepEqual(await drift(other), []);
    assert.match((await other.run("undo")).text, /^Apart from probes, nothing has changed/);
    const fixed = await one.read("total.js");
    for (const isOver of [false, true]) {
      await one.replace("sum = 0", "sum = 9");
      await one.write("tax.js", "");
      assert.deepEqual(await drift(other), ["tax.js code-changed", "total.js code-changed"]);
      await other.run("undo");
      const text = await one.read("total.js");
      if (!isOver) {
        assert.equal(text, fixed);
        await one.post(event("A", { data: { sum: 7 } }));
        await one.run("verify");
        await one.run("answer", { answer: "A" });
        await one.stop();
        assert.deepEqual((await one.run("cleanup")).fixed, ["total.js"]);
      } else assert.doesNotMatch(text, /#region|sum = 9/);
      assert.deepEqual(await drift(other), []);
    }
    const before = await one.read("total.js");
    await one.write("total.js", `${before}${REGION}`);
    await other.run("answer", { answer: "D" });
    const { fixed: claimed, cleaned } = await other.run("cleanup");
    assert.deepEqual([claimed, cleaned], [[], ["total.js"]]);
    assert.equal(await one.read("total.js"), before);
    assert.ok(before.includes(FIX));
  });

  test("with keep can be a new file, a removed one, or a further change of a file that the first has fixed", async (t) => {
    const [one, other] = await both(t, "fixing");
    await one.replace(BUG, FIX);
    await one.run("fix", { summary: "From 0." });
    await one.replace("sum = 0", "sum = 0.5");
    await rm(join(one.root, "tax.js"));
    await one.write("new.js", "1;\n");
    const files = ["total.js", "tax.js", "new.js"];
    assert.equal((await one.run("status")).sessions.find(({ session }) => session === ID)?.drift?.length, 3);
    await other.run("keep", { files });
    assert.match((await one.run("undo")).text, /^Apart from probes, nothing has changed/);
    const kept = await one.read("total.js");
    await one.write("total.js", "");
    await one.write("new.js", "2;\n");
    await one.write("tax.js", "3;\n");
    await one.run("undo");
    assert.equal((await one.read("total.js")).includes("sum = 0.5"), true);
    assert.equal(await one.read("new.js"), "1;\n");
    await assert.rejects(one.read("tax.js"));
    await one.write("total.js", kept);
    // The other session has accepted code that this one has not checked.
    await one.run("check");
    await one.post(event("A", { data: { sum: 7 } }));
    await one.run("verify");
    await one.run("answer", { answer: "A" });
    await one.stop();
    assert.deepEqual((await one.run("cleanup")).fixed, ["total.js"]);
    assert.match(await one.read("total.js"), /sum = 0\.5[^]*index = 0/);
    assert.deepEqual(await drift(other), []);
  });
});

describe("a session that begins among the probes of another one", () => {
  test("restores code with the fix and its own probes, without the removed probes of the other session", async (t) => {
    const project = await debugProject(t, { git: "none" });
    const one = await walked(inSession(project, ID), "confirming");
    const other = inSession(project, OTHER);
    await other.run("start", { issue: "The tax is missing", hypotheses: HYPOTHESES });
    await one.run("answer", { answer: "A" });
    await one.stop();
    await one.run("cleanup");
    const clean = await one.read("total.js");
    await one.write("total.js", clean.replace("  return", `${REGION}  return`));
    const probed = await one.read("total.js");
    await one.replace("sum = 0", "sum = 9");
    await other.run("undo");
    assert.equal(await one.read("total.js"), probed);
    await other.run("answer", { answer: "D" });
    await other.run("cleanup");
    assert.equal(await one.read("total.js"), clean);
    assert.ok(clean.includes(FIX) && !clean.includes("#region"));
  });
});
