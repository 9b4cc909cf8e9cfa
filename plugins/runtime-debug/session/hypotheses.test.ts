import assert from "node:assert/strict";
import { test } from "node:test";
import { listed } from "./hypotheses.ts";

test("a letter of an earlier hypothesis is reused only when all letters were given", () => {
  const wished = ["the pool is empty", "the token expired", "two writers"].map((text) => ({
    text,
    refutedBy: "x",
    observe: "a.ts:1",
    likelihood: "high" as const,
    effort: "low" as const,
  }));
  const ids = (given: string): string =>
    listed(wished, { hypotheses: [], letters: [...given] })
      .hypotheses.map(({ id }) => id)
      .join("");
  assert.equal(ids("ABCDE"), "FGH");
  assert.equal(ids("ABCDEFGHIJKLMNO"), "PAB");
});
