/** The fix of a session and its confirmation, from the outside. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HYPOTHESES } from "./session-harness.ts";
import { BUG, FIX, PROBES, RECORD, event, verdicts, walkedTo } from "./doors-walk.ts";

const ONE_LINE = "export const twice = (n) => n * 3;\n";

describe("the fix of a session", () => {
  test("changes code, leaves the probes that verify it, and guides the user [debug.instrumentation.guidance]", async (t) => {
    const { run, fails, write, read, replace } = await walkedTo(t, "fixing");
    const error = await fails("fix", { summary: "nothing" });
    assert.equal(error.code, "DEBUG_STEP");
    assert.match(error.message, /nothing but probes has changed/);
    const probed = await read("total.js");
    await write("total.js", probed.replace(BUG, FIX).replaceAll(/^.*debug-point[^]*?#endregion.*\n/gm, ""));
    assert.equal((await fails("fix", { summary: "without probes" })).code, "DEBUG_CHECK_FAILED");
    await write("total.js", probed);
    await replace(BUG, FIX);
    const { run: named, state, text } = await run("fix", { summary: "The loop begins at 0." });
    assert.deepEqual([named, state], ["post-fix", "verifying"]);
    assert.match(text, /total\.js\n[^]*Steps for the user:\n {2}1\. Start the program again[^\n]*fix/);
    assert.match(
      text,
      /with the fix\?\n {2}A\) Followed as described[^]* {2}D\) Abort debugging\n[^]*end your turn/,
    );
    const early = await fails("verify");
    assert.equal(early.code, "DEBUG_STEP");
    assert.match(early.message, /no event has been collected in this run/);
  });

  test("waits for a lost probe, which can be set again while fixing", async (t) => {
    const { run, fails, post, replace, read, write } = await walkedTo(t, "fixing");
    await replace(BUG, FIX);
    const fixed = await read("total.js");
    await write("total.js", fixed.replace(/^.*#region debug-point B:loop[^]*?#endregion.*\n/m, ""));
    const { code, message, hint } = await fails("fix", { summary: "The loop begins at 0." });
    assert.deepEqual(
      [code, message.slice(0, 42)],
      ["DEBUG_CHECK_FAILED", "total.js: The probe B:loop is missing, so "],
    );
    assert.match(hint ?? "", /probe --session sum-is-wrong --hypothesis B --point loop --data/);
    const set = await run("probe", { hypothesis: "B", point: "again", data: ["sum"], apply: "total.js:2" });
    assert.equal(set.state, "fixing");
    assert.match(set.text, /fix "WHAT WAS CHANGED"/);
    assert.match((await fails("fix", { summary: "x" })).message, /B:loop is missing/);
    await run("probe", { hypothesis: "B", point: "loop", data: ["sum"], apply: "total.js:2" });
    await run("fix", { summary: "The loop begins at 0." });
    await post(event("B", { msg: "[DEBUG] again", location: "total.js:2" }));
    assert.equal((await run("verify")).state, "confirming");
  });

  test("is compared once the user has followed the steps again, whichever command says so", async (t) => {
    const { run, fails, post, read } = await walkedTo(t, "verifying");
    assert.equal((await fails("answer", { answer: "A" })).code, "DEBUG_STEP");
    assert.equal((await run("answer", { answer: "B", note: "it does not start" })).state, "verifying");
    assert.match(await read(RECORD), /Note: B\) Cannot follow them: it does not start/);
    await post(event("A", { data: { sum: 7 } }));
    const { text, question } = await run("answer", { answer: "C", note: "another total" });
    assert.match(text, /^C\) The behaviour differs: another total\n[^]*sum: 1 → 7[^]*Is the bug gone\?/);
    assert.equal(question?.text, "Is the bug gone?");
  });

  test("of a race is shown by the order of events, whose probes serve several hypotheses", async (t) => {
    const { run, fails, post, replace } = await walkedTo(t, "instrumenting");
    const probe = { data: ["sum"] };
    const from = [
      { ...probe, hypothesis: "A,B", point: "load", apply: "total.js:4" },
      { ...probe, hypothesis: "A,C", point: "save", apply: "total.js:2" },
    ];
    const unlisted = await fails("probe", { ...from[0], hypothesis: "A,P" });
    assert.equal(unlisted.message, "The session has no hypothesis P.");
    assert.equal((await run("probe", { from, check: true })).state, "reproducing");
    const load = event("A,B", { msg: "[DEBUG] load", location: "total.js:4" });
    const save = event("A,C", { msg: "[DEBUG] save", location: "total.js:2" });
    await post(save, load, load);
    await run("answer", { answer: "A" });
    const judged = ["A confirmed #1, #2: saved before it is loaded", "B rejected #2-3", "C rejected #1"];
    assert.equal((await run("judge", { verdicts: judged })).state, "fixing");
    await replace(BUG, FIX);
    await run("fix", { summary: "The loop begins at 0." });
    await post(load, save);
    const { text } = await run("verify");
    assert.match(text, /order before A,C:save → A,B:load ×2\norder after {2}A,B:load → A,C:save\n/);
    const { order } = await run("compare");
    assert.deepEqual(order.before, ["A,C:save", "A,B:load ×2"]);
  });

  test("that has not helped is judged by its own run, and the next one has another", async (t) => {
    const { run, fails, post, replace, read } = await walkedTo(t, "confirming");
    await run("answer", { answer: "B", note: "two are missing" });
    assert.match(await read(RECORD), /Still reproducible: two are missing/);
    const stale = await fails("judge", { verdicts: verdicts("#1") });
    assert.match(stale.message, /post-fix has no event that the verdict on A cites: #1\./);
    assert.match(
      stale.hint ?? "",
      /^If `answer B` was wrong, take it back: .*\nFor A these can be cited: #4\. /,
    );
    await run("judge", { verdicts: verdicts("#4") });
    await replace(FIX, "index = 2");
    const { run: named } = await run("fix", { summary: "Another beginning." });
    assert.equal(named, "post-fix-2");
    await post(event("A"));
    const { text } = await run("verify");
    assert.match(text, /before post-fix: 1 event\nafter {2}post-fix-2: 1 event\n/);
  });

  test("is reported by the check of a further round, which otherwise finds nothing", async (t) => {
    const { run } = await walkedTo(t, "confirming");
    await run("answer", { answer: "C" });
    await run("hypothesize", { hypotheses: HYPOTHESES });
    const { text } = await run("check");
    assert.match(text, /^3 probes in 1 file\. Apart from them, this file has changed: total\.js\. Events /);
  });

  test("that changes the line ends of a file is reported as such", async (t) => {
    const { run, read, write } = await walkedTo(t, "fixing");
    await write("total.js", (await read("total.js")).replace(BUG, FIX).replaceAll("\n", "\r\n"));
    const { text } = await run("fix", { summary: "The loop begins at 0." });
    assert.match(
      text,
      /To review: total\.js:1: 5 of 5 lines have a line ending that the file did not have before: "\\r\\n"\./,
    );
  });

  test("inside a region that replaces a line is not a fix, and the refusal names its place", async (t) => {
    const { run, fails, post, read, write } = await walkedTo(t, "instrumenting", { "twice.js": ONE_LINE });
    const inside = { hypothesis: "A", point: "inside", data: ["n"], apply: "twice.js:1" };
    await run("probe", { from: [inside, ...PROBES.slice(1)], check: true });
    await post(event("A"), event("B"), event("C"));
    await run("answer", { answer: "A" });
    await run("judge", { verdicts: verdicts("#1", "#2", "#3") });
    await write("twice.js", (await read("twice.js")).replace("return (n * 3)", "return (n * 2)"));
    const { message } = await fails("fix", { summary: "Twice is by 2." });
    assert.match(message, /^Only probes have changed\. twice\.js:1: .*after `instead of:`; apply a fix /);
    await write("twice.js", (await read("twice.js")).replace("=> n * 3", "=> n * 2"));
    assert.deepEqual((await run("fix", { summary: "Twice is by 2." })).files, ["twice.js"]);
  });

  test("is compared before the user is asked, and the record contains the confirmation", async (t) => {
    const { run, post, read } = await walkedTo(t, "verifying");
    await post(event("A", { data: { sum: 7 } }), event("A", { data: { sum: 7 } }));
    const { text } = await run("verify");
    assert.match(text, /before pre-fix: 3 events[^\n]*\nafter {2}post-fix: 2 events/);
    assert.match(text, /sum: 1 → 7/);
    assert.match(text, /not hit after/);
    assert.match(text, /Is the bug gone\?[^]*A\) Fixed[^]*D\) Abort debugging/);
    await run("answer", { answer: "A" });
    assert.match(await read(RECORD), /^- \*\*Status\*\*: \[FIXED\]$/m);
  });
});
