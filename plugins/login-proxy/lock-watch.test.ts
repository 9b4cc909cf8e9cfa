import assert from "node:assert/strict";
import { test } from "node:test";
import { recordOf, type Generation } from "./lock-record.ts";
import { LockWatch } from "./lock-watch.ts";

/** A clock whose two hands are moved apart. */
const clockAt = () => {
  const time = { wall: 1_000_000, mono: 0 };
  return { time, now: () => time.wall, monotonicMs: () => time.mono };
};
const turn = (number: number, record: unknown): Generation => {
  const text = JSON.stringify(record);
  return { number, text, record: recordOf(text) };
};
const LEASE = 10_000;

test("a lock that nobody ever took, that was given back, whose time has passed or that says nothing is free", () => {
  for (const free of [
    { number: 0, text: "", record: undefined },
    turn(3, { beat: 1, until: 0 }),
    turn(3, { beat: 1, until: 1_000_000 }),
    turn(3, "no record"),
    turn(3, { beat: 1, until: "soon" }),
  ])
    assert.equal(new LockWatch(clockAt(), LEASE).isOver(free), true, free.text);
});

test("a lock is held until its time has passed", () => {
  const clock = clockAt();
  const watch = new LockWatch(clock, LEASE);
  const held = turn(3, { beat: 1, until: 1_005_000 });
  assert.equal(watch.isOver(held), false);
  clock.time.wall = 1_004_999;
  assert.equal(watch.isOver(held), false);
  clock.time.wall = 1_005_000;
  assert.equal(watch.isOver(held), true);
});

test("a holder that is silent for a lease is dead even when the wall clock was put back an hour", () => {
  const clock = clockAt();
  const watch = new LockWatch(clock, LEASE);
  const dead = turn(3, { beat: 1, until: 1_005_000 + 3_600_000 });
  assert.equal(watch.isOver(dead), false);
  clock.time.mono = LEASE - 1;
  assert.equal(watch.isOver(dead), false);
  clock.time.mono = LEASE;
  assert.equal(watch.isOver(dead), true);
});

test("a holder that goes on speaking is alive however long it takes", () => {
  const clock = clockAt();
  const watch = new LockWatch(clock, LEASE);
  for (let beat = 0; beat < 100; beat += 1) {
    assert.equal(watch.isOver(turn(3, { beat, until: 9_000_000 })), false);
    clock.time.mono += LEASE - 1;
  }
});

test("how a login ended is told only to who waited for it", () => {
  const late = new LockWatch(clockAt(), LEASE);
  assert.equal(late.isOver(turn(3, { beat: 1, until: 0, failed: "quiet" })), true);
  assert.deepEqual(late.seen, { waited: false });

  const waiting = new LockWatch(clockAt(), LEASE);
  waiting.isOver(turn(3, { beat: 1, until: 2_000_000 }));
  assert.deepEqual(waiting.seen, { waited: true });
  waiting.isOver(turn(3, { beat: 2, until: 0, failed: "asked" }));
  assert.deepEqual(waiting.seen, { waited: true, failed: "asked" });
  waiting.isOver(turn(4, { beat: 0, until: 2_000_000 }));
  assert.deepEqual(waiting.seen, { waited: true });
});
