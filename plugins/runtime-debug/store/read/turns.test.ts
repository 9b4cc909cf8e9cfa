import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Turns } from "./turns.ts";

/** Turns on a clock that moves while a question is answered, by 10 s. */
function turns(): (seq: number, signal: AbortSignal) => Promise<string> {
  let now = 0;
  const made = new Turns({ now: () => now, monotonicMs: () => now });
  return (seq, signal) =>
    made.take(seq, signal, async () => {
      now += 10_000;
      return "answered";
    });
}

const never = new AbortController().signal;

test("nobody waits while no events come in", async () => {
  const take = turns();
  for (let question = 0; question < 3; question += 1)
    assert.equal(await Promise.race([take(7, never), turn("waiting")]), "answered");
});

test("while events come in the next question waits, until it is given up at the latest", async () => {
  const take = turns();
  await take(7, never);
  const stop = new AbortController();
  const second = take(8, stop.signal);
  assert.equal(await Promise.race([second, turn("waiting")]), "waiting");
  stop.abort();
  assert.equal(await second, "answered");
});

test("a question that fails counts too, and fails", async () => {
  let now = 0;
  const made = new Turns({ now: () => now, monotonicMs: () => now });
  const failing = made.take(1, never, async () => {
    now += 10_000;
    throw new Error("on purpose");
  });
  await assert.rejects(failing, /on purpose/);
  const next = made.take(2, never, async () => "answered");
  assert.equal(await Promise.race([next, turn("waiting")]), "waiting");
  assert.equal(await next, "answered");
});
