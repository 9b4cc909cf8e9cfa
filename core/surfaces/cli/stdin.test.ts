import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { StandardInput } from "./stdin.ts";

test("standard input is not looked at before it is read", async () => {
  let asked = 0;
  const input = new StandardInput(() => {
    asked += 1;
    return Readable.from([Buffer.from("\uFEFFa"), Buffer.from("b")]);
  });
  input.checkFree();
  assert.equal(asked, 0);
  assert.equal(await input.all(5), "ab");
  await assert.rejects(input.all(5), { code: "USAGE" });
  assert.equal(asked, 1);
});

test("who has left before is not asked", async () => {
  const input = new StandardInput(() => Readable.from([]));
  await assert.rejects(input.all(5, AbortSignal.abort()), { code: "CANCELLED" });
});
