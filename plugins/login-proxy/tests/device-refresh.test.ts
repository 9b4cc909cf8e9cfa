/** The built-in device login after a login and without a terminal: refresh, pending codes, the account, logging out. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { deviceHost, loggedIn, shownCode, type DeviceHost } from "./device-harness.ts";
import { asked, piping } from "./login-harness.ts";
import { ACCOUNT, OAuthProvider, type OAuthReply } from "./oauth-provider.ts";

let provider: OAuthProvider;
before(async () => {
  provider = await OAuthProvider.start();
});
after(() => provider.close());

const refreshToken = async (test: DeviceHost): Promise<string> =>
  String((await test.json("refresh.json"))["refreshToken"]);
const known = async (token: string) => (await provider.provider.RefreshToken.find(token)) !== undefined;
const required = { code: "LOGIN_REQUIRED" };

/** Answers requests for new tokens according to a script. */
const refreshing = (script: () => OAuthReply | undefined | Promise<OAuthReply | undefined>): Disposable =>
  provider.play(({ form }) => (form.get("grant_type") === "refresh_token" ? script() : undefined));
const INVALID = { status: 400, body: { error: "invalid_grant" } };

describe("the refresh token", () => {
  test("is kept with its issuer and client, and replaced by the one that comes with a new token", async () => {
    await using test = await loggedIn(provider);
    const { refreshToken: before, ...rest } = await test.json("refresh.json");
    const whose = { issuer: `${provider.url}/`, clientId: "skillctl", account: ACCOUNT };
    assert.deepEqual(rest, { store: "file", ...whose });
    assert.ok(await known(String(before)));
    await test.quiet();
    assert.notEqual(await refreshToken(test), before);
    const { token } = await test.json("token.json");
    assert.ok(await provider.provider.AccessToken.find(String(token)));
    await test.quiet();
    assert.notEqual((await test.json("token.json"))["token"], token);
  });

  test("is kept with its account if a refresh returns neither", async () => {
    await using test = await loggedIn(provider);
    const before = await refreshToken(test);
    using _ = refreshing(() => ({
      status: 200,
      body: { access_token: "second", token_type: "bearer", expires_in: 60 },
    }));
    await test.quiet();
    assert.equal(await refreshToken(test), before);
    const { token, account, expiresAt } = await test.json("token.json");
    assert.deepEqual([token, account, expiresAt], ["second", ACCOUNT, "2026-07-01T12:01:05.000Z"]);
  });

  test("that replaces another is kept also if the wait is cancelled before the response", async () => {
    await using test = await loggedIn(provider);
    const before = await refreshToken(test);
    const stop = new AbortController();
    using _ = refreshing(() => {
      stop.abort();
      return undefined;
    });
    await assert.rejects(test.quiet({ signal: stop.signal }), { code: "CANCELLED" });
    const later = await refreshToken(test);
    assert.deepEqual([later === before, await known(later)], [false, true]);
    const asked = provider.grants("refresh").length;
    await assert.rejects(test.quiet({ signal: AbortSignal.abort() }), { code: "CANCELLED" });
    assert.equal(provider.grants("refresh").length, asked);
  });

  test("that another process has just replaced is read once more and not removed", async () => {
    await using test = await loggedIn(provider);
    const mine = await readFile(test.path("refresh.json"));
    await test.quiet();
    const theirs = await readFile(test.path("refresh.json"));
    await writeFile(test.path("refresh.json"), mine);
    let late = true;
    {
      using _ = refreshing(async () => {
        if (!late) return undefined;
        late = false;
        await writeFile(test.path("refresh.json"), theirs);
        return INVALID;
      });
      await test.quiet();
    }
    const kept = await test.json("refresh.json");
    const before = provider.grants("refresh").length;
    using _ = refreshing(async () => {
      const changed = { ...kept, refreshToken: crypto.randomUUID() };
      await writeFile(test.path("refresh.json"), JSON.stringify(changed));
      return INVALID;
    });
    await assert.rejects(test.quiet(), required);
    assert.equal(provider.grants("refresh").length - before, 2);
    assert.ok((await test.names()).includes("refresh.json"));
  });

  test("is kept if the server fails, and is sent for no other client", async () => {
    await using test = await loggedIn(provider);
    const kept = await test.json("refresh.json");
    {
      using _ = refreshing(() => ({ status: 503, body: "" }));
      await assert.rejects(test.quiet(), { code: "NETWORK_BROKEN" });
    }
    assert.deepEqual(await test.json("refresh.json"), kept);
    const before = provider.seen.length;
    await writeFile(test.path("refresh.json"), JSON.stringify({ ...kept, clientId: "another" }));
    await assert.rejects(test.quiet(), required);
    assert.equal(provider.seen.length, before);
  });
});

