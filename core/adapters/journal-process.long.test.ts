import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test } from "node:test";
import {
  contradictions,
  idsIn,
  journalProcess,
  type JournalProcessOptions,
} from "./fixture-journal-process.ts";
import { folderFor } from "./fixture-journal.ts";
import { nodeJournals } from "./journals.ts";

/** Limits and signals are others on Windows. */
const onPosix = { skip: process.platform === "win32" };

/** Lets a process write for a moment after it has begun, kills it, and says what it told wrongly. */
async function killed(options: JournalProcessOptions, milliseconds: number): Promise<readonly string[]> {
  const { process, begun, history } = journalProcess(options);
  await begun;
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  process.kill("SIGKILL");
  const told = await history;
  assert.ok(told.stored.length > 0, "it stored something");
  return contradictions(told, idsIn(options.path));
}

for (const durability of ["sync", "process"] as const) {
  test(
    `a process killed while it writes loses nothing that it acknowledged (${durability})`,
    onPosix,
    async (t) => {
      const path = folderFor(t).file("log");
      for (const [round, milliseconds] of [0, 7, 31].entries()) {
        assert.deepEqual(await killed({ path, durability, name: `r${round}` }, milliseconds), []);
        const whole = fs.readFileSync(path).lastIndexOf(10) + 1;
        const journal = await nodeJournals.open(path);
        await journal.cut(whole);
        await journal.close();
      }
    },
  );
}

test("a process that acknowledges before it hands over loses lines when it is killed", onPosix, async (t) => {
  const wrong = await killed({ path: folderFor(t).file("log"), manner: "hasty" }, 60);
  assert.ok(
    wrong.some((what) => what.startsWith("lost")),
    String(wrong),
  );
});
