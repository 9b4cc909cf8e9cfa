import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { daysLeftOf, ownerOf } from "./token-facts.ts";
import { cachedToken } from "./token-file.ts";
import { claimsOf, expiryOf, handedToken, tokenOf, withoutTokens } from "./token-text.ts";

const JWT = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"exp":1790000000,"sub":"13800138000"}').toString("base64url")}.sig`;

test("no text makes the readers throw, and what they take is printable ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      cachedToken(text);
      expiryOf(text);
      claimsOf(text);
      assert.match(tokenOf(text) ?? "ok", /^[\x21-\x7e]+$/);
      assert.match(handedToken(text) ?? "ok", /^[\x21-\x7e]+$/);
    }),
  );
});

const HANDED: readonly (readonly [text: string, token: string | undefined])[] = [
  ["abc", "abc"],
  [" abc \r\n", "abc"],
  ["\uFEFFabc\n", "abc"],
  ['"abc"', "abc"],
  ["'abc'\n", "abc"],
  ["“abc”", "abc"],
  ["`abc`", "abc"],
  ["「abc」", "abc"],
  ['"ab"c', '"ab"c'],
  ['"', '"'],
  ['""', undefined],
  ["", undefined],
  ["svc-header-token: abc", undefined],
  ["abc\ndef", undefined],
  ["\u001B[31mabc", undefined],
  ["ａｂｃ", undefined],
];

test("a token is taken out of what is handed in", () => {
  for (const [text, token] of HANDED) assert.equal(handedToken(text), token, JSON.stringify(text));
});

test("the end and the owner of a token are read out of a JWT and of nothing else", () => {
  assert.equal(expiryOf(JWT), 1_790_000_000_000);
  assert.equal(daysLeftOf(JWT, 1_790_000_000_000 - 3 * 86_400_000), 3);
  assert.equal(daysLeftOf(JWT, 1_790_000_000_000 + 1), -1);
  assert.equal(ownerOf(JWT), "1***00");
  assert.equal(ownerOf(JWT, "ada@example.org"), "a***rg");
  for (const other of [
    "abc",
    "a.b.c",
    `a.${Buffer.from('{"exp":"soon"}').toString("base64url")}.c`,
    "a.bnVsbA.c",
  ]) {
    assert.equal(expiryOf(other), undefined);
    assert.equal(ownerOf(other), undefined);
  }
});

test("a line of another program loses the known token and what is shaped like one", () => {
  assert.equal(withoutTokens(`a opaque b ${JWT} c`, "opaque"), "a *** b *** c");
  assert.equal(withoutTokens("nothing to hide"), "nothing to hide");
});
