import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { piping } from "./tests/login-harness.ts";
import { factsOf, maskedAccount, objectOf, tokenFrom, tokenOf, withoutTokens } from "./token-text.ts";

const DAY = 86_400_000;
const END = 1_790_000_000_000;
const jwt = (payload: string): string =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(payload).toString("base64url")}.sig`;
const JWT = jwt('{"exp":1790000000,"sub":"13800138000"}');

const handed = (text: string): Promise<string | undefined> =>
  tokenFrom({ person: piping(text) } as never).catch(() => undefined);

test("no text makes the readers throw, and what they take is printable ASCII", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      factsOf(text, 0);
      objectOf(text);
      for (const token of [tokenOf(text), await handed(text)]) assert.match(token ?? "ok", /^[\x21-\x7e]+$/);
    }),
  );
});

test("a token is taken out of what is handed in", async () => {
  const taken = [" abc \r\n", "\uFEFFabc\n", '"abc"', "'abc'\n", "“abc”", "`abc`", "「abc」", "abc"];
  for (const text of taken) assert.equal(await handed(text), "abc", JSON.stringify(text));
  for (const text of ['"ab"c', '"']) assert.equal(await handed(text), text);
  const none = ['""', "", "svc-header-token: abc", "abc\ndef", "\u001B[31mabc", "ａｂｃ", "a".repeat(8_193)];
  for (const text of none) assert.equal(await handed(text), undefined, JSON.stringify(text.slice(0, 20)));
});

test("the end and the owner of a token are read out of a JWT, else out of what the login said", () => {
  const expiresAt = new Date(END).toISOString();
  assert.deepEqual(factsOf(JWT, END - 3 * DAY), { account: "1***00", daysLeft: 3, expiresAt });
  assert.match(factsOf(JWT, END).ranOut ?? "", /has run out: it was good until 2026-/);
  assert.equal(factsOf(JWT, 0, { account: "ada@example.org", expiresAt: 5 }).account, "a***rg");
  assert.deepEqual(factsOf("opaque", END - DAY, { expiresAt: END }), { daysLeft: 1, expiresAt });
  for (const other of ["abc", "a.b.c", jwt('{"exp":"soon"}'), jwt("null"), jwt("[1]")])
    assert.deepEqual(factsOf(other, 0), {}, other);
});

test("an account is masked, and at most three characters of it are shown", () => {
  const masks: readonly (readonly [claims: Readonly<Record<string, unknown>>, mask: string | undefined])[] = [
    [{ name: "Ada Lovelace", email: "ada@example.org" }, "a***rg"],
    [{ name: "Ada L" }, "A***"],
    [{ sub: "abc" }, "***"],
    [{ nickname: "蓝色的河流之歌" }, "蓝***之歌"],
    [{ name: "" }, undefined],
    [{ name: 5 }, undefined],
  ];
  for (const [claims, mask] of masks) assert.equal(maskedAccount(claims), mask, JSON.stringify(claims));
});

test("a line of another program loses the known token and what is shaped like one", () => {
  assert.equal(withoutTokens(`a opaque b ${JWT} c`, "opaque"), "a *** b *** c");
  assert.equal(withoutTokens("nothing to hide"), "nothing to hide");
});
