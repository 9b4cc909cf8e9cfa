/** verify, status, logout and pasting, as the skill answers them (docs/login.md). */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { SkillError } from "skillctl";
import { FakeService, type FakeReply } from "../../../contract-tests/fake-service.ts";
import {
  CANARY,
  asked,
  jwtOf,
  loginHost,
  piping,
  printOf,
  typing,
  writeCache,
  type Acts,
} from "./login-harness.ts";

const NOW = Date.parse("2026-07-01T12:00:00Z");
const DAY = 86_400;
const lasting = (days: number): string => jwtOf({ sub: "13800138000", exp: NOW / 1000 + days * DAY });
const nowhere = new RegExp(`${CANARY}|eyJ`);
const everything = (caught: unknown): string => {
  const { message, hint, stack, cause } = caught as SkillError;
  return [message, hint, stack, String(cause)].join("\n");
};

describe("verify by the service", () => {
  const json = (body: unknown): FakeReply => ({ body: JSON.stringify(body) });
  const rows: readonly (readonly [
    title: string,
    reply: FakeReply,
    code: string | undefined,
    account?: string,
  ])[] = [
    ["ret 0 is good", json({ ret: 0, data: { nickname: "Blue River" } }), undefined, "B***er"],
    ['code "0" is good', json({ code: "0" }), undefined],
    ["success is good", json({ success: true, email: "ada@example.org" }), undefined, "a***rg"],
    ["another code is not", json({ code: "UNAUTHORIZED", message: "未登录" }), "LOGIN_TOKEN_INVALID"],
    ["401 is not", { status: 401, body: "" }, "LOGIN_TOKEN_INVALID"],
    [
      "a redirect is no answer",
      { status: 302, headers: { location: "/x" }, body: '{"ret":0}' },
      "LOGIN_UNVERIFIED",
    ],
    ["a failure of the service is no answer", { status: 503, body: '{"ret":0}' }, "LOGIN_UNVERIFIED"],
    ["a page is no answer", { body: "<html>" }, "LOGIN_UNVERIFIED"],
    ["a broken connection is no answer", "drop", "LOGIN_UNVERIFIED"],
  ];
  test("goes by what the service says, and asks it once", async () => {
    for (const [title, reply, code, account] of rows) {
      const service = await FakeService.start(reply);
      try {
        await using test = await loginHost({
          config: { "login-proxy": { verifyUrl: `${service.url}/user/info` } },
        });
        await writeCache(test.file, { token: CANARY, baseUrl: service.url });
        const outcome = await asked(test, "verify").catch((caught: unknown) => caught);
        const { state, account: shown, code: failed } = outcome as Readonly<Record<string, unknown>>;
        assert.deepEqual([state, shown, failed], [code ? undefined : "valid", account, code], title);
        assert.doesNotMatch(code ? everything(outcome) : JSON.stringify(outcome), nowhere);
        const [seen, ...more] = service.seen;
        assert.deepEqual(more, [], title);
        assert.equal(`${seen?.method} ${seen?.url}`, "GET /user/info");
        assert.equal(seen?.headers["svc-header-token"], CANARY);
      } finally {
        await service.close();
      }
    }
  });

  test("an address that is not safe is no place for a token", async () => {
    for (const verifyUrl of [
      "http://music.example/me",
      "ftp://music.example",
      "nonsense",
      "https://a:b@music.example/",
    ]) {
      await using test = await loginHost({
        variables: { SVC_HEADER_TOKEN: CANARY, SVC_BASE_URL: verifyUrl },
        config: { "login-proxy": { verifyUrl } },
      });
      await assert.rejects(
        asked(test, "verify"),
        { code: "CONFIG_INVALID", message: /no https address/ },
        verifyUrl,
      );
    }
  });
});

