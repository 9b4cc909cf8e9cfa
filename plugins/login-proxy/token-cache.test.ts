import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { builtinSkills } from "skillctl/skills";
import { createTestHost } from "skillctl/testing";
import { cachedToken } from "./token-cache.ts";
import { expiryOf, tokenOf } from "./token-text.ts";

const JWT = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"exp":1790000000}').toString("base64url")}.sig`;

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

test("no text makes the readers throw, and what they take is printable ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      cachedToken(text);
      expiryOf(text);
      assert.match(tokenOf(text) ?? "ok", /^[\x21-\x7e]+$/);
    }),
  );
});

test("the end of a token is read out of a JWT and of nothing else", () => {
  assert.equal(expiryOf(JWT), 1_790_000_000_000);
  for (const other of ["abc", "a.b.c", `a.${Buffer.from('{"exp":"soon"}').toString("base64url")}.c`]) {
    assert.equal(expiryOf(other), undefined);
  }
});

const run = async (file: string | undefined, variable: string | undefined, command: string) => {
  const box = await createTestHost({ skills: builtinSkills(), variables: { SVC_HEADER_TOKEN: variable } });
  try {
    if (file !== undefined) {
      await mkdir(join(box.environment.home, ".svc-login"));
      await writeFile(join(box.environment.home, ".svc-login", "token.json"), file);
    }
    return (await box.run({ skill: "login-proxy", command, input: {}, surface: "cli" })) as Record<
      string,
      unknown
    >;
  } finally {
    await box.close();
  }
};

test("the cache file comes before the variable, and a broken one falls through to it", async () => {
  assert.deepEqual(await run('{"token":"cached"}', "variable", "check"), {
    token: "cached",
    source: "cache",
  });
  assert.deepEqual(await run('{"token":', "variable", "check"), { token: "variable", source: "environment" });
  assert.deepEqual(await run(undefined, "variable", "check"), { token: "variable", source: "environment" });
  await assert.rejects(run("{}", undefined, "check"), { code: "TOKEN_MISSING" });
});

test("status names the place and the end, never the token", async () => {
  const cached = await run(JSON.stringify({ token: JWT, savedAt: 1_760_000_000 }), undefined, "status");
  assert.equal(cached["source"], "cache");
  assert.equal(cached["expiresAt"], "2026-09-21T14:13:20.000Z");
  assert.doesNotMatch(JSON.stringify(cached), /eyJ/);
  assert.equal((await run(undefined, undefined, "status"))["source"], "none");
});

test("check is offered on the command line only", async () => {
  const box = await createTestHost({ skills: builtinSkills(), variables: { SVC_HEADER_TOKEN: "abc" } });
  try {
    const asked = box.run({ skill: "login-proxy", command: "check", input: {}, surface: "http" });
    await assert.rejects(asked, { code: "SURFACE_REFUSED" });
  } finally {
    await box.close();
  }
});
