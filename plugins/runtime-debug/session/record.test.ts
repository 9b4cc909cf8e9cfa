import assert from "node:assert/strict";
import { test } from "node:test";
import { entryIn } from "../tests/session-harness.ts";
import { statusIn } from "../record-status.ts";
import { recordText } from "./record.ts";

test("a record has the format of public records, and its status is read like theirs", () => {
  const hypotheses = entryIn("judging").hypotheses.map(
    (one) => ({ ...one, text: "the pool | is\nempty", verdict: "confirmed", lines: ["#12"] }) as const,
  );
  const text = recordText(entryIn("judging", { hypotheses }));
  assert.match(
    text,
    /^# Debug Session: sum-is-wrong\n\n- \*\*Status\*\*: \[OPEN\]\n- \*\*Issue\*\*: The sum/,
  );
  assert.match(text, /^\| A \| the pool \\\| is empty \| High \| Low \| Confirmed #12 \|$/m);
  assert.equal(statusIn(text), "OPEN");
  assert.equal(statusIn(recordText(entryIn("cleaning", { outcome: "fixed" }))), "FIXED");
  assert.equal(recordText(entryIn("observing", { hypotheses: [] })).match(/^None yet\.$/gm)?.length, 5);
});

test("a record is open in every spelling that people use, and not if it has another status", () => {
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
