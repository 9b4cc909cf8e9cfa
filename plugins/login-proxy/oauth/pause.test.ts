import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { pause } from "./pause.ts";

describe("a pause", () => {
  test("ends by itself, and lets go of its signal", async () => {
    const { signal } = new AbortController();
    await pause(1, signal);
    assert.deepEqual(getEventListeners(signal, "abort"), []);
  });

  test("of an hour ends at once when its signal says so", async () => {
    const key = new AbortController();
    const pausing = pause(3_600_000, key.signal);
    key.abort();
    await assert.rejects(pausing, { code: "CANCELLED" });
  });

  test("does not begin after its signal", async () => {
    await assert.rejects(pause(3_600_000, AbortSignal.abort()), { code: "CANCELLED" });
  });
});
