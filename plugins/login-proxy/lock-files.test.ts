import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SkillError, type Files } from "skillctl";
import { LockFiles } from "./lock-files.ts";
import { effort } from "../../contract-tests/effort.ts";

/** Files in memory of which each step is atomic and comes when the scheduler says so. */
function scheduledFiles(scheduler: fc.Scheduler, held: Map<string, string>): Files {
  const step = <T>(what: string, act: () => T): Promise<T> =>
    scheduler.schedule(Promise.resolve(), what).then(act);
  const files: Partial<Files> = {
    list: () => step("list", () => [...held.keys()].map((path) => path.replace("/lock/", "")).sort()),
    readText: (path) => step(`read ${path}`, () => held.get(path)),
    create: (path, content) =>
      step(`create ${path}`, () => {
        if (held.has(path)) return false;
        held.set(path, content);
        return true;
      }),
    replace: (path, content) => step(`replace ${path}`, () => void held.set(path, content as string)),
    remove: (path) => step(`remove ${path}`, () => void held.delete(path)),
  };
  return files as Files;
}

const HELD = Number.MAX_SAFE_INTEGER;

test("in no order of steps do two processes hold the lock, and it is never lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 5 }), async (scheduler, count) => {
      const held = new Map<string, string>();
      let inside = 0;
      let turns = 0;
      const contender = async (): Promise<void> => {
        const lock = new LockFiles(scheduledFiles(scheduler, held), "/lock");
        for (let round = 0; round < 2;) {
          const highest = await lock.highest();
          if ((highest.record?.until ?? 0) > 0) continue;
          const number = await lock.follow(highest, { beat: 0, until: HELD });
          if (number === undefined) continue;
          inside += 1;
          assert.equal(inside, 1);
          await lock.say(number, { beat: 1, until: HELD });
          assert.equal(inside, 1);
          inside -= 1;
          turns += 1;
          await lock.say(number, { beat: 2, until: 0 });
          round += 1;
        }
      };
      const all = Promise.all(Array.from({ length: count }, contender));
      await scheduler.waitFor(all);
      assert.equal(turns, 2 * count);
      assert.ok([...held.keys()].includes(`/lock/refresh.lock.${turns}`), [...held.keys()].join(" "));
    }),
    { numRuns: effort(10, 60) },
  );
});

test("a turn that is taken counts, also when the file of the turn before cannot be removed", async () => {
  const names = ["refresh.lock.1"];
  const files: Partial<Files> = {
    list: async () => names,
    create: async (path) => names.push(path.replace("/lock/", "")) > 0,
    remove: (path) => Promise.reject(new SkillError("FILE_UNWRITABLE", `${path} cannot be removed.`)),
  };
  const lock = new LockFiles(files as Files, "/lock");
  const over = { number: 1, text: "", record: undefined };
  assert.equal(await lock.follow(over, { beat: 0, until: HELD }), 2);
});
