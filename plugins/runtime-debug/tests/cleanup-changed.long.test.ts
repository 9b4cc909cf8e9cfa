/** What has happened to the project between the answer and the cleanup: it is seen and told. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { cleanupHouse, ID, RECORD, region, type CleanupHouse } from "./cleanup-harness.ts";
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

function fixedAs(text: string): object {
  const hash = createHash("sha256").update(text).digest("hex");
  return {
    ...PROBED,
    fixes: [{ summary: "Begin at 1", files: ["main.js"] }],
    accepted: { "main.js": hash },
  };
}

async function noted(house: CleanupHouse, input = {}): Promise<readonly string[]> {
  const { notes = [], text } = await house.cleanup(input);
  for (const { sentence } of notes) assert.ok(text.includes(sentence), sentence);
  return notes.map(({ code, file = "" }) => `${code} ${file}`.trim());
}

test("probes of a parallel session stay, and are no fix of this one", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN, "both.js": MAIN });
  await house.run("start", { issue: "Another bug", session: "other-bug" });
  await house.write("main.js", own("other-bug") + MAIN);
  await house.write("both.js", own("other-bug", "B") + own(ID) + MAIN);
  const other = await entryOf(house, "other-bug");
  await placed(house, "instrumenting", { ...other, state: "instrumenting" });
  await house.answered("aborted");
  const { cleaned, fixed } = await house.cleanup({ session: ID });
  assert.deepEqual([cleaned, fixed], [["both.js"], []]);
  assert.equal(await house.read("main.js"), own("other-bug") + MAIN);
  assert.equal(await house.read("both.js"), own("other-bug", "B") + MAIN);
  await placed(house, "cleaning", { ...other, state: "cleaning", outcome: "aborted" });
  await house.cleanup();
  assert.equal(await house.read("main.js"), MAIN);
  assert.equal(await house.read("both.js"), MAIN);
});

test(
  "a stash before the cleanup leaves the session open, since the fix is not there",
  { skip: noGit },
  async (t) => {
    const house = await cleanupHouse(t, {});
    await house.write("main.js", MAIN);
    house.git("add", "-A");
    house.git("commit", "-qm", "main");
    await house.run("start", { issue: "The sum is wrong again", session: "sum-again" });
    const entry = await entryOf(house, "sum-again");
    await placed(house, "cleaning", { ...entry, state: "cleaning", outcome: "fixed", ...fixedAs(FIXED) });
    await house.write("main.js", own("sum-again") + FIXED);
    house.git("stash", "-q");
    const session = "sum-again";
    assert.deepEqual(await house.refused({ session }), ["fix-missing main.js:1"]);
    house.git("stash", "pop", "-q");
    const { cleaned, fixed } = await house.cleanup({ session });
    assert.deepEqual([cleaned, fixed], [["main.js"], ["main.js"]]);
    assert.equal(await house.read("main.js"), FIXED);
  },
);

test("a missing fix that is accepted does not keep the session open", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  await house.answered("fixed", fixedAs(FIXED));
  assert.deepEqual(await house.refused(), ["fix-missing main.js:1"]);
  assert.deepEqual((await house.cleanup({ accept: ["main.js:1"] })).fixed, []);
});

test("what has changed after the fix was accepted is told at the cleanup", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  await house.write("main.js", `${own(ID)}${FIXED}process.exit(3);\n`);
  await house.write("junk.js", "junk();\n");
  await house.answered("fixed", fixedAs(FIXED));
  assert.deepEqual(await noted(house), ["changed-after-fix main.js", "changed-after-fix junk.js"]);
});

test(
  "probes that git has staged or committed are told, not only those of the files",
  { skip: noGit },
  async (t) => {
    const house = await cleanupHouse(t, { "main.js": MAIN });
    await house.write("main.js", own(ID) + FIXED);
    house.git("add", "-A");
    await house.answered("fixed", fixedAs(FIXED));
    assert.deepEqual(await noted(house), ["probes-staged main.js"]);
    const second = await cleanupHouse(t, { "main.js": MAIN });
    await second.write("main.js", own(ID) + FIXED);
    second.git("add", "-A");
    second.git("commit", "-qm", "with probes");
    await second.answered("fixed", fixedAs(FIXED));
    assert.deepEqual(await noted(second), ["probes-staged main.js", "probes-committed main.js"]);
    const clean = await cleanupHouse(t, { "main.js": MAIN });
    await clean.write("main.js", own(ID) + FIXED);
    await clean.answered("fixed", fixedAs(FIXED));
    assert.deepEqual(await noted(clean), []);
  },
);

test("an abort names code that went with its region, and files that somebody has removed", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN, "gone.js": MAIN });
  await house.write("main.js", `${MAIN}${region("A:here", "//", "restart(everything);")}`);
  await rm(join(house.root, "gone.js"));
  await house.answered("aborted");
  assert.deepEqual(await noted(house), ["production-code main.js", "file-removed gone.js"]);
  assert.equal(await house.read("main.js"), MAIN);
});

for (const git of [true, false])
  test(
    `without the images of the code a session can be closed ${git ? "with" : "without"} git`,
    { skip: git && noGit },
    async (t) => {
      const house = await cleanupHouse(t, { "new.js": MAIN }, { git });
      const before = await house.read("total.js");
      await house.write("total.js", own(ID) + (before ?? ""));
      await house.write("new.js", own(ID) + MAIN);
      await house.write("theirs.js", region("A:theirs") + MAIN);
      const { baseline } = await house.answered("aborted", PROBED);
      await rm(dirname(baseline.images), { recursive: true });
      assert.deepEqual(await house.refused(), ["no-image theirs.js:1"]);
      assert.equal(await house.read("total.js"), before);
      assert.equal(await house.read("new.js"), MAIN);
      assert.deepEqual(await noted(house, { accept: ["theirs.js:1"] }), ["no-image"]);
      assert.equal(await house.read("theirs.js"), MAIN);
      assert.ok(await house.isForgotten());
    },
  );

test("places to accept that are not there are refused, and the hint asks for all in one call", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  await house.write("main.js", region("A", "//", "restart();") + MAIN);
  await house.answered("fixed");
  for (const accept of ["nofile.js:1", "main.js:99"])
    assert.equal((await house.fails("cleanup", { accept: [accept] })).code, "USAGE", accept);
  assert.match((await house.fails("cleanup")).hint ?? "", /all accepted places in one call/);
});

test("a report in a folder that is not there is refused before anything is removed", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  await house.write("main.js", own(ID) + MAIN);
  await house.answered("fixed");
  const error = await house.fails("cleanup", { report: "no/such/page.md" });
  assert.deepEqual([error.code, /Make it first/.test(error.hint ?? "")], ["USAGE", true]);
  assert.equal(await house.read("main.js"), own(ID) + MAIN);
});

test("the summary of an abort names no cause of hypotheses that were given up, and quotes no status", async (t) => {
  const house = await cleanupHouse(t, {});
  const record = (await house.read(RECORD)) ?? "";
  await house.write(RECORD, `${record.replace("[OPEN]", "[FIXED]")}\n> - **Status**: [FIXED]\n`);
  await house.answered("aborted", { cause: "Price and quantity are added" });
  const { summary = "" } = await house.cleanup();
  assert.match(summary, /## Root cause\s+Not found/);
  assert.doesNotMatch(summary, /\[FIXED\]/);
});
