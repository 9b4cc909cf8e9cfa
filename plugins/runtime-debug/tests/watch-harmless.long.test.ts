/** False alarms: what changes no code must not be taken for a change. All 500 commands are in faults/. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { falseAlarms } from "./watch-alarms.ts";
import { harmlessCommands } from "./watch-commands.ts";

/** Every so-manieth command is run. */
const STEP = 5;
/** So many of them must really have run: programs may be missing, and those show nothing. */
const FLOOR = 0.7;

const skip = process.platform === "win32" ? "the commands are in words of a POSIX shell" : noGit;

test("harmless commands before the evidence are not taken for a change", { skip }, async (t) => {
  const some = harmlessCommands().filter((_, number) => number % STEP === 0);
  const { alarms, run } = await falseAlarms(t, some);
  assert.deepEqual(alarms, []);
  assert.ok(run >= some.length * FLOOR, `only ${run} of ${some.length} commands have run`);
});
