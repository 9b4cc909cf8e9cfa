import assert from "node:assert/strict";
import { test } from "node:test";
import { causesOf } from "./causes.ts";

const firstLines = (error: Error) => causesOf(error).map((told) => told.split("\n")[0]);

test("causes are listed outermost first, the parts of an AggregateError before its own cause", () => {
  const parts = new AggregateError([new Error("one", { cause: "one's" }), new TypeError("two")], "both", {
    cause: new Error("why"),
  });
  const told = ["Error: one", "one's", "TypeError: two", "Error: why"];
  assert.deepEqual(firstLines(new Error("top", { cause: parts })), ["AggregateError: both", ...told]);
  assert.deepEqual(firstLines(parts), told);
  assert.deepEqual(causesOf(new Error("top")), []);
});

test("a cycle of causes is listed once, and a chain of any length completely", () => {
  const [a, b] = [new Error("a"), new Error("b")];
  a.cause = b;
  b.cause = a;
  assert.deepEqual(firstLines(a), ["Error: b"]);
  let long: unknown = "the first";
  for (let step = 0; step < 20_000; step += 1) long = Object.assign(new Error("step"), { cause: long });
  assert.equal(causesOf(long as Error).at(-1), "the first");
});

test("a cause that is not an Error is named by its kind, and never printed whole or as JSON", () => {
  const circle: Record<string, unknown> = { password: "hunter2" };
  circle["self"] = circle;
  for (const [cause, told] of [
    [circle, "[object Object]"],
    [10n, "10"],
    ["a text", "a text"],
    [null, "null"],
  ])
    assert.deepEqual(causesOf(new Error("top", { cause })), [told]);
});
