/** What citations find in the log of a session, read from its files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Evidence } from "../session/evidence.ts";
import { debugProject, placed } from "./session-harness.ts";

const ID = "sum-is-wrong";

test("events are counted by run, and citations looked up in the run under judgement only [debug.phases.citations]", async (t) => {
  const project = await debugProject(t, { git: false });
  const opened = { root: project.root, entry: await placed(project, "judging") };
  const { journals, files } = project.host.host.ports;
  const evidence = new Evidence(journals, files);
  assert.equal(await evidence.count(opened, "pre-fix"), 0);
  assert.deepEqual((await evidence.lines(opened, [{ from: 1, to: 1 }])).missing, [{ from: 1, to: 1 }]);

  const { post, info } = await project.collect(ID);
  await post(...Array.from({ length: 60 }, (_, index) => ({ hypothesisId: "A", data: { index } })));
  await post({ runId: "doctor" }, { runId: "pre", hypothesisId: "B,C", msg: "x".repeat(2_000) });
  await fetch(`${info.base_url}/logs`, { method: "DELETE" });
  await post({ hypothesisId: "A" });

  assert.equal(await evidence.count(opened, "pre-fix"), 62);
  assert.equal(await evidence.count(opened, "post-fix"), 0);
  const few = await evidence.lines(opened, [
    { from: 2, to: 3 },
    { from: 62, to: 63 },
  ]);
  assert.deepEqual(few.missing, []);
  assert.deepEqual(
    few.texts.map((text) => text.split(" ")[0]),
    ["#2", "#3", "#62", "#63"],
  );
  assert.ok(few.texts.every((text) => text.length < 420));
  assert.deepEqual([...few.hypotheses].sort(), ["A", "B", "B,C", "C"]);

  const many = await evidence.lines(opened, [
    { from: 1, to: 60 },
    { from: 60, to: 62 },
    { from: 63, to: 70 },
    { from: 900, to: 900 },
  ]);
  assert.deepEqual(many.missing, [
    { from: 61, to: 61 },
    { from: 64, to: 70 },
    { from: 900, to: 900 },
  ]);
  assert.equal(many.texts.length, 40);
});
