import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_RUNS, judgedByFix, nextFixRun, nextReproduction, runOf } from "./rounds.ts";

const fix = { summary: "x", files: [] };

test("runs of the first round are pre-fix and post-fix, those of later ones have a number", () => {
  assert.equal(runOf({ runs: FIRST_RUNS }), "pre-fix");
  assert.equal(nextFixRun({ fixes: [] }), "post-fix");
  assert.equal(nextFixRun({ fixes: [fix] }), "post-fix-2");
  assert.equal(nextFixRun({ fixes: [fix, fix] }), "post-fix-3");
});

test("after a fix that has not helped, the run with it is judged by", () => {
  const runs = { before: "pre-fix", after: "post-fix" };
  assert.equal(runOf({ runs }), "post-fix");
  assert.deepEqual(judgedByFix({ runs }), { before: "post-fix" });
  assert.deepEqual(judgedByFix({ runs: { ...runs, reproductions: 2 } }), {
    before: "post-fix",
    reproductions: 2,
  });
});

test("no run of a reproduction is named twice, whatever lies between", () => {
  const second = nextReproduction({ runs: { before: "pre-fix", after: "post-fix" } });
  assert.deepEqual(second, { before: "pre-fix-2", reproductions: 2 });
  const third = nextReproduction({ runs: judgedByFix({ runs: { ...second, after: "post-fix-2" } }) });
  assert.deepEqual(third, { before: "pre-fix-3", reproductions: 3 });
});
