/** Evidence and judgement of a session, from the outside: only events of the run under way count. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { HYPOTHESES, debugProject } from "./session-harness.ts";
import { event, verdict, walked, type Walk } from "./doors-walk.ts";

const at = async (t: TestContext, state: Parameters<typeof walked>[1]): Promise<Walk> =>
  walked(await debugProject(t, { git: false }), state);

describe("the evidence of a session", () => {
  test("is an event of the run under way: without one the reproduction is not taken for done", async (t) => {
    const { run, fails, post } = await at(t, "reproducing");
    assert.equal((await fails("answer", { answer: "A" })).code, "DEBUG_STEP");
    await post(event("A", { runId: "elsewhere" }));
    const { code, message, hint } = await fails("answer", { answer: "A" });
    assert.equal(code, "DEBUG_STEP");
    assert.match(message, /no event has been collected in this run/);
    assert.match(hint ?? "", /Only events of the run pre-fix count/);
    await post(event("A"));
    assert.equal((await run("answer", { answer: "A" })).step, 7);
  });

  test("is cited line by line: none that is missing, none of another run", async (t) => {
    const { run, fails, post } = await at(t, "judging");
    await post(event("A", { runId: "elsewhere" }));
    for (const [lines, missing] of [
      ["#4", "#4"],
      ["#2-9", "#4-9"],
      ["#77", "#77"],
    ] as const) {
      const { code, message } = await fails("judge", { verdicts: [verdict("A", "confirmed", lines)] });
      assert.equal(code, "DEBUG_CITATION");
      assert.match(message, new RegExp(`no event of pre-fix: ${missing}\\.`));
    }
    const { text } = await run("judge", { verdicts: [verdict("A", "confirmed", "#2")] });
    assert.match(text, /Look again: the lines cited for A were reported for B\./);
  });

  test("opens the fix only when every hypothesis is judged and one is confirmed", async (t) => {
    const { run, fails } = await at(t, "judging");
    assert.equal((await run("judge", { verdicts: [verdict("A", "confirmed", "#1")] })).state, "judging");
    const none = ["A", "B", "C"].map((letter) => verdict(letter, "rejected", "#1-3"));
    assert.equal((await run("judge", { verdicts: none })).state, "judging");
    assert.equal((await fails("fix", { summary: "x" })).code, "DEBUG_STEP");
    assert.equal((await run("judge", { verdicts: [verdict("B", "confirmed", "#2")] })).state, "fixing");
  });

  test("collected before further probes opens no judgement, and new hypotheses get new letters", async (t) => {
    const { run, fails } = await at(t, "judging");
    const other = HYPOTHESES.map((one) => ({ ...one, text: `${one.text}, or not` }));
    const { hypotheses } = await run("hypothesize", { hypotheses: other });
    assert.deepEqual(
      (hypotheses as readonly { id: string }[]).map(({ id }) => id),
      ["D", "E", "F"],
    );
    for (const hypothesis of ["D", "E", "F"])
      await run("probe", { hypothesis, point: "loop", data: ["sum"], apply: "total.js:4" });
    await run("check");
    assert.equal((await fails("answer", { answer: "A" })).code, "DEBUG_STEP");
  });
});
