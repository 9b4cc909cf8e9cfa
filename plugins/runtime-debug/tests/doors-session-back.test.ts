/** Steps that a session takes back: a wrong answer, verdict or fix can be corrected, and stays in the record. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HYPOTHESES, entryOf } from "./session-harness.ts";
import { BUG, FIX, ID, PROBES, RECORD, event, verdict, walkedTo } from "./doors-walk.ts";

const BACK = `skillctl run runtime-debug back ${ID}`;

describe("a session takes back", () => {
  test("a wrong answer: events that have come count again, and the record says both", async (t) => {
    const { run, fails, post, read } = await walkedTo(t, "reproducing");
    await post(event("A"), event("B"), event("C"));
    const wrong = await run("answer", { answer: "B", note: "it was not restarted" });
    assert.equal(wrong.state, "instrumenting");
    const refused = await fails("answer", { answer: "A" });
    assert.equal(refused.code, "DEBUG_STEP");
    assert.ok(refused.hint?.startsWith(`If \`answer B\` was wrong, take it back: ${BACK}\n`), refused.hint);
    assert.match((await run("status")).text, new RegExp(`If \`answer B\` was wrong, take it back: ${BACK}`));
    const { state, action, text } = await run("back");
    assert.deepEqual([state, action], ["reproducing", "answer B"]);
    assert.match(text, /^Taken back: answer B\. The record shows it\./);
    assert.match(
      await read(RECORD),
      /1\. B\) Cannot reproduce it: it was not restarted\n2\. Taken back: answer B/,
    );
    assert.equal((await run("answer", { answer: "A" })).state, "judging");
    await run("hypothesize", { hypotheses: HYPOTHESES });
    assert.match((await run("check")).text, /Events of the run pre-fix-3/);
  });

  test("a wrong verdict, which can then be given otherwise", async (t) => {
    const { run, fails } = await walkedTo(t, "fixing");
    const refused = await fails("judge", { verdicts: [verdict("A", "rejected", "#1")] });
    assert.match(refused.hint ?? "", /^If `judge` was wrong, take it back: /);
    assert.equal((await run("back")).state, "judging");
    const { text } = await run("judge", {
      verdicts: ["A rejected #1", "B confirmed #2: it is", "C rejected #3"],
    });
    assert.match(text, /^A rejected #1; B confirmed #2; /);
  });

  test("a fix that was declared too early, whose run never counts again", async (t) => {
    const { run, fails, post, replace } = await walkedTo(t, "verifying");
    await post(event("A"));
    assert.equal((await run("back")).state, "fixing");
    await post(event("B"));
    await replace(FIX, "index = 0, more = 0");
    const { run: named, files } = await run("fix", { summary: "The loop begins at 0, for all." });
    assert.deepEqual([named, files], ["post-fix-2", ["total.js"]]);
    const early = await fails("verify");
    assert.match(early.message, /no event has been collected in this run/);
    await post(event("A"));
    const { text } = await run("verify");
    assert.match(
      text,
      /before pre-fix: 3 events[^\n]*\nafter {2}post-fix-2: 1 event\nother runs in the log: post-fix\n/,
    );
  });

  test("a fix; after two fixes that did not help the third has its own run, whose comparison has none of their events", async (t) => {
    const { run, post, replace } = await walkedTo(t, "verifying");
    await run("back");
    const named: unknown[] = [];
    let code = FIX;
    for (const next of ["index = 2", "index = 3"]) {
      await replace(code, (code = next));
      named.push((await run("fix", { summary: next })).run);
      await post(event("A"));
      const { text } = await run("verify");
      assert.match(text, /before [^\n]*: [13] events?\nafter {2}post-fix-\d: 1 event\n/);
      await run("answer", { answer: "B" });
      await run("judge", { verdicts: [`A confirmed #${named.length + 3}`] });
    }
    assert.deepEqual(named, ["post-fix-2", "post-fix-3"]);
  });

  test("several steps in a row, back to the reproduction and no further", async (t) => {
    const walk = await walkedTo(t, "cleaning");
    const { run, fails, read, replace } = walk;
    assert.match(await read(RECORD), /\[FIXED\]/);
    const states: string[] = [];
    for (let step = 0; step < 5; step += 1) states.push((await run("back")).state);
    assert.deepEqual(states, ["confirming", "verifying", "fixing", "judging", "reproducing"]);
    assert.match(await read(RECORD), /\[OPEN\][^]*5\. Taken back: answer A/);
    const none = await fails("back");
    assert.deepEqual([none.code, none.message], ["DEBUG_STEP", "No step can be taken back."]);
    assert.match(none.hint ?? "", /^An answer, judge, fix or verify can be taken back until probes/);
    const { hypotheses, conclusion, accepted, fixes } = await entryOf(walk, ID);
    assert.deepEqual(
      [hypotheses.map((one) => one.verdict), conclusion, accepted, fixes],
      [["pending", "pending", "pending"], "", {}, []],
    );
    await replace(FIX, BUG);
    assert.equal((await run("answer", { answer: "A" })).state, "judging");
  });

  test("an abort, and no step before new probes or hypotheses", async (t) => {
    const { run, fails } = await walkedTo(t, "judging");
    await run("answer", { answer: "D" });
    assert.equal((await run("back")).state, "judging");
    await run("probe", { hypothesis: "A", point: "more", data: ["sum"], apply: "total.js:2" });
    assert.equal((await fails("back")).code, "DEBUG_STEP");
    assert.doesNotMatch((await run("status")).text, /take it back/);
  });
});

describe("further rounds", () => {
  test("after B begin the comparison with the run that the verdict cites, and a wrong B is taken back", async (t) => {
    const { run, post, replace, read } = await walkedTo(t, "confirming");
    await run("answer", { answer: "B" });
    assert.equal((await run("back")).state, "confirming");
    await run("answer", { answer: "B" });
    assert.match(
      await read(RECORD),
      /## Earlier Hypotheses[^]*\| A \| The loop skips the first item \| pre-fix \| Confirmed #1 \|/,
    );
    await run("judge", { verdicts: ["A confirmed #4"] });
    await replace(FIX, "index = 2");
    await run("fix", { summary: "Another beginning." });
    await post(event("A"), event("A"));
    const { text } = await run("verify");
    const told =
      /before post-fix: 1 event\nafter {2}post-fix-2: 2 events[^\n]*\nother runs in the log: pre-fix\n/;
    assert.match(text, told);
    assert.match((await run("compare")).text, told);
  });

  test("with other hypotheses are compared with the reproduction that shows them, and no run is said to be empty", async (t) => {
    const { run, post, replace } = await walkedTo(t, "confirming");
    await run("answer", { answer: "B" });
    const other = HYPOTHESES.map((one) => ({ ...one, text: `${one.text}, now` }));
    await run("hypothesize", { hypotheses: other });
    await run("probe", { from: PROBES.map((one, at) => ({ ...one, hypothesis: "DEF"[at] })), check: true });
    await post(event("D"), event("E"));
    await run("answer", { answer: "A" });
    await run("judge", { verdicts: ["E rejected #6", "F inconclusive none"] });
    const [earlier] = (await run("compare", { before: "pre-fix" })).text.split("\n");
    assert.equal(earlier, "No event of the run pre-fix is evidence for a hypothesis that is listed now.");
    await run("judge", { verdicts: ["D confirmed #5"] });
    await replace(FIX, "index = 2");
    await run("fix", { summary: "Another beginning." });
    await post(event("D", { data: { sum: 7 } }));
    const { text } = await run("verify");
    assert.match(text, /before pre-fix-2: 2 events\nafter {2}post-fix-2: 1 event\n/);
    assert.doesNotMatch(text, /No evidence/);
  });

  test("need one new hypothesis only, however they begin", async (t) => {
    const [first] = HYPOTHESES;
    const next = { hypotheses: [{ ...first, text: "The list is not whole" }] };
    const { run, fails } = await walkedTo(t, "judging");
    assert.equal((await fails("hypothesize", next)).code, "INPUT_INVALID");
    await run("judge", { verdicts: ["A rejected #1", "B rejected #2", "C rejected #3"] });
    const { hypotheses, state } = await run("hypothesize", next);
    assert.deepEqual([hypotheses.map(({ id }) => id), state], [["D"], "instrumenting"]);
    for (const [to, letter] of [
      ["confirming", "B"],
      ["confirming", "C"],
      ["reproducing", "C"],
    ] as const) {
      const walk = await walkedTo(t, to);
      await walk.run("answer", { answer: letter });
      assert.equal((await walk.run("hypothesize", next)).state, "instrumenting", letter);
    }
  });

  test("with further probes are compared with the run whose lines have confirmed the cause", async (t) => {
    const { run, post, replace } = await walkedTo(t, "judging");
    await run("judge", { verdicts: ["A confirmed #1"] });
    await run("probe", { from: [{ ...PROBES[1], point: "more" }], check: true });
    await post(event("B"), event("C"));
    await run("answer", { answer: "A" });
    await run("judge", { verdicts: ["B rejected #4", "C rejected #5"] });
    await replace(BUG, FIX);
    await run("fix", { summary: "The loop begins at 0." });
    await post(event("A"));
    assert.match((await run("verify")).text, /before pre-fix: 3 events\nafter {2}post-fix: 1 event\n/);
  });

  test("after C keep the earlier hypotheses and verdicts, in the record and on the final page", async (t) => {
    const { run, read, stop } = await walkedTo(t, "confirming");
    await run("answer", { answer: "C", note: "now the first is counted twice" });
    const other = HYPOTHESES.map((one) => ({ ...one, text: `${one.text}, now` }));
    await run("hypothesize", { hypotheses: other });
    const record = await read(RECORD);
    assert.match(record, /\| D \| The loop skips the first item, now \|[^]*Pending \|/);
    assert.match(record, /- D is seen at total\.js:3, refuted by: the log shows otherwise/);
    assert.match(record, /\| A \| The loop skips the first item \| pre-fix \| Confirmed #1 \|/);
    assert.match(record, /\| B \| An item is no number \| pre-fix \| Rejected #2 \|/);
    await run("answer", { answer: "D" });
    await stop();
    await run("cleanup", { report: "page.md" });
    const text = await read("page.md");
    assert.match(
      text,
      /## Hypotheses of earlier rounds\n\n- A \(confirmed #1\): The loop skips[^\n]*\(pre-fix\)/,
    );
    assert.match(text, /A: #1 [^\n]*pre-fix A total\.js:3/);
  });
});
