import assert from "node:assert/strict";
import { test } from "node:test";
import { IdleWatch } from "./idle-watch.ts";

function watch(idleMs: number, isHeld = async (): Promise<boolean> => false) {
  const time = { ms: 0 };
  const clock = { now: () => 0, monotonicMs: () => time.ms };
  return { time, idle: new IdleWatch({ idleMs, clock, isHeld }) };
}

test("the time is counted from the end of the last request", () => {
  const { time, idle } = watch(1_000);
  time.ms = 900;
  assert.equal(idle.remaining(), 100);
  idle.began();
  time.ms = 5_000;
  assert.equal(idle.remaining(), 1_000);
  time.ms = 6_000;
  idle.ended();
  assert.equal(idle.remaining(), 1_000);
  time.ms = 7_000;
  assert.equal(idle.remaining(), 0);
});

test("of several requests the last to end counts", () => {
  const { time, idle } = watch(1_000);
  idle.began();
  idle.began();
  idle.ended();
  time.ms = 9_000;
  assert.equal(idle.remaining(), 1_000);
  idle.ended();
  time.ms = 10_000;
  assert.equal(idle.remaining(), 0);
});

test("what holds the server is asked when the time is over, and the time begins again", async () => {
  const asked: number[] = [];
  const { time, idle } = watch(1_000, async () => {
    asked.push(time.ms);
    time.ms += 500;
    return asked.length === 1;
  });
  time.ms = 1_000;
  const over = idle.over(new AbortController().signal);
  time.ms = 1_000;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked, [1_000]);
  assert.equal(idle.remaining(), 1_000);
  time.ms = 2_600;
  await over;
  assert.equal(asked.length, 2);
});

test("without a limit, and until then, only the signal ends it", async () => {
  for (const idleMs of [0, 3_600_000]) {
    const stop = new AbortController();
    const { time, idle } = watch(idleMs);
    time.ms = 1_000;
    const over = idle.over(stop.signal);
    stop.abort();
    await over;
  }
});
