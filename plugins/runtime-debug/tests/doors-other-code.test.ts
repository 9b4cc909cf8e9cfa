/** Events that come while the code is not as a check has seen it, from the outside: they are kept, told and never cited. */
import assert from "node:assert/strict";
import { rename, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "node:test";
import { BUG, event, FIX, ID, PROBES, verdict, verdicts, walkedTo, type Walk } from "./doors-walk.ts";

/** The server looks again after this time at the latest, in milliseconds. */
const LOOK_MS = 120;

const OF_ANOTHER = `// #region debug-point A:other
fetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sessionId: "lost-items" }) });
// #endregion
`;

/** Posts an event for A, after a time in which the server looks again, and answers whether it was flagged. */
async function isFlagged(walk: Walk, more: object = {}): Promise<boolean> {
  await sleep(LOOK_MS);
  await walk.post(event("A", more));
  const { text } = await walk.run("logs", { session: ID, format: "ndjson", segment: "all" });
  return text.trim().split("\n").at(-1)?.includes("other-code") === true;
}

describe("an event", () => {
  test("of code that was changed and changed back is told, counts for nothing and cannot be cited", async (t) => {
    const walk = await walkedTo(t, "reproducing");
    const { run, fails, replace, post } = walk;
    await replace(BUG, FIX);
    assert.equal(await isFlagged(walk), true);
    await replace(FIX, BUG);
    const refused = await fails("answer", { answer: "A" });
    assert.match(refused.message, /1 came while the code was not as `check` had seen it\./);
    assert.match(refused.hint ?? "", /have the user go the same way once more/);
    await sleep(LOOK_MS);
    await post(event("A"), event("B"), event("C"));
    await run("answer", { answer: "A" });
    assert.match((await run("logs", { session: ID })).text, /#1 [^\n]*\(other-code\)/);
    assert.match(
      (await run("logs", { session: ID, format: "summary" })).text,
      /3 events; 1 other is no evidence/,
    );
    const { code, message } = await fails("judge", { verdicts: [verdict("A", "confirmed", "#1-2")] });
    assert.equal(code, "DEBUG_CITATION");
    assert.match(message, /: #1 came while the code was not as `check` had seen it\.$/);
    assert.equal((await run("judge", { verdicts: verdicts("#2", "#3", "#4") })).state, "fixing");
  });

  test("is flagged by what the code is when it comes, and not by times or other sessions", async (t) => {
    const walk = await walkedTo(t, "reproducing");
    const { root, read, replace, run, write } = walk;
    const path = join(root, "total.js");
    const now = await read("total.js");
    const cases: readonly (readonly [string, () => Promise<unknown>, boolean])[] = [
      ["as checked", () => Promise.resolve(), false],
      ["only its time differs", () => utimes(path, new Date(), new Date(86_400_000)), false],
      ["written again with the same bytes", () => write("total.js", now), false],
      ["a probe reports something else", () => write("total.js", now.replace("http:", "https:")), true],
      ["its line ends differ", () => write("total.js", now.replaceAll("\n", "\r\n")), true],
      ["as checked again", () => write("total.js", now), false],
      ["removed", () => rename(path, `${path}.moved`), true],
      ["a link to the same text", () => symlink(`${path}.moved`, path), true],
      ["back again", () => rename(`${path}.moved`, path), false],
      ["the probe of another session", () => write("total.js", OF_ANOTHER + now), false],
      ["changed beside them", () => replace(BUG, FIX), true],
      ["undone", () => run("undo", { session: ID }), false],
    ];
    for (const [title, change, flagged] of cases) {
      await change();
      assert.equal(await isFlagged(walk), flagged, title);
    }
  });

  test("is flagged before the first check, and after further probes until the next one", async (t) => {
    const walk = await walkedTo(t, "instrumenting");
    await walk.run("probe", { from: PROBES });
    assert.equal(await isFlagged(walk), true);
    await walk.run("check");
    assert.equal(await isFlagged(walk), false);
    await walk.run("probe", { ...PROBES[0], point: "late" });
    assert.equal(await isFlagged(walk), true);
    await walk.run("check");
    assert.equal(await isFlagged(walk), false);
  });

  test("counts with the fix once it is accepted, with a change that the user keeps, and not for a fix taken back", async (t) => {
    const walk = await walkedTo(t, "fixing");
    const { replace, run } = walk;
    await replace(BUG, FIX);
    assert.equal(await isFlagged(walk), true);
    await run("fix", { summary: "From 0." });
    assert.equal(await isFlagged(walk), false);
    await replace(FIX, "index = 3");
    assert.equal(await isFlagged(walk), true);
    await run("keep", { files: ["total.js"] });
    assert.equal(await isFlagged(walk), false);
    const other = await walkedTo(t, "verifying");
    await other.run("back");
    assert.equal(await isFlagged(other), true);
    await other.run("fix", { summary: "From 0." });
    assert.equal(await isFlagged(other), false);
  });
});