describe("pasting", () => {
  test("is what login does at a terminal without a login program", async () => {
    await using test = await loginHost();
    assert.equal((await asked(test, "login", {}, { person: typing(CANARY) }))["mode"], "paste");
    await using piped = await loginHost();
    await assert.rejects(asked(piped, "login", {}, { person: piping(CANARY) }), { code: "LOGIN_MISSING" });
  });

  const refusals: readonly (readonly [text: string, acts: Acts | undefined, code: string])[] = [
    ["", undefined, "LOGIN_PASTE_UNUSABLE"],
    ["two words", undefined, "LOGIN_PASTE_UNUSABLE"],
    ["a".repeat(8_193), undefined, "LOGIN_PASTE_UNUSABLE"],
    [CANARY, { verify: { status: 1 } }, "LOGIN_TOKEN_INVALID"],
  ];
  test("what is no good token is refused, and the token that was there stays", async () => {
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

  test("says why when the token cannot be kept, and where nobody can paste", async () => {
    await using test = await loginHost();
    await assert.rejects(asked(test, "login", { mode: "paste" }), { code: "LOGIN_REQUIRED" });
    await writeFile(join(test.environment.home, ".svc-login"), "in the way");
    const pasted = asked(test, "login", { mode: "paste" }, { person: typing(CANARY) });
    await assert.rejects(pasted, {
      code: "FILE_UNWRITABLE",
      message: /^The token was not kept: .* is no folder/,
      hint: "Mend that and paste the token again, or set SVC_HEADER_TOKEN.",
    });
  });

  test("a token that has run out is kept with a warning, and not said to be good", async () => {
    await using test = await loginHost();
    const output = await asked(test, "login", { mode: "paste" }, { person: typing(lasting(-1)) });
    assert.match(test.log.notices.join("\n"), /^Warning: the login token has run out: it was good until/);
    assert.doesNotMatch(String(output["text"]), /It is good until/);
    assert.equal((await asked(test, "status"))["source"], "cache");
  });
});

describe("check", () => {
  test("warns of a token that has run out, by its own word or that of the login", async () => {
    for (const cached of [
      { token: lasting(-1) },
      { token: "opaque", expiresAt: new Date(NOW - 1).toISOString() },
    ]) {
      await using test = await loginHost();
      await writeCache(test.file, cached);
      assert.equal((await asked(test, "check"))["token"], cached.token);
      assert.match(test.log.notices.join("\n"), /^Warning: the login token has run out/);
    }
  });

  test("with the device login, an opaque token that the login said to be over does not come first", async () => {
    const variables = { SVC_LOGIN_ISSUER: "http://127.0.0.1:1", SVC_LOGIN_CLIENT_ID: "skillctl" };
    await using test = await loginHost({ variables });
    await writeCache(test.file, { token: "opaque", expiresAt: new Date(NOW + 1).toISOString() });
    assert.equal((await asked(test, "check"))["token"], "opaque");
    await writeCache(test.file, { token: "opaque", expiresAt: new Date(NOW).toISOString() });
    await assert.rejects(asked(test, "check"), { code: "LOGIN_REQUIRED" });
  });
});

describe("status", () => {
  test("says where the token is, whose, until when and who would fetch a new one; never the token", async () => {
    const token = lasting(12.5);
    await using test = await loginHost({ acts: {}, variables: { SVC_HEADER_TOKEN: CANARY } });
    await writeCache(test.file, { token, savedAt: NOW / 1000 - DAY, baseUrl: "https://music.example" });
    const output = await asked(test, "status");
    assert.deepEqual(output, {
      text: [
        `The login token is in ${test.file}.`,
        "It is sent to https://music.example and nowhere else.",
        "Account: 1***00",
        "It is good until 2026-07-14T00:00:00.000Z (12 more days).",
        `Login program: login program (${test.login.path})`,
      ].join("\n"),
      source: "cache",
      file: test.file,
      environment: true,
      warnings: [],
      account: "1***00",
      expiresAt: "2026-07-14T00:00:00.000Z",
      daysLeft: 12,
      savedAt: "2026-06-30T12:00:00.000Z",
      baseUrl: "https://music.example",
      program: `login program (${test.login.path})`,
    });
    assert.doesNotMatch(JSON.stringify(output), nowhere);
    assert.deepEqual(await test.login.words(), []);
  });

  const warned: readonly (readonly [title: string, days: number, warning: RegExp | undefined])[] = [
    ["three days are enough", 3.1, undefined],
    ["less than three days", 2.9, /^The token runs out in 2 days: log in again/],
    ["less than a day", 0.5, /^The token runs out within a day/],
    ["none", -0.1, /^The token has run out/],
  ];
  test("warns of the end of a token", async () => {
    for (const [title, days, warning] of warned) {
      await using test = await loginHost({ variables: { SVC_HEADER_TOKEN: lasting(days) } });
      const { warnings, source } = await asked(test, "status");
      const [first, ...more] = warnings as readonly string[];
      assert.deepEqual([more, source, first === undefined], [[], "environment", !warning], title);
      if (warning) assert.match(first ?? "", warning);
    }
  });
});
