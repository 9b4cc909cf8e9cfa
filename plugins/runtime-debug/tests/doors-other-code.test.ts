/** Events that come while the code is not as a check has seen it, from the outside: they are kept, reported and never cited. */
import assert from "node:assert/strict";
import { rename, rm, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { BUG, event, FIX, ID, PROBES, verdict, verdicts, walkedTo, type Walk } from "./doors-walk.ts";

/** The server looks again after a tenth of a second, unless the machine is busy. */
const MOST_MS = 20_000;

const OF_ANOTHER = `// #region debug-point A:other
fetch("http://127.0.0.1:7777/event", { method: "POST", body: JSON.stringify({ sessionId: "lost-items" }) });
// #endregion
`;

/** Posts events of another session, which are no evidence, until the server has looked again and flags them, or no longer. @returns the number of the last one */
async function untilFlagged(walk: Walk, flagged: boolean, title = ""): Promise<number> {
  for (const late = performance.now() + MOST_MS; performance.now() < late;) {
    await walk.post(event("A", { sessionId: "lost-items" }));
    const { text } = await walk.run("logs", { session: ID, format: "ndjson", segment: "all" });
    const last = text.trim().split("\n").at(-1) ?? "";
    if (last.includes("other-code") === flagged) return Number(/"_seq":(\d+)/.exec(last)?.[1]);
  }
  return assert.fail(`${flagged ? "not flagged" : "still flagged"}: ${title}`);
}

describe("an event", () => {
  test("of code that was changed and changed back is reported, does not count and cannot be cited", async (t) => {
    const walk = await walkedTo(t, "reproducing");
    const { run, fails, replace, post } = walk;
    await replace(BUG, FIX);
    const other = (await untilFlagged(walk, true)) + 1;
    await post(event("A"));
    await replace(FIX, BUG);
    const refused = await fails("answer", { answer: "A" });
    assert.match(refused.message, /\d came while the code was not as `check` had seen it/);
    assert.match(refused.hint ?? "", /ask the user to reproduce the bug again/);
    const last = await untilFlagged(walk, false);
    await post(event("A"), event("B"), event("C"));
    await run("answer", { answer: "A" });
    assert.match((await run("logs", { session: ID })).text, new RegExp(`#${other} [^\\n]*\\(other-code\\)`));
    assert.match(
      (await run("logs", { session: ID, format: "summary" })).text,
      /3 events; \d others are not evidence/,
    );
    const { code, message } = await fails("judge", {
      verdicts: [verdict("A", "confirmed", `#${other}, #${last + 1}`)],
    });
    assert.equal(code, "DEBUG_CITATION");
    assert.match(message, new RegExp(`: #${other} came while the code was not as \`check\` had seen it\\.$`));
    const [a, b, c] = [1, 2, 3].map((step) => `#${last + step}`);
    assert.equal((await run("judge", { verdicts: verdicts(`${a}`, `${b}`, `${c}`) })).state, "fixing");
  });

  test("is flagged by the code at its arrival, and not by times or other sessions", async (t) => {
    const walk = await walkedTo(t, "reproducing");
    const { root, read, replace, run, write } = walk;
    const path = join(root, "total.js");
    const now = await read("total.js");
    const asChecked = async (): Promise<void> => {
      await rm(path, { force: true });
      await write("total.js", now);
    };
    const cases: readonly (readonly [string, () => Promise<unknown>, boolean])[] = [
      [
        "only its time differs",
        () => asChecked().then(() => utimes(path, new Date(), new Date(86_400_000))),
        false,
      ],
      ["a probe reports something else", () => write("total.js", now.replace("http:", "https:")), true],
      ["written again with the same bytes", () => write("total.js", now), false],
      ["its line ends differ", () => write("total.js", now.replaceAll("\n", "\r\n")), true],
      ["removed", () => rename(path, `${path}.moved`), true],
      ["back again", () => rename(`${path}.moved`, path), false],
      [
        "a link to the same text",
        () => rename(path, `${path}.moved`).then(() => symlink(`${path}.moved`, path)),
        true,
      ],
      [
        "the probe of another session",
        () => asChecked().then(() => write("total.js", OF_ANOTHER + now)),
        false,
      ],
      [
        "changed beside them, with its size and time as they were",
        async () => {
          const time = new Date(86_400_000);
          await write("total.js", `${now}\nlet more;\n`);
          await untilFlagged(walk, true);
          await write("total.js", now);
          await utimes(path, time, time);
          // So the server has read the file with this time.
          await untilFlagged(walk, false);
          await replace(BUG, FIX);
          await utimes(path, time, time);
        },
        true,
      ],
      ["undone", () => run("undo", { session: ID }), false],
    ];
    let before = false;
    for (const [title, change, flagged] of cases) {
      // The flag changes each time, which shows that the server has looked again.
      if (before === flagged) await (flagged ? asChecked() : write("total.js", `${now}\nlet more;\n`));
      await untilFlagged(walk, !flagged, `before: ${title}`);
      await change();
      await untilFlagged(walk, flagged, title);
      before = flagged;
    }
  });

  test("is flagged before the first check, and after further probes until the next one", async (t) => {
    const walk = await walkedTo(t, "instrumenting");
    await walk.run("probe", { from: PROBES });
    await untilFlagged(walk, true);
    await walk.run("check");
    await untilFlagged(walk, false);
    await walk.run("probe", { ...PROBES[0], point: "late" });
    await untilFlagged(walk, true);
    await walk.run("check");
    await untilFlagged(walk, false);
  });

  test("counts with the fix once it is accepted, with a change that the user keeps, and not for a fix taken back", async (t) => {
    const walk = await walkedTo(t, "fixing");
    const { replace, run } = walk;
    await replace(BUG, FIX);
    await untilFlagged(walk, true);
    await run("fix", { summary: "From 0." });
    await untilFlagged(walk, false);
    await replace(FIX, "index = 3");
    await untilFlagged(walk, true);
    await run("keep", { files: ["total.js"] });
    await untilFlagged(walk, false);
    const other = await walkedTo(t, "verifying");
    await other.run("back");
    await untilFlagged(other, true);
    await other.run("fix", { summary: "From 0." });
    await untilFlagged(other, false);
  });
});
