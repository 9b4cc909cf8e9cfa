/** Evidence and judgement of a session, from the outside: only events of the run under way count. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HYPOTHESES } from "./session-harness.ts";
import { PROBES, event, verdict, verdicts, walkedTo } from "./doors-walk.ts";

describe("the evidence of a session", () => {
  test("is an event of the current run: without one the reproduction does not count as done", async (t) => {
    const { run, fails, post } = await walkedTo(t, "reproducing");
    assert.equal((await fails("answer", { answer: "A" })).code, "DEBUG_STEP");
    await post(event("A", { runId: "pre-fix-9" }));
    const { code, message, hint } = await fails("answer", { answer: "A" });
    assert.equal(code, "DEBUG_STEP");
    assert.match(message, /no event has been collected in this run/);
    assert.match(hint ?? "", /Only events of the run pre-fix count/);
    await post(event("A"));
    assert.equal((await run("answer", { answer: "A" })).step, 7);
  });

  test("is collected again for further probes: earlier events no longer count", async (t) => {
    const { run, fails, post } = await walkedTo(t, "reproducing");
    const more = (point: string) => run("probe", { from: [{ ...PROBES[0], point }], check: true });
    assert.match((await more("early")).text, /Events of the run pre-fix are/);
    await post(event("A"));
    assert.match((await more("late")).text, /Events of the run pre-fix-2 are/);
    assert.match((await fails("answer", { answer: "A" })).message, /no event has been collected in this run/);
    await post(event("A"), event("B"));
    const { text } = await run("answer", { answer: "A" });
    assert.match(text, /#2 [^\n]*\n#3 /);
    assert.doesNotMatch(text, /#1 /);
  });

  test("is cited line by line; a missing line and a line of another run are refused [debug.phases.citations]", async (t) => {
    const { run, fails, post } = await walkedTo(t, "judging");
    await post(event("A", { runId: "pre-fix-9" }));
    for (const [lines, missing] of [
      ["#4", "#4"],
      ["#2-9", "#4-9"],
      ["#77", "#77"],
    ] as const) {
      const { code, message } = await fails("judge", { verdicts: [verdict("A", "confirmed", lines)] });
      assert.equal(code, "DEBUG_CITATION");
      assert.match(
        message,
        new RegExp(`^The run pre-fix has no event that the verdict on A cites: ${missing}\\.`),
      );
    }
    await run("judge", { verdicts: [verdict("A", "confirmed", "#1")] });
  });

  test("is not cited for another hypothesis, and the lines of its own are named", async (t) => {
    const { fails, run } = await walkedTo(t, "judging");
    for (const [hypothesis, lines, told] of [
      ["A", "#2", "#2 was reported for B"],
      ["A", "#1-3", "#2 was reported for B; #3 was reported for C"],
      ["C", "#1", "#1 was reported for A"],
    ] as const) {
      const { code, message, hint } = await fails("judge", {
        verdicts: [verdict(hypothesis, "rejected", lines)],
      });
      assert.equal(code, "DEBUG_CITATION");
      assert.equal(
        message,
        `The verdict on ${hypothesis} cites lines that are not evidence for it: ${told}.`,
      );
      assert.match(
        hint ?? "",
        new RegExp(`^For ${hypothesis} these can be cited: #${hypothesis === "A" ? 1 : 3}\\. `),
      );
      assert.match(hint ?? "", /An order of events .* each point names [AC]: .* --hypothesis A,B\.$/);
    }
    const order = await fails("judge", { verdicts: ["A confirmed #1 before #2: too early"] });
    assert.match(order.hint ?? "", /To cite an order of events, .*: A confirmed #4, #7: /);
    const none = await fails("judge", { verdicts: [verdict("A", "inconclusive", "none")] });
    assert.match(none.message, /^The verdict on A must cite lines, since lines of the run name it\.$/);
    assert.equal((await run("judge", { verdicts: verdicts("#1", "#2", "#3") })).state, "fixing");
  });

  test("is not needed for a hypothesis that no line names, which can only be inconclusive", async (t) => {
    const { run, fails, post } = await walkedTo(t, "reproducing");
    await post(event("A"), event("A,B"));
    await run("answer", { answer: "A" });
    const silent = await fails("judge", { verdicts: ["C rejected none: it is silent"] });
    assert.equal(silent.code, "DEBUG_CITATION");
    assert.match(silent.message, /^Without a line, C is inconclusive/);
    const wrong = await fails("judge", { verdicts: [verdict("C", "rejected", "#1")] });
    assert.match(wrong.hint ?? "", /^No line of pre-fix can be cited for C: say it is inconclusive/);
    const { state, text } = await run("judge", { verdicts: verdicts("#1-2", "#2", "none") });
    assert.equal(state, "fixing");
    assert.match(text, /A confirmed #1-2; B rejected #2; C inconclusive$/m);
  });

  test("names this session and a listed hypothesis, and comes from a region that the check has seen", async (t) => {
    const { run, fails, post } = await walkedTo(t, "reproducing");
    await post(
      event("A", { sessionId: "other-bug" }),
      event("H1"),
      { msg: "[DEBUG] loop" },
      event("A", { msg: "[DEBUG] elsewhere", location: "other.js:1" }),
    );
    const { code, message, hint } = await fails("answer", { answer: "A" });
    assert.equal(code, "DEBUG_STEP");
    assert.match(message, /4 events have been collected in this run, and none is evidence/);
    assert.match(
      message,
      /: 1 names another session, 2 name no hypothesis that is listed, 1 comes from no region that `check` has seen\. The session is at step 6 of 11/,
    );
    assert.match(hint ?? "", /names the session sum-is-wrong, one of the hypotheses A, B, C/);
    assert.match((await run("status")).text, /Run: pre-fix, 0 events, and 4 others that are not evidence/);
    await post(event("A", { location: undefined }), event("B", { msg: "x", location: "total.js:4" }));
    await run("answer", { answer: "A" });
    const cited = await fails("judge", { verdicts: [verdict("A", "confirmed", "#4-5")] });
    assert.match(cited.message, /not evidence for it: #4 comes from no region that `check` has seen\.$/);
    await run("judge", { verdicts: [verdict("A", "confirmed", "#5"), verdict("B", "rejected", "#6")] });
  });

  test("is the only thing compared for a hypothesis; other events are listed as rows of other", async (t) => {
    const { run, post } = await walkedTo(t, "verifying");
    const elsewhere = { msg: "[DEBUG] elsewhere", location: "other.js:1" };
    await post(event("A", { data: { sum: 7 } }), event("A", elsewhere), event("H1"), event("B", elsewhere));
    const { events, other, hypotheses, probes } = await run("compare");
    assert.deepEqual(
      [events, other],
      [
        { before: 3, after: 1 },
        { before: 0, after: 3 },
      ],
    );
    assert.deepEqual(
      hypotheses.map(({ id, after }) => `${id} ${after}`),
      ["A 1", "B 0", "C 0"],
    );
    assert.deepEqual(
      probes.map(({ hypothesis, probe, after }) => [hypothesis, probe, after]),
      [
        ["B", "loop", 0],
        ["C", "loop", 0],
        ["A", "loop", 1],
        ["other", "other.js:1", 2],
        ["other", "total.js:3", 1],
      ],
    );
    const { text } = await run("verify");
    assert.match(text, /\nafter {2}post-fix: 1 event, and 3 others that are not evidence\n/);
    assert.match(text, /\nother {2}other\.js:1 +0 +2 {2}not hit before\n/);
  });

  test("comes from instrumentation of both public formats too, whatever its language and quotes", async (t) => {
    const bare = { "a.py": "x = 1\n", "b.js": "x();\n", "c.sh": "true\n" };
    const { run, fails, post, write } = await walkedTo(t, "instrumenting", bare);
    await write(
      "a.py",
      `# #region debug-point A:token
post({"sessionId": "sum-is-wrong", "hypothesisId": "A", "location": "a.py:main", "msg": "[DEBUG] token"})
# #endregion
${bare["a.py"]}`,
    );
    await write(
      "b.js",
      `// #region agent log
fetch('http://127.0.0.1:7777/ingest/x',{method:'POST',body:JSON.stringify({message:\`can't load \${name}\`,hypothesisId:'B'})}).catch(()=>{});
// #endregion
${bare["b.js"]}`,
    );
    await write(
      "c.sh",
      String.raw`# #region debug-point C:size
curl -s -d "{\"hypothesisId\":\"C\",\"msg\":\"size of $1\"}" http://127.0.0.1:7777/event
# #endregion
${bare["c.sh"]}`,
    );
    await run("check");
    await post(
      { hypothesisId: "A", location: "a.py:main" },
      { hypothesisId: "B", message: "can't load the page" },
      { hypothesisId: "C", msg: "size of 12" },
      { hypothesisId: "C", msg: "weight of 12" },
    );
    await run("answer", { answer: "A" });
    assert.match((await run("status")).text, /Run: pre-fix, 3 events, and 1 other that is not evidence/);
    const { message } = await fails("judge", { verdicts: verdicts("#1", "#2", "#3-4") });
    assert.match(message, /#4 comes from no region/);
    assert.equal((await run("judge", { verdicts: verdicts("#1", "#2", "#3") })).state, "fixing");
  });

  test("opens the fix only when every hypothesis is judged and one is confirmed", async (t) => {
    const { run, fails } = await walkedTo(t, "judging");
    assert.equal((await run("judge", { verdicts: [verdict("A", "confirmed", "#1")] })).state, "judging");
    const none = ["A", "B", "C"].map((letter, index) => verdict(letter, "rejected", `#${index + 1}`));
    assert.equal((await run("judge", { verdicts: none })).state, "judging");
    assert.equal((await fails("fix", { summary: "x" })).code, "DEBUG_STEP");
    assert.equal((await run("judge", { verdicts: [verdict("B", "confirmed", "#2")] })).state, "fixing");
  });

  test("collected before further probes opens no judgement, and new hypotheses get new letters", async (t) => {
    const { run, fails } = await walkedTo(t, "judging");
    const other = HYPOTHESES.map((one) => ({ ...one, text: `${one.text}, or not` }));
    const { hypotheses } = await run("hypothesize", { hypotheses: other });
    assert.deepEqual(
      hypotheses.map(({ id }) => id),
      ["D", "E", "F"],
    );
    for (const hypothesis of ["D", "E", "F"])
      await run("probe", { hypothesis, point: "loop", data: ["sum"], apply: "total.js:4" });
    await run("check");
    assert.equal((await fails("answer", { answer: "A" })).code, "DEBUG_STEP");
  });

  test("collected before further probes for the same hypotheses does not count after them", async (t) => {
    const { run, fails, post } = await walkedTo(t, "judging");
    await run("probe", { hypothesis: "A", point: "more", data: ["sum"], apply: "total.js:2" });
    assert.match((await run("check")).text, /Events of the run pre-fix-2/);
    const { message } = await fails("answer", { answer: "A" });
    assert.match(message, /no event has been collected in this run/);
    await post(event("A", { msg: "[DEBUG] more" }));
    assert.equal((await run("answer", { answer: "A" })).state, "judging");
  });
});