describe("without a terminal", () => {
  test("a second process shows the same code again; a code of another server and an invalid one are ignored", async () => {
    await using test = await deviceHost(provider);
    await assert.rejects(test.unattended(), required);
    const kept = await test.json("device.json");
    await assert.rejects(asked(test, "login"), required);
    const lines = test.log.notices.filter((line) => line.startsWith("LOGIN_REQUIRED"));
    assert.deepEqual(lines, [lines[0], lines[0]]);
    for (const text of [
      JSON.stringify({ ...kept, issuer: "https://id.example/" }),
      '{"issuer":',
      "[1]",
      "",
    ]) {
      await writeFile(test.path("device.json"), text);
      const code = shownCode(test);
      await assert.rejects(test.unattended(), required);
      assert.notEqual(shownCode(test), code, text);
    }
  });

  test("the server's interval is respected: an unattended renewal does not wait, a login waits and polls once", async () => {
    await using test = await deviceHost(provider);
    await assert.rejects(test.unattended(), required);
    test.clock.advance(4_950);
    const asked = provider.grants("device").length;
    await assert.rejects(test.quiet(), required);
    assert.equal(provider.grants("device").length, asked);
    await assert.rejects(test.unattended(), required);
    assert.equal(provider.grants("device").length, asked + 1);
    test.clock.set("2026-06-30T12:00:00Z");
    await provider.approve(shownCode(test));
    await test.quiet();
    assert.deepEqual(await test.names(), ["refresh.json", "token.json"]);
  });

  test("a person at a terminal continues with the shown code, unless it is about to expire", async () => {
    for (const seconds of [5, 580]) {
      await using test = await deviceHost(provider);
      await assert.rejects(test.unattended(), required);
      const code = shownCode(test);
      test.clock.advance(seconds * 1_000);
      const stop = new AbortController();
      const login = test.attended({}, { signal: stop.signal });
      while (!test.said().includes("To log in")) await new Promise((resolve) => setTimeout(resolve, 10));
      stop.abort();
      await assert.rejects(login, { code: "CANCELLED" });
      assert.equal(shownCode(test) === code, seconds === 5);
    }
  });
});

test("the account of a token is shown masked, and no server without a login is asked for it", async () => {
  const verify = (test: DeviceHost, token: string) =>
    asked(test, "verify", { stdin: true }, { person: piping(token) });
  await using test = await loggedIn(provider);
  assert.equal((await asked(test, "verify"))["account"], "a***rg");
  await assert.rejects(verify(test, "another"), { code: "LOGIN_TOKEN_INVALID" });
  {
    using _ = provider.play(({ path }) => (path === "/me" ? { status: 500, body: "" } : undefined));
    const message = `${provider.url} answered the request for the account with status 500.`;
    await assert.rejects(verify(test, "any"), { code: "LOGIN_UNVERIFIED", message });
  }
  const scope = { "login-proxy": { oauth: { scope: "offline_access" } } };
  await using narrow = await loggedIn(provider, { config: scope });
  await assert.rejects(asked(narrow, "verify"), { code: "LOGIN_UNVERIFIED" });
  await using nobody = await deviceHost(provider);
  const before = provider.seen.length;
  await assert.rejects(verify(nobody, "canary"), { code: "LOGIN_UNVERIFIED" });
  assert.equal(provider.seen.length, before);
});

test("logging out deletes all data, and reports a server that is unreachable or cannot revoke a login", async () => {
  const mute = await OAuthProvider.start({ features: { revocation: { enabled: false } } });
  try {
    await using test = await loggedIn(mute);
    await asked(test, "logout");
    assert.equal(test.log.notices.at(-1), `${mute.url} cannot revoke a login; it expires by itself.`);
    await using other = await loggedIn(provider);
    using _ = provider.play(({ path }) => (path === "/token/revocation" ? "drop" : undefined));
    await asked(other, "logout");
    assert.match(
      other.log.notices.at(-1) ?? "",
      /^The login was removed here, but not ended on the server: /,
    );
    for (const one of [test, other]) assert.deepEqual(await one.names(), []);
  } finally {
    await mute.close();
  }
});
