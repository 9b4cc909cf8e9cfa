import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import schema from "../../schemas/music-gateway/serve-input.json" with { type: "json" };
import { LONGEST_DELAY, MOST_REQUESTS, readFaultPlan, FAULTS, type FaultName } from "./faults.ts";
import { effort } from "../../contract-tests/harness.ts";

const NAMES = Object.keys(FAULTS) as FaultName[];

const REFUSED: readonly (readonly [
  words: readonly string[],
  place: number,
  message: RegExp,
  hint: RegExp,
])[] = [
  [
    ["time-out"],
    0,
    /^"time-out" is no fault\.$/,
    /^Did you mean timeout\? The faults: timeout, .*gzip-bomb, slow:SECONDS\.$/,
  ],
  [["upstream_error:1"], 0, /is no fault/, /^Did you mean upstream-error\?/],
  [["nonsense"], 0, /is no fault/, /^The faults: /],
  [["constructor"], 0, /is no fault/, /^The faults: /],
  [["timeout:1", "quota:0"], 1, /^"quota:0" has no count\.$/, /^A count is a number from 1 to 1000/],
  [["quota:1001"], 0, /has no count/, /number from 1/],
  [["quota:1.5"], 0, /has no count/, /number from 1/],
  [["quota:1\n"], 0, /has no count/, /number from 1/],
  [["slow"], 0, /^"slow" is no delay\.$/, /^Give seconds, more than 0 and at most 600/],
  [["slow:0.0001"], 0, /is no delay/, /^Give seconds/],
  [["slow:601"], 0, /is no delay/, /^Give seconds/],
  [["slow:1", "timeout", "slow:1"], 2, /^slow is given twice\.$/, /one delay/],
  [["timeout", "quota"], 1, /^quota never has its turn, since timeout has no count\.$/, /such as timeout:1/],
];

test("refuses words that are no plan and points to them", () => {
  for (const [words, place, message, hint] of REFUSED)
    assert.throws(
      () => readFaultPlan(words),
      {
        name: "SkillError",
        code: "INPUT_INVALID",
        message,
        hint,
        pointer: `/fault/${place}`,
      },
      JSON.stringify(words),
    );
});

test("any plan that can be written is read as it was meant", () => {
  const turn = fc.record(
    {
      fault: fc.constantFrom(...NAMES),
      count: fc.integer({ min: 1, max: MOST_REQUESTS }),
    },
    { noNullPrototype: true },
  );
  const plan = fc.record({
    turns: fc.array(turn, { maxLength: 8 }),
    last: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
    delayMs: fc.option(fc.integer({ min: 1, max: LONGEST_DELAY * 1000 }), { nil: undefined }),
    place: fc.nat(8),
  });
  fc.assert(
    fc.property(plan, ({ turns, last, delayMs, place }) => {
      const words: string[] = turns.map(({ fault, count }) => `${fault}:${count}`);
      if (last) words.push(last);
      if (delayMs) words.splice(place, 0, `slow:${delayMs / 1000}`);
      const whole = last ? [...turns, { fault: last, count: Infinity }] : turns;
      assert.deepEqual(readFaultPlan(words), { turns: whole, delayMs: delayMs ?? 0 });
    }),
    { numRuns: effort(83, 1_500) },
  );
});

test("the help names every fault, and no other", () => {
  const { description } = schema.properties.fault;
  const [, listed = ""] = /NAME is (.*)\.$/.exec(description) ?? [];
  assert.deepEqual(listed.split(/, | or /), NAMES);
});
