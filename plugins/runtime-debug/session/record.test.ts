import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { recordText, statusIn } from "./record.ts";

type Shown = Parameters<typeof recordText>[0];

const FIRST: Shown = {
  id: "login-times-out",
  state: "observing",
  issue: "The login times out",
  steps: ["Open the page", "Log in"],
  createdAt: 0,
  hypotheses: [],
  probes: [],
  runs: { before: "pre-fix" },
  fixes: [],
  conclusion: "",
  iterations: [],
  accepted: {},
};
const LATER: Shown = {
  ...FIRST,
  expected: "a page",
  hypotheses: [
    {
      id: "A",
      text: "the pool | is\nempty",
      refutedBy: "a free one is logged",
      observe: "pool.ts:10",
      likelihood: "high",
      effort: "low",
      verdict: "confirmed",
      lines: ["#12"],
      cited: ["#12 pool 0 of 10"],
    },
  ],
  iterations: ["B: still slow"],
};
describe("the record", () => {
  test("has the shape of public records, and its status is read by the same reader as theirs", () => {
    const text = recordText(LATER);
    assert.match(
      text,
      /^# Debug Session: login-times-out\n\n- \*\*Status\*\*: \[OPEN\]\n- \*\*Issue\*\*: The login/,
    );
    assert.match(text, /^\| A \| the pool \\\| is empty \| High \| Low \| Confirmed #12 \|$/m);
    assert.equal(statusIn(text), "OPEN");
    assert.equal(statusIn(recordText({ ...LATER, outcome: "fixed" })), "FIXED");
    assert.equal(recordText(FIRST).match(/^None yet\.$/gm)?.length, 4);
  });
});

test("a record is open in every shape that people write, and not when it has another status", () => {
  const open = [
    "# Debug Session: a-b\n- **Status**: [OPEN]\n- **Issue**: x",
    "- **Status:** [OPEN]",
    "**状态**: [OPEN]",
    "Status: OPEN",
    "status：open",
    "# [OPEN] Login times out",
    "| **Status** | [OPEN] |",
    "- **Estado**: `[OPEN]`",
    "nothing but [OPEN] somewhere",
  ];
  for (const text of open) assert.equal(statusIn(text), "OPEN", text);
  const closed = [
    "- **Status**: [FIXED]\nIt was [OPEN] until today.",
    "# [CLOSED] Login\nwas [OPEN]",
    "Status: RESOLVED",
    "no status at all",
  ];
  for (const text of closed) assert.notEqual(statusIn(text), "OPEN", text);
});
