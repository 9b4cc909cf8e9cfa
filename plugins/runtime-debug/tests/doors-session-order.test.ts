/** The steps of a session, from the outside: none can be skipped, and a refusal names the next one. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { SessionEntry } from "../session/entry.ts";
import { HYPOTHESES, debugProject, placed } from "./session-harness.ts";
import { ID, verdicts, walkedTo } from "./doors-walk.ts";

describe("before the evidence a session", () => {
  test("does not continue with two hypotheses, nor with six [debug.hypotheses.three-to-five]", async (t) => {
    const { run, fails } = await walkedTo(t, "observing");
    const six = [...HYPOTHESES, ...HYPOTHESES.map((one) => ({ ...one, text: `${one.text}, too` }))];
    const bare = HYPOTHESES.map((one) => ({ ...one, refutedBy: undefined }));
    for (const hypotheses of [six.slice(0, 2), six, bare])
      assert.equal((await fails("hypothesize", { hypotheses })).code, "INPUT_INVALID");
    assert.equal((await run("hypothesize", { hypotheses: six.slice(0, 3) })).step, 4);
  });

  test("refuses a later step with the number of the current step and its command, and can be aborted", async (t) => {
    const { run, fails } = await walkedTo(t, "observing");
    for (const [command, input] of [
      ["probe", { hypothesis: "A", point: "x", lang: "javascript" }],
      ["fix", { summary: "x" }],
      ["judge", { verdicts: verdicts("#1") }],
    ] as const) {
      const { code, message, hint } = await fails(command, input);
      assert.equal(code, "DEBUG_STEP");
      assert.match(message, /The session is at step 2 of 11: hypotheses must be listed/);
      assert.match(hint ?? "", new RegExp(`skillctl run runtime-debug hypothesize --session ${ID} `));
    }
    const { text } = await run("status");
    assert.match(
      text,
      new RegExp(`To abort at any time: skillctl run runtime-debug answer D --session ${ID}`),
    );
  });

  test("treats hypotheses that differ only in case, spaces and punctuation as one", async (t) => {
    const { fails, run } = await walkedTo(t, "observing");
    const [first, second, third] = HYPOTHESES as [object, object, object];
    const again = { ...first, text: " the LOOP: skips the first item!" };
    const { code, message, hint } = await fails("hypothesize", { hypotheses: [first, second, again] });
    assert.equal(code, "INPUT_INVALID");
    assert.equal(message, 'Hypotheses 1 and 3 are the same: " the LOOP: skips the first item!".');
    assert.match(hint ?? "", /a different cause/);
    const signs = ["sum > 3", "sum < 3", "sum = 3"].map((text) => ({ ...third, text }));
    assert.equal((await run("hypothesize", { hypotheses: signs })).step, 4);
  });

  test("accepts observation points that are lines of files of the project", async (t) => {
    const { fails, run } = await walkedTo(t, "observing");
    for (const [observe, why] of [
      ["somewhere", "it names no line of a file"],
      ["total.js", "it names no line of a file"],
      ["gone.js:3", "There is no file gone.js"],
      ["total.js:6", "total.js has 5 lines"],
      ["total.js:2-6", "total.js has 5 lines"],
      ["total.js:4-2", "it ends before it begins"],
      ["../x.js:1", "There is no file ../x.js"],
    ] as const) {
      const hypotheses = HYPOTHESES.map((one, index) => (index === 1 ? { ...one, observe } : one));
      const error = await fails("hypothesize", { hypotheses });
      assert.equal(error.code, "INPUT_INVALID");
      assert.equal(error.message, `Hypothesis 2 cannot be observed at "${observe}": ${why}.`);
      assert.match(error.hint ?? "", /FILE:LINE or FILE:FROM-TO/);
    }
    const hypotheses = HYPOTHESES.map((one) => ({ ...one, observe: "total.js:2-5" }));
    assert.equal((await run("hypothesize", { hypotheses })).step, 4);
  });

  test("accepts its hypotheses as plain lines, and names a line that it cannot read", async (t) => {
    const { fails, run } = await walkedTo(t, "observing");
    const lines = [
      "The loop skips the first item | refuted by: the first item is logged | at total.js:3",
      "- An item is no number | refuted by: each is one | at total.js:3 | likelihood: high",
      "C) a || b is taken for a | b | refuted by: b is logged | at total.js:2-3 | effort: low",
    ];
    for (const [line, why] of [
      ["It is broken", "does not state what would refute it"],
      ["It is broken | refuted by: x", "does not state the place that shows it"],
      ["| refuted by: x | at total.js:3", "names no cause"],
      ["It is broken | somehow | at total.js:3", "has a part that does not begin with"],
      [
        "It is broken | refuted by: x | at total.js:3 | effort: huge",
        'has "huge" instead of high, medium or low',
      ],
    ] as const) {
      const { code, message, hint } = await fails("hypothesize", { hypotheses: [lines[0], line, lines[1]] });
      assert.equal(code, "INPUT_INVALID");
      assert.ok(message.startsWith(`Line 2 of the hypotheses ${why}`), message);
      assert.match(hint ?? "", /TEXT \| refuted by: WHAT LINES WOULD SHOW \| at FILE:LINE/);
    }
    const wrong = await fails("hypothesize", { hypotheses: lines });
    assert.match(wrong.message, /^Line 3 of the hypotheses has a part/);
    const right = [...lines.slice(0, 2), "C) a || b is taken | refuted by: b is logged | at total.js:2-3"];
    const { hypotheses } = await run("hypothesize", { hypotheses: right });
    assert.deepEqual(
      hypotheses.map(({ text, observe }) => [text, observe]),
      [
        ["The loop skips the first item", "total.js:3"],
        ["An item is no number", "total.js:3"],
        ["a || b is taken", "total.js:2-3"],
      ],
    );
  });

  test("accepts no probe for a hypothesis that is not listed", async (t) => {
    const { fails } = await walkedTo(t, "instrumenting");
    const { code, message } = await fails("probe", { hypothesis: "D", point: "x", lang: "javascript" });
    assert.equal(code, "DEBUG_PROBE_INVALID");
    assert.match(message, /no hypothesis D/);
  });

  test("names each hypothesis without a probe, and does not count probes of another session", async (t) => {
    const { run, fails, replace } = await walkedTo(t, "instrumenting");
    await run("probe", { hypothesis: "A", point: "loop", data: ["sum"], apply: "total.js:4" });
    const { region } = await run("probe", { hypothesis: "B", point: "loop", lang: "javascript" });
    const foreign = (region ?? []).join("\n").replaceAll(ID, "other-bug");
    await replace("  return sum;", `${foreign}\n  return sum;`);
    const error = await fails("check");
    assert.equal(error.code, "DEBUG_CHECK_FAILED");
    const { text } = error.result as { readonly text: string };
    assert.match(text, /Hypothesis B has no probe[^]*Hypothesis C has no probe/);
    assert.match(text, new RegExp(`Regions that name the session other-bug are not of ${ID}\\.`));
    assert.doesNotMatch(text, /Hypothesis A has no probe/);
  });
});

test("a session can be aborted in every state before its end, and the record says so [debug.gate.abort]", async (t) => {
  const project = await debugProject(t, { git: "none" });
  const states = "observing instrumenting reproducing judging fixing verifying confirming".split(" ");
  for (const state of states as readonly SessionEntry["state"][]) {
    const id = `${state}-bug`;
    await placed(project, state, { id });
    const { state: next, step } = await project.run("answer", { session: id, answer: "d", note: "no time" });
    assert.deepEqual([next, step], ["cleaning", 11]);
    const record = await readFile(join(project.root, `debug-${id}.md`), "utf8");
    assert.match(record, /\[ABORTED\][^]*Abort debugging: no time/);
  }
});
