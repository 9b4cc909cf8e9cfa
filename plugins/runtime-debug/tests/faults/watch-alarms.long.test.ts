/** 500 harmless commands before the evidence: how many are taken for a change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noGit } from "../worktree-harness.ts";
import { falseAlarms } from "../watch-alarms.ts";
import { harmlessCommands } from "../watch-commands.ts";

/** As the specification of the guards allows. */
const SHARE = 0.005;
/** So many of them must really have run. */
const FLOOR = 0.7;

test("of 500 harmless commands at most 0.5 % are taken for a change", { skip: noGit }, async (t) => {
  const all = harmlessCommands();
  assert.ok(all.length >= 500, `${all.length} commands`);
  const { alarms, run } = await falseAlarms(t, all);
  t.diagnostic(`${all.length} commands, ${run} of them run, ${alarms.length} false alarms`);
  assert.ok(run >= all.length * FLOOR, `only ${run} of ${all.length} commands have run`);
  assert.ok(alarms.length <= run * SHARE, alarms.join("\n"));
});
