/** The built-in device login at a terminal, with a real login server: through the host only. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { SkillError } from "skillctl";
import { deviceHost, shownCode, type DeviceHost } from "./device-harness.ts";
import { typing } from "./login-harness.ts";
import { ACCOUNT, CLIENT_ID, OAuthProvider, type OAuthReply, type OAuthRequest } from "./oauth-provider.ts";

let provider: OAuthProvider;
before(async () => {
  provider = await OAuthProvider.start({ intervalSeconds: 0.02 });
});
after(() => provider.close());

const isPoll = ({ form }: OAuthRequest): boolean => form.has("device_code");

/** Confirms the code that a host shows when the server is asked for the nth time; before that come these replies. */
function confirming(test: DeviceHost, ...before: readonly (OAuthReply | undefined)[]): Disposable {
  let polls = 0;
  return provider.play(async (request) => {
    if (!isPoll(request)) return undefined;
    polls += 1;
    if (polls === before.length + 1) await provider.approve(shownCode(test));
    return before[polls - 1];
  });
}

/** Answers requests to a path with a given reply. */
const answering = (path: string, reply: OAuthReply): Disposable =>
  provider.play((request) => (request.path === path ? reply : undefined));

describe("a device login at a terminal", () => {
  test("polls as the configured client until the code is confirmed, and keeps the token", async () => {
    await using test = await deviceHost(provider, {
      config: {
        "login-proxy": { oauth: { issuer: "https://nobody.invalid", clientId: "x", audience: "a:b" } },
      },
    });
    const asked = provider.grants("device").length;
    using _ = confirming(test, undefined, undefined);
    const { text } = await test.attended();
    assert.match(String(text), /^You are logged in as a\*\*\*91\./);
    assert.equal(provider.grants("device").length - asked, 3);
    const { token, account, expiresAt } = await test.json("token.json");
    assert.ok(await provider.provider.AccessToken.find(String(token)));
    assert.deepEqual([account, expiresAt], [ACCOUNT, "2026-07-01T12:10:00.000Z"]);
    const form = provider.seen.findLast(({ path }) => path === "/device/auth")?.form ?? [];
    const scope = "openid offline_access";
    assert.deepEqual(Object.fromEntries(form), { client_id: CLIENT_ID, scope, audience: "a:b" });
  });

  test("shows the address, the code and its expiry, and a QR code if it fits and colours are enabled", async () => {
    const shown = [
      [80, {}, 19],
      [36, {}, 0],
      [80, { NO_COLOR: "1" }, 0],
    ] as const;
    for (const [columns, variables, lines] of shown) {
      await using test = await deviceHost(provider, { variables });
      using _ = confirming(test);
      await test.attended({}, { person: { ...typing(""), columns } });
      const code = shownCode(test);
      assert.deepEqual(test.log.notices.slice(0, 3), [
        `To log in, open this address on any device and confirm the code ${code}:`,
        `  ${provider.url}/device?user_code=${code}`,
        `It is valid for 10 minutes, until 2026-07-01T12:10:00Z, and can also be typed in at ${provider.url}/device`,
      ]);
      const qr = test.log.notices.filter((line) => line.startsWith("\u001B[38;5;231;48;5;16m"));
      assert.equal(qr.length, lines);
      // eslint-disable-next-line no-control-regex
      for (const line of qr) assert.equal([...line.replaceAll(/\u001B\[[\d;]*m/g, "")].length, 37);
    }
  });

  test("writes the QR code as a picture, and continues if that fails", async () => {
    await using test = await deviceHost(provider);
    const file = (name: string): string => join(test.folder, name);
    using _ = confirming(test);
    await test.attended({ qrFile: file("code.svg") });
    assert.match(await readFile(file("code.svg"), "utf8"), /^<svg [\s\S]+<\/svg>$/);
    await using other = await deviceHost(provider);
    using _other = confirming(other);
    await other.attended({ qrFile: file("none/code.svg") });
    assert.match(other.said(), /The QR code could not be written: .*code\.svg cannot be written \(ENOENT\)/);
  });

  test("ends when the person refuses or the code expires", async () => {
    const ends = [
      ["LOGIN_REFUSED", (code: string) => provider.deny(code)],
      ["LOGIN_EXPIRED", (code: string) => provider.expire(code)],
    ] as const;
    for (const [code, ending] of ends) {
      await using test = await deviceHost(provider);
      using _ = provider.play(async (request) => {
        if (isPoll(request)) await ending(shownCode(test));
        return undefined;
      });
      await assert.rejects(test.attended(), { code });
    }
  });

  test("continues during network failures, and reports them if they last until the code expires", async () => {
    await using test = await deviceHost(provider);
    {
      using _ = confirming(test, "drop", { status: 503, body: "" }, "drop");
      await test.attended();
    }
    await using other = await deviceHost(provider);
    const code = { device_code: "d", user_code: "ABCD-EFGH", verification_uri: `${provider.url}/device` };
    using _ = provider.play(({ path }) =>
      path === "/token"
        ? "drop"
        : path === "/device/auth"
          ? { status: 200, body: { ...code, expires_in: 1, interval: 0.1 } }
          : undefined,
    );
    await assert.rejects(other.attended(), { code: "NETWORK_BROKEN" });
  });

  test("ends at once when its signal is aborted; a token whose request was sent is still kept", async () => {
    for (const isWaiting of [true, false]) {
      const stop = new AbortController();
      await using test = await deviceHost(provider);
      using _ = provider.play(async (request) => {
        if (!isPoll(request)) return undefined;
        if (isWaiting) return { status: 400, body: { error: "slow_down" } };
        await provider.approve(shownCode(test));
        stop.abort();
        return undefined;
      });
      const login = test.attended({}, { signal: stop.signal });
      if (isWaiting) {
        while (shownCode(test) === "") await new Promise((resolve) => setTimeout(resolve, 10));
        stop.abort();
      }
      await assert.rejects(login, { code: "CANCELLED" });
      assert.equal((await test.names()).includes("token.json"), !isWaiting);
    }
  });
});

describe("a login server that cannot be used", () => {
  const names: readonly (readonly [variables: Readonly<Record<string, string>>, message: RegExp])[] = [
    [{ SVC_LOGIN_CLIENT_ID: "nobody" }, /refuses the device login \(invalid_client\)\.$/],
    [{ SVC_LOGIN_ISSUER: "http://id.example" }, /must be an https address/],
    [{ SVC_LOGIN_ISSUER: "https://id.example/?a=b" }, /must be its issuer alone/],
    [{ SVC_LOGIN_ISSUER: "https://id.example/.well-known/a" }, /must be its issuer alone/],
    [{ SVC_LOGIN_CLIENT_ID: "" }, /has no client id\.$/],
    [{ SVC_LOGIN_ISSUER: "" }, /has no address of the login server\.$/],
  ];
  test("is a configuration error if its name, its address or the client is wrong", async () => {
    for (const [variables, message] of names) {
      await using test = await deviceHost(provider, { variables });
      await assert.rejects(test.attended(), { code: "CONFIG_INVALID", message }, JSON.stringify(variables));
    }
    const localhost = { SVC_LOGIN_ISSUER: provider.url.replace("127.0.0.1", "localhost") };
    await using test = await deviceHost(provider, { variables: localhost });
    const message = /^http:\/\/localhost:\d+\/ is not a usable login server: /;
    await assert.rejects(test.attended(), { code: "CONFIG_INVALID", message });
  });

  const metadata: readonly (readonly [reply: OAuthReply, code: string, message: RegExp])[] = [
    [{ status: 200, body: {} }, "CONFIG_INVALID", /does not support the device login/],
    [
      { status: 200, body: { device_authorization_endpoint: "http://id.example/device" } },
      "CONFIG_INVALID",
      /names an address that is not https\.$/,
    ],
    [{ status: 502, body: "<h1>no</h1>" }, "NETWORK_BROKEN", /status 502\.$/],
  ];
  test("is reported for invalid metadata and if it is unreachable", async () => {
    for (const [reply, code, message] of metadata) {
      const { status, body } = reply as { status: number; body: object | string };
      const full =
        typeof body === "string" ? body : { issuer: provider.url, token_endpoint: provider.url, ...body };
      await using test = await deviceHost(provider);
      using _ = answering("/.well-known/openid-configuration", { status, body: full });
      await assert.rejects(test.attended(), { code, message });
    }
    const gone = await OAuthProvider.start();
    await using absent = await deviceHost(gone);
    await gone.close();
    await assert.rejects(absent.attended(), { code: "NETWORK_UNREACHED" });
  });
});

test("a granted login is kept, even if optional parts of the responses are malformed", async () => {
  const idToken = (claims: object): string =>
    ["{}", JSON.stringify(claims), "x"].map((part) => Buffer.from(part).toString("base64url")).join(".");
  const late = { iss: "x", aud: CLIENT_ID, sub: ACCOUNT, iat: 1, exp: 2 };
  const answers: readonly (readonly [account: string | undefined, parts: object])[] = [
    [ACCOUNT, { id_token: idToken(late) }],
    [undefined, { refresh_token: null, id_token: "" }],
    [undefined, { refresh_token: "", id_token: null, scope: null, expires_in: null }],
    [undefined, { id_token: "a.b", expires_in: "600" }],
    [undefined, { id_token: idToken({ sub: 5 }), expires_in: -1, scope: ["openid"] }],
  ];
  for (const [account, parts] of answers) {
    await using test = await deviceHost(provider);
    const body = { access_token: "granted", token_type: "Bearer", ...parts };
    using _ = answering("/token", { status: 200, body });
    await test.attended();
    const kept = await test.json("token.json");
    assert.deepEqual([kept["token"], kept["account"]], ["granted", account], JSON.stringify(parts));
  }
});

test("a code with an invalid interval is polled every five seconds", async () => {
  for (const interval of [0, -1, null, "soon"]) {
    await using test = await deviceHost(provider);
    const code = { device_code: "d", user_code: "ABCD-EFGH", expires_in: "600", interval };
    const body = { ...code, verification_uri: "https://id.example/device" };
    using _ = answering("/device/auth", { status: 200, body });
    await assert.rejects(test.unattended(), { code: "LOGIN_REQUIRED" });
    const { code: kept } = await test.json("device.json");
    assert.equal((kept as { readonly interval?: number }).interval, 5);
  }
});

test("unsafe parts of a login server's response are not shown", async () => {
  const code = { device_code: "canary-device", user_code: "ABCD-EFGH", expires_in: 600 };
  const answers: readonly (readonly [path: string, parts: object])[] = [
    ["/device/auth", { user_code: "\u001B]0;canary\u0007" }],
    ["/device/auth", { verification_uri: "javascript:canary()" }],
    ["/device/auth", { verification_uri: "http://id.example/canary" }],
    ["/device/auth", { expires_in: "canary" }],
    ["/token", { access_token: "canary token\r\nx: y", token_type: "bearer" }],
  ];
  for (const [path, parts] of answers) {
    await using test = await deviceHost(provider);
    const body = { ...code, verification_uri: "https://id.example/device", ...parts };
    using _ = answering(path, { status: 200, body });
    const caught = (await test.attended().catch((error: unknown) => error)) as SkillError;
    assert.equal(caught.code, "NETWORK_BROKEN", JSON.stringify(parts));
    assert.doesNotMatch(caught.message + test.said(), /canary/);
  }
  await using test = await deviceHost(provider);
  const addresses = {
    verification_uri: "https://idé.example/\u202E",
    verification_uri_complete: "file:///etc/passwd",
  };
  using _ = answering("/device/auth", { status: 200, body: { ...code, ...addresses } });
  await assert.rejects(test.unattended(), { code: "LOGIN_REQUIRED" });
  assert.match(test.said(), /"url":"https:\/\/xn--id-cja\.example\/%E2%80%AE"/);
});
