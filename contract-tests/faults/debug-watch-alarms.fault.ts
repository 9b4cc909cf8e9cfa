/** 500 harmless commands before the evidence: how many are taken for a change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noGit } from "../debug-worktree-house.ts";
import { falseAlarms } from "../watch-alarms.ts";
import { harmlessCommands } from "../watch-commands.ts";

/** As the specification of the guards allows. */
const SHARE = 0.005;

test("of 500 harmless commands at most 0.5 % are taken for a change", { skip: noGit }, async (t) => {
  const all = harmlessCommands();
  assert.ok(all.length >= 500, `${all.length} commands`);
  const alarms = await falseAlarms(t, all);
  t.diagnostic(`${all.length} commands, ${alarms.length} false alarms`);
  assert.ok(alarms.length <= all.length * SHARE, alarms.join("\n"));
});
