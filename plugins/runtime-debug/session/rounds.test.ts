import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FIRST_RUNS,
  firstRun,
  judgedByFix,
  nextFixRun,
  nextReproduction,
  otherSymptoms,
  runOf,
  runsBefore,
} from "./rounds.ts";

const fix = { summary: "x", files: [] };

test("runs of the first round are pre-fix and post-fix, those of later ones have a number", () => {
  assert.equal(runOf({ runs: FIRST_RUNS }), "pre-fix");
  assert.equal(nextFixRun({ fixes: [], runs: FIRST_RUNS }), "post-fix");
  assert.equal(nextFixRun({ fixes: [fix], runs: FIRST_RUNS }), "post-fix-2");
  assert.equal(nextFixRun({ fixes: [fix, fix], runs: FIRST_RUNS }), "post-fix-3");
});

test("after a fix that has not helped, the run with it is judged by", () => {
  const runs = { before: "pre-fix", after: "post-fix" };
  assert.equal(runOf({ runs }), "post-fix");
  assert.deepEqual(judgedByFix({ runs }), { before: "post-fix", first: "pre-fix" });
  assert.deepEqual(judgedByFix({ runs: { ...runs, reproductions: 2 } }), {
    before: "post-fix",
    first: "pre-fix",
    reproductions: 2,
  });
});

test("no run of a reproduction is named twice, whatever lies between", () => {
  const second = nextReproduction({ runs: { before: "pre-fix", after: "post-fix" } });
  assert.deepEqual(second, { before: "pre-fix-2", reproductions: 2 });
  const third = nextReproduction({ runs: judgedByFix({ runs: { ...second, after: "post-fix-2" } }) });
  assert.deepEqual(third, { before: "pre-fix-3", first: "pre-fix-2", reproductions: 3 });
});

test("a comparison begins with the run before any fix, until the symptoms have changed", () => {
  const again = judgedByFix({
    runs: { ...judgedByFix({ runs: { before: "pre-fix", after: "post-fix" } }), after: "post-fix-2" },
  });
  assert.deepEqual([again.before, firstRun({ runs: again })], ["post-fix-2", "pre-fix"]);
  assert.equal(firstRun({ runs: nextReproduction({ runs: again }) }), "pre-fix");
  assert.equal(firstRun({ runs: otherSymptoms({ runs: again }) }), "pre-fix-2");
});

test("a run that was named stays used when its step is taken back", () => {
  const runs = runsBefore(
    { before: "pre-fix" },
    { runs: { before: "pre-fix", after: "post-fix" }, fixes: [fix] },
  );
  assert.deepEqual(runs, { before: "pre-fix", fixRuns: 1 });
  assert.equal(nextFixRun({ fixes: [], runs }), "post-fix-2");
  const later = runsBefore(
    { before: "pre-fix" },
    { runs: { before: "pre-fix-2", reproductions: 2 }, fixes: [] },
  );
  assert.equal(nextReproduction({ runs: later }).before, "pre-fix-3");
});
