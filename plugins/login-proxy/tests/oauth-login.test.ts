/** The login program in the box against a real OAuth server, oidc-provider: a person at a terminal. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { kyHttp } from "../../../core/adapters/http.ts";
import { OAuthHarness, type OAuthHarnessOptions } from "./oauth-harness.ts";
import { ACCOUNT, CLIENT_ID, OAuthProvider } from "./oauth-provider.ts";
import { FakeService } from "../../../contract-tests/fake-service.ts";

const provider = await OAuthProvider.start();
after(() => provider.close());

/** A harness whose person confirms the code while the login waits for the nth time. */
const confirming = (time = 1, options: OAuthHarnessOptions = {}) =>
  OAuthHarness.at(provider, {
    ...options,
    meanwhile: async (now, harness) => {
      if (now === time) await provider.approve(harness.userCode);
    },
  });

/** Answers the first requests to a path, one after another; the rest gets through. */
function first(
  path: string,
  ...replies: readonly ReturnType<Parameters<OAuthProvider["play"]>[0]>[]
): Disposable {
  const left = [...replies];
  return provider.play((request) => (request.path === path ? left.shift() : undefined));
}

const SLOW_DOWN = { status: 400, body: { error: "slow_down" } };

describe("a device login", () => {
  test("yields the token once the code is confirmed, and asks once after each wait of 5 s", async () => {
    await using harness = await confirming(3);
    const asked = provider.grants("device").length;
    const { value } = await harness.login.interactive(harness.wait());
    assert.deepEqual(harness.waits, [5, 5, 5]);
    assert.equal(provider.grants("device").length - asked, 3);
    assert.ok(await provider.provider.AccessToken.find(value));
    assert.deepEqual(harness.progress, ["Waiting for the code to be confirmed."]);
  });

  test("brings the end that the server names and a stable name of the account, and so does a refresh without id token", async () => {
    await using harness = await confirming();
    const fresh = await harness.login.interactive(harness.wait());
    assert.equal(fresh.account, ACCOUNT);
    assert.equal(fresh.expiresAt, harness.clock.now() + 600_000);
    const body = { access_token: "second", token_type: "bearer", expires_in: 60 };
    using _ = first("/token", { status: 200, body });
    assert.deepEqual(await harness.login.quiet(harness.wait()), {
      value: "second",
      account: ACCOUNT,
      expiresAt: harness.clock.now() + 60_000,
    });
  });

  test("asks for a refresh token, as the public client that is configured", async () => {
    await using harness = await confirming(1, { settings: { audience: "https://service.example" } });
    await harness.login.interactive(harness.wait());
    const form = provider.seen.findLast(({ path }) => path === "/device/auth")?.form ?? [];
    assert.deepEqual(Object.fromEntries(form), {
      client_id: CLIENT_ID,
      scope: "openid offline_access",
      audience: "https://service.example",
    });
  });

  test("takes server and client from the environment before the settings", async () => {
    await using harness = await confirming(1, {
      settings: { issuer: "https://nobody.invalid", clientId: "nobody" },
      variables: { SVC_LOGIN_ISSUER: provider.url, SVC_LOGIN_CLIENT_ID: CLIENT_ID },
    });
    assert.deepEqual(
      [harness.login.configured, harness.login.label],
      [true, `device login (${provider.url})`],
    );
    assert.ok((await harness.login.interactive(harness.wait())).value);
  });

  test("shows the address with the code, the code, the address without it, and the end", async () => {
    await using harness = await confirming();
    await harness.login.interactive(harness.wait());
    const code = harness.userCode;
    assert.deepEqual(harness.log.notices, [
      `To log in, open this address on any device and confirm the code ${code}:`,
      `  ${provider.url}/device?user_code=${code}`,
      `It is good for 10 minutes, until 2026-07-01T12:10:00Z, and can also be typed in at ${provider.url}/device`,
    ]);
  });

  const widths: readonly (readonly [string, number | undefined, Readonly<Record<string, string>>, number])[] =
    [
      ["a QR code of 19 lines where 37 columns are there", 37, {}, 19],
      ["no QR code where a column is missing", 36, {}, 0],
      ["no QR code without a terminal", undefined, {}, 0],
      ["no QR code where colours are unwanted", 80, { NO_COLOR: "1" }, 0],
    ];
  for (const [what, columns, variables, lines] of widths) {
    test(`shows ${what}`, async () => {
      await using harness = await confirming(1, { variables });
      await harness.login.interactive(harness.wait({ columns }));
      const shown = harness.log.notices.filter((line) => line.startsWith("\u001B[38;5;16;48;5;231m"));
      assert.equal(shown.length, lines);
    });
  }

  test("writes the QR code as a picture, and goes on where that fails", async () => {
    await using harness = await confirming();
    const qrFile = join(harness.folder, "code.svg");
    await harness.login.interactive(harness.wait({ qrFile }));
    assert.match(await readFile(qrFile, "utf8"), /^<svg [\s\S]+<\/svg>$/);
    await using other = await confirming();
    const { value } = await other.login.interactive(
      other.wait({ qrFile: join(other.folder, "none", "code.svg") }),
    );
    assert.ok(value);
    assert.match(other.said, /There is no QR code: .*code\.svg cannot be written \(ENOENT\)/);
  });

  test("ends when the person refuses", async () => {
    await using harness = await OAuthHarness.at(provider, {
      meanwhile: (_, { userCode }) => provider.deny(userCode),
    });
    await assert.rejects(harness.login.interactive(harness.wait()), {
      code: "LOGIN_REFUSED",
      message: "The login was refused on the login page.",
    });
    assert.deepEqual(harness.waits, [5]);
  });

  test("ends when the server lets the code run out", async () => {
    await using harness = await OAuthHarness.at(provider, {
      meanwhile: (_, { userCode }) => provider.expire(userCode),
    });
    await assert.rejects(harness.login.interactive(harness.wait()), { code: "LOGIN_EXPIRED" });
  });

  test("ends by itself when the time of the code is over", async () => {
    const brief = await OAuthProvider.start({ deviceSeconds: 12 });
    try {
      await using harness = await OAuthHarness.at(brief);
      await assert.rejects(harness.login.interactive(harness.wait()), { code: "LOGIN_EXPIRED" });
      assert.deepEqual(harness.waits, [5, 5]);
    } finally {
      await brief.close();
    }
  });

  test("waits 5 s longer for good with each slow_down", async () => {
    await using harness = await confirming(4);
    using _ = first("/token", SLOW_DOWN, undefined, SLOW_DOWN);
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.deepEqual(harness.waits, [5, 10, 10, 15]);
  });

  test("doubles the wait while the network fails, and only then", async () => {
    await using harness = await confirming(5);
    using _ = first("/token", "drop", { status: 503, body: "" }, "drop");
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.deepEqual(harness.waits, [5, 10, 20, 40, 5]);
  });

  test("goes on after a time-out", async () => {
    const http: typeof kyHttp = { send: (request) => kyHttp.send({ ...request, timeoutMs: 250 }) };
    await using harness = await confirming(3, { http });
    using _ = first("/token", "silence");
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.deepEqual(harness.waits, [5, 10, 5]);
  });

  test("says that the server was not reached when that lasted until the end of the code", async () => {
    await using harness = await OAuthHarness.at(provider);
    using _ = provider.play(({ path }) => (path === "/token" ? "drop" : undefined));
    await assert.rejects(harness.login.interactive(harness.wait()), { code: "NETWORK_BROKEN" });
    assert.deepEqual(harness.waits.slice(0, 6), [5, 10, 20, 40, 60, 60]);
  });

  test("is ended by its signal: at once while it waits, and after the answer while it asks", async () => {
    const key = new AbortController();
    await using waiting = await OAuthHarness.at(provider, { meanwhile: async () => key.abort() });
    await assert.rejects(waiting.login.interactive(waiting.wait({ signal: key.signal })), {
      code: "CANCELLED",
    });
    const second = new AbortController();
    await using asking = await OAuthHarness.at(provider);
    using _ = provider.play(({ path }) => {
      if (path !== "/token") return undefined;
      second.abort();
      return { status: 400, body: { error: "authorization_pending" } };
    });
    await assert.rejects(asking.login.interactive(asking.wait({ signal: second.signal })), {
      code: "CANCELLED",
    });
    assert.equal(asking.waits.length, 2);
  });

  test("that is confirmed is not lost when it is ended while the token is on its way", async () => {
    const stop = new AbortController();
    await using harness = await confirming();
    using _ = provider.play(({ path }) => {
      if (path === "/token") stop.abort();
      return undefined;
    });
    assert.ok((await harness.login.interactive(harness.wait({ signal: stop.signal }))).value);
    assert.deepEqual(await harness.names(), ["refresh.json"]);
  });

  test("follows no redirect: the other side never sees a device code", async () => {
    const other = await FakeService.start("drop");
    try {
      await using harness = await confirming(2);
      using _ = first("/token", { status: 307, headers: { location: `${other.url}/token` }, body: "" });
      assert.ok((await harness.login.interactive(harness.wait())).value);
      assert.equal(other.seen.length, 0);
    } finally {
      await other.close();
    }
  });
});

