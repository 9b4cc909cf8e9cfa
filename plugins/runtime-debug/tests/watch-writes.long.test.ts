/** The second layer of the evidence gate against writes of all kinds; 500 are in faults/. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { writeAndLook } from "./watch-batches.ts";
import { allWrites } from "./watch-writes.ts";

const skip = process.platform === "win32" ? "the writes are in words of a POSIX shell" : noGit;

describe("writes before the evidence", { skip }, () => {
  test("every kind of write is put back byte for byte, and what was written is kept", async (t) => {
    const { written, missed, lost, idle } = await writeAndLook(t, allWrites().length, 11);
    assert.deepEqual({ missed, lost }, { missed: [], lost: [] });
    // Programs may be missing, and then nothing was written.
    assert.ok(written >= 50, `only ${written} writes had an effect: ${idle.join("\n")}`);
  });

  test("where nobody looks the writes stay", async (t) => {
    const { written, missed } = await writeAndLook(t, 40, 11, false);
    assert.ok(written >= 25);
    assert.equal(missed.length, written);
  });
});
