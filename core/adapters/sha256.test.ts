import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sha256 } from "./sha256.ts";
import { ANY_CHARACTER } from "../../contract-tests/any-character.ts";

test("is the SHA-256 of Node, for texts of every length up to some blocks and for any letters", () => {
  const right = (text: string): string => createHash("sha256").update(text).digest("hex");
  for (let length = 0; length < 200; length += 1)
    assert.equal(sha256("a".repeat(length)), right("a".repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 1_000 }), (text) => {
      assert.equal(sha256(text), right(text));
    }),
  );
});
