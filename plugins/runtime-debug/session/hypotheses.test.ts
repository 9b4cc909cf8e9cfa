import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hypothesis } from "./entry.ts";
import { lettered, reopened } from "./hypotheses.ts";

const WISHED = ["the pool is empty", "the token expired", "two writers"].map((text) => ({
  text,
  refutedBy: "x",
  observe: "a.ts:1",
  likelihood: "high" as const,
  effort: "low" as const,
}));

const JUDGED: readonly Hypothesis[] = lettered(WISHED, []).map((one) => {
  if (one.id === "A")
    return { ...one, verdict: "confirmed", lines: ["#1"], because: "0 of 10", cited: ["#1 x"] };
  return one.id === "B" ? { ...one, verdict: "rejected", lines: ["#2"], cited: ["#2 y"] } : one;
});

test("one whose text is not changed keeps its letter and its verdict, and a new one gets a new letter", () => {
  const next = lettered(
    [WISHED[1], { ...WISHED[0], text: "the pool is slow" }, WISHED[2]] as typeof WISHED,
    JUDGED,
  );
  assert.deepEqual(
    next.map(({ id, verdict, lines, cited }) => [id, verdict, lines, cited]),
    [
      ["B", "rejected", ["#2"], ["#2 y"]],
      ["D", "pending", [], undefined],
      ["C", "pending", [], undefined],
    ],
  );
});

test("a letter that another one has had comes again only when all have been given", () => {
  const others = WISHED.map((one) => ({ ...one, text: `${one.text} now` }));
  const ids = (given: string): string =>
    lettered(others, [], [...given])
      .map(({ id }) => id)
      .join("");
  assert.equal(ids("ABCDE"), "FGH");
  assert.equal(ids("ABCDEFGHIJKLMNO"), "PAB");
});

test("a confirmed one is open again when its fix has not helped, a rejected one stays rejected", () => {
  assert.deepEqual(
    reopened(JUDGED).map(({ verdict, lines, because, cited }) => [verdict, lines, because, cited]),
    [
      ["pending", [], undefined, undefined],
      ["rejected", ["#2"], undefined, ["#2 y"]],
      ["pending", [], undefined, undefined],
    ],
  );
});
