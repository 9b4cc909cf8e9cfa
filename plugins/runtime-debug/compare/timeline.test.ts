import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Slot } from "./timeline.ts";
import { timelineOf } from "./timeline.ts";

const slot = (time: number | undefined, ...counts: readonly number[]): Slot => ({
  time,
  counts: Uint32Array.from(counts),
});

test("both runs are cut into pieces of one round length, each from its own first event on", () => {
  const before = [slot(1_000, 1, 0), slot(1_039, 0, 1), slot(1_080, 1, 0)];
  const after = [slot(500_000, 1, 1)];
  const { pieceMs, runs } = timelineOf([before, after], 2);
  assert.equal(pieceMs, 5);
  assert.deepEqual([runs[0].from, runs[0].lastsMs, runs[1].from, runs[1].lastsMs], [1_000, 80, 500_000, 0]);
  assert.equal(runs[0].all.length, 17);
  assert.deepEqual([runs[0].all[0], runs[0].all[7], runs[0].all[16]], [1, 1, 1]);
  assert.deepEqual([runs[1].all[0], runs[1].counts[1]?.[0]], [2, 1]);
});

test("a slot without a time counts with the one before it, and a run without any in its first piece", () => {
  const { runs } = timelineOf([[slot(0, 1), slot(70, 2), slot(undefined, 4)], [slot(undefined, 8)]], 1);
  assert.equal(runs[0].all.at(-1), 6);
  assert.deepEqual([runs[1].from, runs[1].all[0]], [undefined, 8]);
});

test("whatever the times, no event is lost and there are 1 to 40 pieces", () => {
  const run = fc.array(
    fc
      .tuple(fc.option(fc.double({ min: -8e15, max: 8e15, noNaN: true })), fc.nat(9), fc.nat(9))
      .map(([time, one, two]) => slot(time ?? undefined, one, two)),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(run, run, (before, after) => {
      const { runs } = timelineOf([before, after], 2);
      for (const [side, slots] of [before, after].entries()) {
        const { all = [], counts = [] } = runs[side] ?? {};
        assert.ok(all.length >= 1 && all.length <= 40, `${all.length} pieces`);
        for (const group of [0, 1])
          assert.equal(total(counts[group] ?? []), total(slots.map((one) => one.counts[group] ?? 0)));
        assert.equal(total(all), total(slots.flatMap((one) => [...one.counts])));
      }
    }),
  );
});

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
