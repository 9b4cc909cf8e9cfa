/** The fix of a session and its confirmation, from the outside. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { debugProject } from "./session-harness.ts";
import { BUG, FIX, RECORD, event, verdicts, walked, type Walk } from "./doors-walk.ts";

const at = async (t: TestContext, state: Parameters<typeof walked>[1]): Promise<Walk> =>
  walked(await debugProject(t, { git: "none" }), state);

describe("the fix of a session", () => {
  test("changes code, leaves the probes that show whether it helps, and says what the user does [debug.instrumentation.guidance]", async (t) => {
    const { run, fails, write, read, replace } = await at(t, "fixing");
    const error = await fails("fix", { summary: "nothing" });
    assert.equal(error.code, "DEBUG_STEP");
    assert.match(error.message, /no code has been changed beside the probes/);
    const probed = await read("total.js");
    await write("total.js", probed.replace(BUG, FIX).replaceAll(/^.*debug-point[^]*?#endregion.*\n/gm, ""));
    assert.equal((await fails("fix", { summary: "without probes" })).code, "DEBUG_CHECK_FAILED");
    await write("total.js", probed);
    await replace(BUG, FIX);
    const { run: named, state, text } = await run("fix", { summary: "The loop begins at 0." });
    assert.deepEqual([named, state], ["post-fix", "verifying"]);
    assert.match(text, /total\.js\n[^]*What the user does now:\n {2}1\. Start the program again[^\n]*fix/);
    const early = await fails("verify");
    assert.equal(early.code, "DEBUG_STEP");
    assert.match(early.message, /no event has been collected in this run/);
  });

  test("that has not helped is judged by its own run, and the next one has another", async (t) => {
    const { run, fails, post, replace, read } = await at(t, "confirming");
    await run("answer", { answer: "B", note: "two are missing" });
    assert.match(await read(RECORD), /Still reproducible: two are missing/);
    const stale = await fails("judge", { verdicts: verdicts("#1") });
    assert.match(stale.message, /no event of post-fix: #1\./);
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
    assert.match(text, /before pre-fix: 3 events[^\n]*\nafter {2}post-fix-2: 1 event\n/);
  });

  test("is compared before the user is asked, and what is confirmed is told in the record", async (t) => {
    const { run, post, read } = await at(t, "verifying");
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