describe("a login server that cannot be used", () => {
  const settings: readonly (readonly [string, OAuthHarnessOptions["settings"] & object, RegExp])[] = [
    ["an unknown client", { clientId: "nobody" }, /refuses the device login \(invalid_client\)\.$/],
    ["http beyond loopback", { issuer: "http://id.example" }, /must be an https address/],
    ["no address", { issuer: "id.example" }, /must be an https address/],
    ["an address with a query", { issuer: "https://id.example/?a=b" }, /must be its issuer alone/],
    ["an address of metadata", { issuer: "https://id.example/.well-known/a" }, /must be its issuer alone/],
    ["no client id", { clientId: undefined }, /has no client id\.$/],
    ["no server", { issuer: undefined }, /has no address of the login server\.$/],
  ];
  for (const [what, change, message] of settings) {
    test(`${what} is a fault of the configuration`, async () => {
      await using harness = await OAuthHarness.at(provider, { settings: change });
      await assert.rejects(harness.login.interactive(harness.wait()), { code: "CONFIG_INVALID", message });
    });
  }

  test("metadata of another issuer are refused", async () => {
    const issuer = provider.url.replace("127.0.0.1", "localhost");
    await using harness = await OAuthHarness.at({ url: issuer });
    await assert.rejects(harness.login.interactive(harness.wait()), {
      code: "CONFIG_INVALID",
      message: /^http:\/\/localhost:\d+\/ is no login server that can be used: /,
    });
  });

  test("an address in the metadata that is not safe is not called", async () => {
    await using harness = await OAuthHarness.at(provider);
    const metadata = {
      issuer: provider.url,
      device_authorization_endpoint: "http://id.example/device",
      token_endpoint: `${provider.url}/token`,
    };
    using _ = first("/.well-known/openid-configuration", { status: 200, body: metadata });
    await assert.rejects(harness.login.interactive(harness.wait()), {
      code: "CONFIG_INVALID",
      message: "The login server names an address that is not https.",
    });
  });

  test("one without device login is a fault of the configuration", async () => {
    await using harness = await OAuthHarness.at(provider);
    using _ = first("/.well-known/openid-configuration", { status: 200, body: { issuer: provider.url } });
    await assert.rejects(harness.login.interactive(harness.wait()), {
      code: "CONFIG_INVALID",
      message: /no device login/,
    });
  });

  test("one that is not there cannot be reached, and one that is ill answers with its status", async () => {
    const gone = await OAuthProvider.start();
    await using absent = await OAuthHarness.at(gone);
    await gone.close();
    await assert.rejects(absent.login.interactive(absent.wait()), { code: "NETWORK_UNREACHED" });
    await using harness = await OAuthHarness.at(provider);
    using _ = first("/.well-known/openid-configuration", { status: 502, body: "<h1>no</h1>" });
    await assert.rejects(harness.login.interactive(harness.wait()), {
      code: "NETWORK_BROKEN",
      message: /status 502\.$/,
    });
  });

  test("none at all is not configured, and there is nothing to log in to", async () => {
    await using harness = await OAuthHarness.at(provider, {
      settings: { issuer: undefined, clientId: undefined },
    });
    const { login } = harness;
    assert.deepEqual([login.configured, login.label], [false, "device login"]);
    assert.equal(await login.quiet(harness.wait()), undefined);
    assert.equal(await login.verify("token", new AbortController().signal), undefined);
    await assert.rejects(login.interactive(harness.wait()), { code: "LOGIN_MISSING" });
    await login.forget(new AbortController().signal);
  });
});

