/** The steps of a session, from the outside: none is skipped, and who tries is told what comes next. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { HYPOTHESES, debugProject } from "./session-harness.ts";
import { ID, verdicts, walked, type Walk } from "./doors-walk.ts";

const at = async (t: TestContext, state: Parameters<typeof walked>[1]): Promise<Walk> =>
  walked(await debugProject(t, { git: false }), state);

describe("before the evidence a session", () => {
  test("does not go on with two hypotheses, nor with six", async (t) => {
    const { run, fails } = await at(t, "observing");
    const six = [...HYPOTHESES, ...HYPOTHESES.map((one) => ({ ...one, text: `${one.text}, too` }))];
    for (const hypotheses of [six.slice(0, 2), six])
      assert.equal((await fails("hypothesize", { hypotheses })).code, "INPUT_INVALID");
    assert.equal((await run("hypothesize", { hypotheses: six.slice(0, 3) })).step, 4);
  });

  test("refuses a later step with the number of its own and the command to type, and can be aborted", async (t) => {
    const { run, fails } = await at(t, "observing");
    const later = { probe: { hypothesis: "A", point: "x", lang: "javascript" }, fix: { summary: "x" } };
    for (const [command, input] of Object.entries({ ...later, judge: { verdicts: verdicts("#1") } })) {
      const { code, message, hint } = await fails(command, input);
      assert.equal(code, "DEBUG_STEP");
      assert.match(message, /The session is at step 2 of 11: hypotheses are to be listed/);
      assert.match(hint ?? "", new RegExp(`skillctl run runtime-debug hypothesize --session ${ID} `));
    }
    const { text } = await run("status");
    assert.match(
      text,
      new RegExp(`To abort at any time: skillctl run runtime-debug answer D --session ${ID}`),
    );
  });

  test("takes no probe for a hypothesis that is not listed", async (t) => {
    const { fails } = await at(t, "instrumenting");
    const { code, message } = await fails("probe", { hypothesis: "D", point: "x", lang: "javascript" });
    assert.equal(code, "DEBUG_PROBE_INVALID");
    assert.match(message, /no hypothesis D/);
  });

  test("names each hypothesis without a probe, one of another session not taken for its own", async (t) => {
    const { run, fails, replace } = await at(t, "instrumenting");
    await run("probe", { hypothesis: "A", point: "loop", data: ["sum"], apply: "total.js:4" });
    const { region } = await run("probe", { hypothesis: "B", point: "loop", lang: "javascript" });
    const foreign = (region as readonly string[]).join("\n").replaceAll(ID, "other-bug");
    await replace("  return sum;", `${foreign}\n  return sum;`);
    const error = await fails("check");
    assert.equal(error.code, "DEBUG_CHECK_FAILED");
    const { text } = error.result as { readonly text: string };
    assert.match(text, /Hypothesis B has no probe[^]*Hypothesis C has no probe/);
    assert.doesNotMatch(text, /Hypothesis A has no probe/);
  });
});
