import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { effort } from "../../../contract-tests/harness.ts";
import { merged, recordNotes, recordText, statusIn } from "./record-text.ts";

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
const LAST: Shown = {
  ...LATER,
  rounds: [{ run: "pre-fix", hypotheses: LATER.hypotheses }],
  drift: ["Kept because the user says so: pool.ts."],
  conclusion: "The pool.",
  iterations: ["B: still slow", "C: other symptoms"],
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

  test("keeps the order of its sections when tools have added some, and none of them is a note of people", () => {
    let [base, theirs] = [recordText(FIRST), recordText(FIRST)];
    for (const next of [LATER, LAST]) {
      theirs = merged(base, recordText(next), theirs);
      base = recordText(next);
      assert.equal(theirs, base);
    }
    assert.deepEqual(recordNotes(base, theirs), []);
  });

  test("says the state of the session, whatever people have written there", () => {
    const base = recordText(FIRST);
    const theirs = base.replace("[OPEN]", "[FIXED]");
    assert.equal(merged(base, base, theirs), base);
    const mine = recordText({ ...FIRST, outcome: "aborted" });
    assert.equal(merged(base, mine, theirs), mine);
    assert.deepEqual(recordNotes(base, theirs), []);
  });

  test("keeps what people have put in, changed and taken out, however often tools write it anew", () => {
    const base = recordText(FIRST);
    const theirs = base
      .replace("## Log Evidence\n\nNone yet.", "$&\n\nI saw a 504.")
      .replace("1. Open the page", "$&\nOnly on Mondays.")
      .replace("2. Log in", "2. Log in twice");
    assert.equal(merged(base, base, theirs), theirs);
    const next = merged(base, recordText(LATER), theirs);
    const last = merged(recordText(LATER), recordText(LAST), next);
    for (const text of [next, last]) {
      assert.match(text, /^- A confirmed\n- #12 pool 0 of 10\n\nI saw a 504\.$/m);
      assert.match(text, /^1\. Open the page\nOnly on Mondays\.\n2\. Log in twice$/m);
    }
    assert.deepEqual(recordNotes(recordText(LAST), last), [
      "Only on Mondays.\n2. Log in twice",
      "I saw a 504.",
    ]);
  });

  test("whatever people write and whenever, no line of theirs is lost, and what tools say is there", () => {
    const written = fc.record({ at: fc.nat(40), line: fc.stringMatching(/^[a-z]{6,12}$/) });
    const contents = fc.constantFrom(FIRST, LATER, LAST, { ...FIRST, steps: ["Wait"] });
    fc.assert(
      fc.property(contents, contents, fc.array(written, { maxLength: 6 }), (before, after, edits) => {
        const [base, mine] = [recordText(before), recordText(after)];
        const lines = base.split("\n");
        for (const { at, line } of edits) lines.splice(at % lines.length, 0, `${line} by hand`);
        const text = merged(base, mine, lines.join("\n"));
        for (const { line } of edits) assert.match(text, new RegExp(`^${line} by hand$`, "m"));
        for (const line of mine.split("\n")) assert.ok(text.includes(line), `${line} is not in\n${text}`);
      }),
      { numRuns: effort(50, 900) },
    );
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