describe("what a login server may not answer", () => {
  const device = (parts: object) => ({
    status: 200,
    body: {
      device_code: "canary-device",
      user_code: "ABCD-EFGH",
      verification_uri: "https://id.example/device",
      expires_in: 600,
      ...parts,
    },
  });
  const answers: readonly (readonly [string, object])[] = [
    ["a user code with control characters", { user_code: "\u001B]0;canary\u0007" }],
    ["a user code without end", { user_code: "A".repeat(65) }],
    ["an address that is a program", { verification_uri: "javascript:canary()" }],
    ["an address that is not safe", { verification_uri: "http://id.example/canary" }],
    ["no code", { device_code: "" }],
    ["no time", { expires_in: "canary" }],
    ["an interval of no time", { interval: 0 }],
  ];
  for (const [what, parts] of answers) {
    test(`${what} is shown to nobody`, async () => {
      await using harness = await OAuthHarness.at(provider);
      using _ = first("/device/auth", device(parts));
      await assert.rejects(harness.login.interactive(harness.wait()), (error: Error & { code: string }) => {
        assert.equal(error.code, "NETWORK_BROKEN");
        assert.doesNotMatch(error.message, /canary/);
        return true;
      });
      assert.deepEqual(harness.log.notices, []);
    });
  }

  test("an address goes to the terminal in ASCII, and one with the code that is not safe not at all", async () => {
    await using harness = await OAuthHarness.at(provider, {
      meanwhile: () => Promise.reject(new Error("enough")),
    });
    using _ = first(
      "/device/auth",
      device({
        verification_uri: "https://idé.example/\u202E",
        verification_uri_complete: "file:///etc/passwd",
      }),
    );
    await assert.rejects(harness.login.interactive(harness.wait()), { message: "enough" });
    assert.equal(harness.log.notices[1], "  https://xn--id-cja.example/%E2%80%AE");
  });

  test("a token that could end a header is refused and not repeated", async () => {
    await using harness = await OAuthHarness.at(provider);
    const body = { access_token: "canary token\r\nx: y", token_type: "bearer" };
    using _ = first("/token", { status: 200, body });
    await assert.rejects(harness.login.interactive(harness.wait()), (error: Error & { code: string }) => {
      assert.equal(error.code, "NETWORK_BROKEN");
      assert.doesNotMatch(error.message, /canary/);
      return true;
    });
  });
});
