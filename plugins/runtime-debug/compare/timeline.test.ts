import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RunEvents, timelineOf } from "./timeline.ts";

/** Events of a run, by their times and groups. */
function run(...events: readonly (readonly [time: number | undefined, group: string])[]): RunEvents {
  const all = new RunEvents();
  for (const [time, group] of events) all.add(group, time);
  return all;
}

test("both runs are cut into pieces of one round length, each from its own first event on", () => {
  const before = run([1_000, "a"], [1_039, "b"], [1_080, "a"]);
  const after = run([500_000, "a"], [undefined, "b"]);
  const { pieceMs, runs } = timelineOf(before, after);
  assert.equal(pieceMs, 5);
  assert.deepEqual([runs[0].from, runs[0].lastsMs, runs[1].from, runs[1].lastsMs], [1_000, 80, 500_000, 0]);
  assert.equal(runs[0].all.length, 17);
  assert.deepEqual([runs[0].all[0], runs[0].all[7], runs[0].all[16]], [1, 1, 1]);
  assert.deepEqual([runs[1].all[0], runs[1].counts.get("b")?.[0]], [2, 1]);
});

test("an event without a time counts with the one before it, and a run without any in its first piece", () => {
  const { runs } = timelineOf(run([0, "a"], [70, "a"], [undefined, "a"]), run([undefined, "a"]));
  assert.equal(runs[0].all.at(-1), 2);
  assert.deepEqual([runs[1].from, runs[1].all[0]], [undefined, 1]);
});

test("whatever the times, no event is lost and there are 1 to 40 pieces", () => {
  const time = fc.option(fc.double({ min: -8e15, max: 8e15, noNaN: true }), { nil: undefined });
  const events = fc.array(fc.tuple(time, fc.constantFrom("a", "b")), { maxLength: 60 });
  fc.assert(
    fc.property(events, events, (before, after) => {
      const { runs } = timelineOf(run(...before), run(...after));
      for (const [side, sent] of [before, after].entries()) {
        const { all = [], counts } = runs[side] ?? {};
        assert.ok(all.length >= 1 && all.length <= 40, `${all.length} pieces`);
        for (const group of ["a", "b"])
          assert.equal(total(counts?.get(group) ?? []), sent.filter(([, own]) => own === group).length);
        assert.equal(total(all), sent.length);
      }
    }),
  );
});

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
