import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cachedToken, tokenFileText } from "./token-file.ts";

const READ: readonly (readonly [title: string, text: string, token: string | undefined])[] = [
  ["a plain file", '{"token":"abc","savedAt":1760000000,"baseUrl":"https://music.example"}', "abc"],
  ["a byte-order mark", '\uFEFF{"token":"abc"}', "abc"],
  ["unknown keys", '{"token":"abc","account":{"id":1}}', "abc"],
  ["white space around the token", '{"token":" abc\\n"}', "abc"],
  ["a wrong savedAt", '{"token":"abc","savedAt":"yesterday"}', "abc"],
  ["an empty file", "", undefined],
  ["half a file", '{"token":"ab', undefined],
  ["a list", '["abc"]', undefined],
  ["null", "null", undefined],
  ["no token", "{}", undefined],
  ["a blank token", '{"token":"  "}', undefined],
  ["a token that is no text", '{"token":12}', undefined],
  ["a token that would end the header", '{"token":"abc\\r\\nx-evil: 1"}', undefined],
  ["a token with a space", '{"token":"a b"}', undefined],
  ["a token that is no ASCII", '{"token":"abcé"}', undefined],
  ["a token over 8 KiB", JSON.stringify({ token: "a".repeat(8193) }), undefined],
];

for (const [title, text, expected] of READ) {
  test(`the cache file is read tolerantly: ${title}`, () => assert.equal(cachedToken(text)?.token, expected));
}

const FRESH = { token: "new", savedAt: 1_782_907_200, baseUrl: "https://music.example" } as const;

test("the cache file is written as two-space JSON with token, savedAt in seconds and baseUrl", () => {
  assert.equal(
    tokenFileText(FRESH),
    '{\n  "token": "new",\n  "savedAt": 1782907200,\n  "baseUrl": "https://music.example"\n}\n',
  );
  assert.equal(
    tokenFileText({ ...FRESH, baseUrl: undefined }),
    '{\n  "token": "new",\n  "savedAt": 1782907200\n}\n',
  );
});

const BEFORE: readonly (readonly [title: string, before: string, kept: object])[] = [
  ["keys that nobody here knows stay", '{"token":"old","profile":"a","n":[1]}', { profile: "a", n: [1] }],
  ["facts about another token go", '{"token":"old","account":"ada","expiresAt":1,"x":1}', { x: 1 }],
  ["facts about the same token stay", '{"token":"new","account":"ada","baseUrl":"x"}', { account: "ada" }],
  [
    "a key that every object has stays",
    '{"__proto__":{"a":1}}',
    JSON.parse('{"__proto__":{"a":1}}') as object,
  ],
  ["a broken file leaves nothing", '{"token":', {}],
  ["a list leaves nothing", "[1]", {}],
];

for (const [title, before, kept] of BEFORE) {
  test(`rewriting the cache file: ${title}`, () => {
    const expected = JSON.stringify(Object.fromEntries([...Object.entries(FRESH), ...Object.entries(kept)]));
    assert.equal(JSON.stringify(JSON.parse(tokenFileText(FRESH, before))), expected);
  });
}

test("account and end of the token follow the three keys, and are read back", () => {
  const end = Date.parse("2026-07-14T00:00:00Z");
  const text = tokenFileText({ ...FRESH, expiresAt: end, account: "ada" }, '{"token":"old","account":"bob"}');
  assert.equal(
    JSON.stringify(JSON.parse(text)),
    JSON.stringify({ ...FRESH, expiresAt: "2026-07-14T00:00:00.000Z", account: "ada" }),
  );
  assert.deepEqual(cachedToken(text), { ...FRESH, expiresAt: end, account: "ada" });
});

test("the end of a token is read as another login program writes it", () => {
  for (const [written, read] of [
    [1_783_987_200, 1_783_987_200_000],
    [1_783_987_200_000, 1_783_987_200_000],
    ["2026-07-14T00:00:00Z", 1_783_987_200_000],
    ["soon", undefined],
    [-1, undefined],
    [1e15, undefined],
    [{}, undefined],
  ] as const)
    assert.equal(
      cachedToken(JSON.stringify({ token: "abc", expiresAt: written }))?.expiresAt,
      read,
      JSON.stringify(written),
    );
});

test("whatever stood in the file before, what is written is read back", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (before) => {
      const { token, savedAt, baseUrl } = FRESH;
      const read = cachedToken(tokenFileText(FRESH, before));
      const unsaid = { account: undefined, expiresAt: undefined };
      assert.deepEqual({ ...read, ...unsaid }, { token, savedAt, baseUrl, ...unsaid });
    }),
  );
});
