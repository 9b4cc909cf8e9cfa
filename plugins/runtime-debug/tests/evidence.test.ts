/** What citations find in the log of a session, read from its files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Evidence } from "../session/evidence.ts";
import { debugProject, placed } from "./session-harness.ts";

const ID = "sum-is-wrong";

test("events are counted by run, and citations looked up in the run under judgement only [debug.phases.citations]", async (t) => {
  const project = await debugProject(t, { git: "none" });
  const entry = await placed(project, "judging", { signs: ["loop", "total*"] });
  const opened = { root: project.root, entry };
  const { journals, files } = project.host.host.ports;
  const evidence = new Evidence(journals, files);
  const none = { session: 0, hypothesis: 0, region: 0 };
  assert.deepEqual(await evidence.count(opened, "pre-fix"), { evidence: 0, others: none });
  assert.deepEqual((await evidence.lines(opened, [{ from: 1, to: 1 }], "A")).missing, [{ from: 1, to: 1 }]);

  const { post, info } = await project.collect(ID);
  await post(
    ...Array.from({ length: 60 }, (_, index) => ({ hypothesisId: "A", msg: "loop", data: { index } })),
  );
  await post({ runId: "doctor" }, { runId: "pre", hypothesisId: "B,A", msg: `total ${"x".repeat(2_000)}` });
  await fetch(`${info.base_url}/logs`, { method: "DELETE" });
  await post({ hypothesisId: "A", location: "loop" }, { hypothesisId: "A", msg: "another" });

  const counts = { evidence: 62, others: { ...none, region: 1 } };
  assert.deepEqual(await evidence.count(opened, "pre-fix"), counts);
  assert.deepEqual(await evidence.count(opened, "post-fix"), { evidence: 0, others: none });
  assert.deepEqual(await evidence.linesOf(opened, "A"), ["#1-60", "#62-63"]);
  assert.deepEqual(await evidence.linesOf(opened, "B"), ["#62"]);
  const cited = [
    { from: 2, to: 3 },
    { from: 62, to: 64 },
  ];
  const few = await evidence.lines(opened, cited, "A");
  assert.deepEqual(few.missing, []);
  assert.deepEqual(few.unfit, ["#64 comes from no region that `check` has seen"]);
  assert.deepEqual(
    few.texts.map((text) => text.split(" ")[0]),
    ["#2", "#3", "#62", "#63"],
  );
  assert.ok(few.texts.every((text) => text.length < 420));
  assert.deepEqual((await evidence.lines(opened, cited, "B")).unfit, [
    "#2 was reported for A",
    "#3 was reported for A",
    "#63 was reported for A",
    "#64 comes from no region that `check` has seen",
  ]);

  const many = await evidence.lines(
    opened,
    [
      { from: 1, to: 60 },
      { from: 60, to: 62 },
      { from: 63, to: 70 },
      { from: 900, to: 900 },
    ],
    "A",
  );
  assert.deepEqual(many.missing, [
    { from: 61, to: 61 },
    { from: 65, to: 70 },
    { from: 900, to: 900 },
  ]);
  assert.equal(many.texts.length, 40);
});
