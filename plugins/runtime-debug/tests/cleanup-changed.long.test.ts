/** What has happened to the project between the answer and the cleanup: it is seen and told. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { cleanupHarness, fixedAs, ID, RECORD, region, type CleanupHarness } from "./cleanup-harness.ts";
import { entryOf, placed } from "./session-harness.ts";
import { noGit } from "./worktree-harness.ts";

const MAIN = "let total = 0;\nshow(total);\n";
const FIXED = "let total = 1;\nshow(total);\n";

function own(session: string, hypothesis = "A"): string {
  const wish = { language: "javascript", session, hypothesis, point: "here", location: "main.js:1" } as const;
  const fallbackUrl = "http://127.0.0.1:7777/event";
  const data = [{ name: "total", expression: "total" }];
  return `${probeRegion({ ...wish, data, fallbackUrl }).join("\n")}\n`;
}

const PROBED = {
  probes: [{ hypothesis: "A", point: "here", language: "javascript", file: "main.js" }],
};

function fixed(text: string): object {
  return { ...PROBED, ...fixedAs({ "main.js": text }) };
}

async function noted(harness: CleanupHarness, input = {}): Promise<readonly string[]> {
  const { notes = [], text } = await harness.cleanup(input);
  for (const { sentence } of notes) assert.ok(text.includes(sentence), sentence);
  return notes.map(({ code, file = "" }) => `${code} ${file}`.trim());
}

test(
  "a stash before the cleanup leaves the session open, since the fix is not there",
  { skip: noGit },
  async (t) => {
    const harness = await cleanupHarness(t, {});
    await harness.write("main.js", MAIN);
    harness.git("add", "-A");
    harness.git("commit", "-qm", "main");
    await harness.run("start", { issue: "The sum is wrong again", session: "sum-again" });
    const entry = await entryOf(harness, "sum-again");
    await placed(harness, "cleaning", { ...entry, state: "cleaning", outcome: "fixed", ...fixed(FIXED) });
    await harness.write("main.js", own("sum-again") + FIXED);
    harness.git("stash", "-q");
    const session = "sum-again";
    assert.deepEqual(await harness.refused({ session }), ["fix-missing main.js:1"]);
    harness.git("stash", "pop", "-q");
    const done = await harness.cleanup({ session });
    assert.deepEqual([done.cleaned, done.fixed], [["main.js"], ["main.js"]]);
    assert.equal(await harness.read("main.js"), FIXED);
  },
);

test("a missing fix that is accepted does not keep the session open", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.answered("fixed", fixed(FIXED));
  assert.deepEqual(await harness.refused(), ["fix-missing main.js:1"]);
  assert.deepEqual((await harness.cleanup({ accept: ["main.js:1"] })).fixed, []);
});

test("an abort names code that went with its region", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.write("main.js", `${MAIN}${region("A:here", "//", "restart(everything);")}`);
  await harness.answered("aborted");
  assert.deepEqual(await noted(harness), ["more-than-report main.js"]);
  assert.equal(await harness.read("main.js"), MAIN);
});

for (const git of [true, false])
  test(
    `without the images of the code a session can be closed ${git ? "with" : "without"} git`,
    { skip: git && noGit },
    async (t) => {
      const harness = await cleanupHarness(t, { "new.js": MAIN }, { git });
      const before = await harness.read("total.js");
      await harness.write("total.js", own(ID) + (before ?? ""));
      await harness.write("new.js", own(ID) + MAIN);
      await harness.write("theirs.js", region("A:theirs") + MAIN);
      const { baseline } = await harness.answered("aborted", PROBED);
      await rm(dirname(baseline.images), { recursive: true });
      assert.deepEqual(await harness.refused(), ["no-image theirs.js:1"]);
      assert.equal(await harness.read("total.js"), before);
      assert.equal(await harness.read("new.js"), MAIN);
      assert.deepEqual(await noted(harness, { accept: ["theirs.js:1"] }), ["no-image"]);
      assert.equal(await harness.read("theirs.js"), MAIN);
      assert.ok(await harness.isForgotten());
    },
  );

test("places to accept that are not there are refused, and the hint asks for all in one call", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.write("main.js", region("A") + FIXED);
  await harness.answered("fixed");
  for (const accept of ["nofile.js:1", "main.js:99"])
    assert.equal((await harness.fails("cleanup", { accept: [accept] })).code, "USAGE", accept);
  assert.match((await harness.fails("cleanup")).hint ?? "", /all accepted places in one call/);
});

test("a report in a folder that is not there is refused before anything is removed", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.write("main.js", own(ID) + MAIN);
  await harness.answered("fixed");
  const error = await harness.fails("cleanup", { report: "no/such/page.md" });
  assert.deepEqual([error.code, /Make it first/.test(error.hint ?? "")], ["USAGE", true]);
  assert.equal(await harness.read("main.js"), own(ID) + MAIN);
});

test("the summary of an abort names no cause of hypotheses that were given up, and quotes no status", async (t) => {
  const harness = await cleanupHarness(t, {});
  const record = (await harness.read(RECORD)) ?? "";
  await harness.write(RECORD, `${record.replace("[OPEN]", "[FIXED]")}\n> - **Status**: [FIXED]\n`);
  await harness.answered("aborted", { cause: "Price and quantity are added" });
  const { summary = "" } = await harness.cleanup();
  assert.match(summary, /## Root cause\s+Not found/);
  assert.doesNotMatch(summary, /\[FIXED\]/);
});
