import assert from "node:assert/strict";
import { test } from "node:test";
import { stderrLog } from "./log.ts";

test("a notice is always written as a line, a detail only when details are asked for", () => {
  for (const [verbose, expected] of [
    [false, ["one\n"]],
    [true, ["one\n", "two\n"]],
  ] as const) {
    const written: string[] = [];
    const log = stderrLog(verbose, (text) => written.push(text));
    assert.equal(log.notice("one"), undefined);
    assert.equal(log.detail("two"), undefined);
    assert.deepEqual(written, expected);
  }
});
