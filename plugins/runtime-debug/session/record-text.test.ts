import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { effort } from "../../../contract-tests/harness.ts";
import { recordText } from "./record-file.ts";
import { merged, statusIn } from "./record-text.ts";

import fc from "fast-check";

type Shown = Parameters<typeof recordText>[0];

const FIRST: Shown = {
  id: "login-times-out",
  revision: 0,
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
  actual: "504",
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
  });

  test("of a first session says that nothing is there yet", () => {
    assert.equal(recordText(FIRST).match(/^None yet\.$/gm)?.length, 4);
  });

  test("that only people have touched stays as it is", () => {
    const base = recordText(FIRST);
    const theirs = base.replace("None yet.", "Only on Mondays.");
    assert.equal(merged(base, base, theirs), theirs);
  });

  test("says the state of the session, whatever people have written there, and does not quote that", () => {
    const base = recordText(FIRST);
    const theirs = base.replace("[OPEN]", "[FIXED]");
    assert.equal(merged(base, base, theirs), base);
    const mine = recordText({ ...FIRST, outcome: "aborted" });
    assert.equal(merged(base, mine, theirs), mine);
  });

  test("keeps what people have added behind a part as it is, however often tools write it anew", () => {
    let theirs = recordText(FIRST).replace("## Log Evidence\n\nNone yet.", "$&\n\nI saw a 504.");
    let base = recordText(FIRST);
    for (const line of ["#12 pool 0 of 10", "#13 pool 0 of 10", "#14 pool 0 of 10"]) {
      const mine = recordText({
        ...LATER,
        hypotheses: LATER.hypotheses.map((one) => ({ ...one, cited: [line] })),
      });
      theirs = merged(base, mine, theirs);
      base = mine;
    }
    assert.match(theirs, /^- #14 pool 0 of 10\n\nI saw a 504\.$/m);
    assert.doesNotMatch(theirs, /None yet\.\n\nI saw|^(- |> .*)#1[23]/m);
  });

  test("quotes lines that people have put between those of tools, and only these, once", () => {
    let theirs = recordText(LATER).replace("1. Open the page", "$&\nOnly on Mondays.");
    let base = recordText(LATER);
    for (const step of ["Wait", "Wait longer"]) {
      const mine = recordText({ ...LATER, steps: [step] });
      theirs = merged(base, mine, theirs);
      base = mine;
    }
    assert.equal(theirs.match(/Only on Mondays/g)?.length, 1);
    assert.match(theirs, /^> Only on Mondays\.$/m);
    assert.doesNotMatch(theirs, /Open the page/);
  });

  test("whatever people write and whenever, no line of theirs is lost, and what I changed is there", () => {
    const written = fc.record({ at: fc.nat(40), line: fc.stringMatching(/^[a-z]{6,12}$/) });
    const contents = fc.constantFrom(
      FIRST,
      LATER,
      { ...LATER, conclusion: "The pool." },
      { ...FIRST, steps: ["Wait"] },
    );
    fc.assert(
      fc.property(contents, contents, fc.array(written, { maxLength: 6 }), (before, after, edits) => {
        const [base, mine] = [recordText(before), recordText(after)];
        const lines = base.split("\n");
        for (const { at, line } of edits) lines.splice(at % lines.length, 0, `${line} by hand`);
        const text = merged(base, mine, lines.join("\n"));
        for (const { line } of edits) assert.match(text, new RegExp(`^(> )?${line} by hand$`, "m"));
        for (const line of mine.split("\n")) assert.ok(text.includes(line), `${line} is not in\n${text}`);
      }),
      { numRuns: effort(50, 900) },
    );
  });
});

test("a record is open in every shape that people write", () => {
  const open = [
    "# Debug Session: a-b\n- **Status**: [OPEN]\n- **Issue**: x",
    "- **Status:** [OPEN]",
    "**状态**: [OPEN]",
    "Status: [OPEN]",
    "Status: OPEN",
    "status：open",
    "# [OPEN] Login times out",
    "| **Status** | [OPEN] |",
    "- **Estado**: `[OPEN]`",
    "nothing but [OPEN] somewhere",
  ];
  for (const text of open) assert.equal(statusIn(text), "OPEN", text);
});

test("a record with another status is not, whatever else it mentions", () => {
  const closed = [
    "- **Status**: [FIXED]\nIt was [OPEN] until today.",
    "# [CLOSED] Login\nwas [OPEN]",
    "Status: RESOLVED",
    "Status: [ABORTED]",
    "",
    "no status at all",
  ];
  for (const text of closed) assert.notEqual(statusIn(text), "OPEN", text);
});
