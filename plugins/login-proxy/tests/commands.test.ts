/** verify, status, logout and pasting, as the skill answers them (docs/login.md). */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { SkillError } from "skillctl";
import {
  CANARY,
  asked,
  jwtOf,
  loginHost,
  piping,
  printOf,
  typing,
  writeCache,
  type ProgramScript,
} from "./login-harness.ts";

const NOW = Date.parse("2026-07-01T12:00:00Z");
const DAY = 86_400;
const lasting = (days: number): string => jwtOf({ sub: "13800138000", exp: NOW / 1000 + days * DAY });
const everything = (caught: unknown): string => {
  const { message, hint, stack, cause } = caught as SkillError;
  return [message, hint, stack, String(cause)].join("\n");
};

describe("pasting", () => {
  test("is the default of login at a terminal without a login program", async () => {
    await using test = await loginHost();
    assert.equal((await asked(test, "login", {}, { person: typing(CANARY) }))["mode"], "paste");
    await using piped = await loginHost();
    await assert.rejects(asked(piped, "login", {}, { person: piping(CANARY) }), { code: "LOGIN_MISSING" });
  });

  const refusals: readonly (readonly [text: string, acts: ProgramScript | undefined, code: string])[] = [
    ["", undefined, "LOGIN_PASTE_UNUSABLE"],
    ["a".repeat(8_193), undefined, "LOGIN_PASTE_UNUSABLE"],
    [CANARY, { verify: { status: 1 } }, "LOGIN_TOKEN_INVALID"],
  ];
  test("an invalid token is refused, and the previous token is kept", async () => {
    for (const [text, acts, code] of refusals) {
      await using test = await loginHost({ ...(acts && { acts }) });
      await writeCache(test.file, { token: "before" });
      const before = await printOf(test.file);
      const pasted = asked(test, "login", { mode: "paste" }, { person: typing(text) });
      const caught = await pasted.catch((error: unknown) => error);
      assert.equal((caught as SkillError).code, code, JSON.stringify(text.slice(0, 20)));
      if (text !== "") assert.ok(!everything(caught).includes(text), JSON.stringify(text.slice(0, 20)));
      assert.equal(await printOf(test.file), before, JSON.stringify(text.slice(0, 20)));
    }
  });

  test("gives the reason when the token cannot be kept, and when no person can paste", async () => {
    await using test = await loginHost();
    await assert.rejects(asked(test, "login", { mode: "paste" }), { code: "LOGIN_REQUIRED" });
    await writeFile(join(test.environment.home, ".svc-login"), "in the way");
    const pasted = asked(test, "login", { mode: "paste" }, { person: typing(CANARY) });
    await assert.rejects(pasted, {
      code: "FILE_UNWRITABLE",
      message: /^The token was not kept: .* is not a folder/,
      hint: "Fix that and paste the token again, or set SVC_HEADER_TOKEN.",
    });
  });

  test("an expired token is kept with a warning and is not reported as good", async () => {
    await using test = await loginHost();
    const output = await asked(test, "login", { mode: "paste" }, { person: typing(lasting(-1)) });
    assert.match(test.log.notices.join("\n"), /^Warning: the login token expired at/);
    assert.doesNotMatch(String(output["text"]), /It is valid until/);
    assert.equal((await asked(test, "status"))["source"], "cache");
  });
});

describe("check", () => {
  test("warns of an expired token, by its own expiry or that of the login", async () => {
    for (const cached of [
      { token: lasting(-1) },
      { token: "opaque", expiresAt: new Date(NOW - 1).toISOString() },
    ]) {
      await using test = await loginHost();
      await writeCache(test.file, cached);
      assert.equal((await asked(test, "check"))["token"], cached.token);
      assert.match(test.log.notices.join("\n"), /^Warning: the login token expired at/);
    }
  });

  test("with the device login, an opaque token that has expired according to the login is not used first", async () => {
    const variables = { SVC_LOGIN_ISSUER: "http://127.0.0.1:1", SVC_LOGIN_CLIENT_ID: "skillctl" };
    await using test = await loginHost({ variables });
    await writeCache(test.file, { token: "opaque", expiresAt: new Date(NOW + 1).toISOString() });
    assert.equal((await asked(test, "check"))["token"], "opaque");
    await writeCache(test.file, { token: "opaque", expiresAt: new Date(NOW).toISOString() });
    await assert.rejects(asked(test, "check"), { code: "LOGIN_REQUIRED" });
  });
});

describe("status", () => {
  const warned: readonly (readonly [title: string, days: number, warning: RegExp | undefined])[] = [
    ["three days are enough", 3.1, undefined],
    ["less than three days", 2.9, /^The token expires in 2 days: log in again/],
    ["less than a day", 0.5, /^The token expires within a day/],
    ["none", -0.1, /^The token has expired/],
  ];
  test("warns before and after the expiry of a token", async () => {
    for (const [title, days, warning] of warned) {
      await using test = await loginHost({ variables: { SVC_HEADER_TOKEN: lasting(days) } });
      const { warnings, source } = await asked(test, "status");
      const [first, ...more] = warnings as readonly string[];
      assert.deepEqual([more, source, first === undefined], [[], "environment", !warning], title);
      if (warning) assert.match(first ?? "", warning);
    }
  });
});
