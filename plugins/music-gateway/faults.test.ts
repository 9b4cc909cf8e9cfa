import assert from "node:assert/strict";
import { test } from "node:test";
import schema from "../../schemas/music-gateway/serve-input.json" with { type: "json" };
import { LONGEST_DELAY, MOST_REQUESTS, readFaultPlan, FAULTS } from "./faults.ts";

const REFUSED: readonly (readonly [
  words: readonly string[],
  place: number,
  message: RegExp,
  hint: RegExp,
])[] = [
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

test("a plan has its turns in order, the last of them for ever without a count, and a delay beside them", () => {
  assert.deepEqual(readFaultPlan(["quota:2", "slow:0.25", `html:${MOST_REQUESTS}`, "drop"]), {
    turns: [
      { fault: "quota", count: 2 },
      { fault: "html", count: MOST_REQUESTS },
      { fault: "drop", count: Infinity },
    ],
    delayMs: 250,
  });
  assert.deepEqual(readFaultPlan([`slow:${LONGEST_DELAY}`]), { turns: [], delayMs: LONGEST_DELAY * 1000 });
});

test("the help names every fault, and no other", () => {
  const { description } = schema.properties.fault;
  const [, listed = ""] = /NAME is (.*)\.$/.exec(description) ?? [];
  assert.deepEqual(listed.split(/, | or /), Object.keys(FAULTS));
});
