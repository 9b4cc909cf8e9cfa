/** 500 generated writes before the evidence: each is found and put back. The seed is told; another one: WATCH_SEED. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noGit } from "../worktree-harness.ts";
import { writeAndLook } from "../watch-batches.ts";

const WRITES = 500;

test(`${WRITES} generated writes are put back byte for byte`, { skip: noGit }, async (t) => {
  const seed = Number(process.env["WATCH_SEED"] ?? "6");
  const { written, missed, lost, idle } = await writeAndLook(t, WRITES, seed);
  t.diagnostic(
    `seed ${seed}: ${written} writes with an effect, ${missed.length} missed, ${idle.length} without effect`,
  );
  assert.deepEqual({ missed, lost }, { missed: [], lost: [] });
  assert.ok(written >= WRITES * 0.9, idle.slice(0, 20).join("\n"));
});
