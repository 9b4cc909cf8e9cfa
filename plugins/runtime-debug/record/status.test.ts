import assert from "node:assert/strict";
import { test } from "node:test";
import { saysOpen } from "./status.ts";

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
  for (const text of open) assert.equal(saysOpen(text), true, text);
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
  for (const text of closed) assert.equal(saysOpen(text), false, text);
});
