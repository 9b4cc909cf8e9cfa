/** The built-in device login with a real login server: through the host only. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { after, before, test } from "node:test";
import { AskingService } from "../../music-analysis/tests/asking-service.ts";
import { answered, refused } from "../../../contract-tests/fake-service.ts";
import { deviceHost, loggedIn, shownCode, type DeviceHost } from "./device-harness.ts";
import { asked, typing, writeCache } from "./login-harness.ts";
import { CLIENT_ID, OAuthProvider } from "./oauth-provider.ts";

const OLD = "canary-token-old-3c11";
let provider: OAuthProvider;

before(async () => {
  provider = await OAuthProvider.start();
});
after(() => provider.close());

const device = (kept: object = {}) => deviceHost(provider, { kept });

const keyOf = async (test: DeviceHost, name: string, key: string): Promise<string> =>
  String((await test.json(name))[key]);

test("without a terminal a login shows a code and ends, and after the confirmation the same command continues", async () => {
  await using test = await device();
  await assert.rejects(asked(test, "login"), { code: "LOGIN_REQUIRED" });
  const line = test.log.notices.find((notice) => notice.startsWith("LOGIN_REQUIRED ")) ?? "";
  const told = JSON.parse(line.replace("LOGIN_REQUIRED ", "")) as Readonly<Record<string, string>>;
  assert.deepEqual(Object.keys(told), ["url", "code", "verificationUri", "expiresAt"]);
  assert.ok(told["url"]?.startsWith(provider.url) && told["url"].includes(shownCode(test)));
  test.clock.advance(5_000);
  await assert.rejects(asked(test, "login"), { code: "LOGIN_REQUIRED" });
  assert.equal(shownCode(test), told["code"]);
  await provider.approve(shownCode(test));
  test.clock.advance(5_000);
  const { text } = await asked(test, "login");
  assert.match(
    String(text),
    /^You are logged in as a\*\*\*91\. The token is in .*It is valid until 2026-07-01T/,
  );
  const [token, refresh] = [
    await keyOf(test, "token.json", "token"),
    await keyOf(test, "refresh.json", "refreshToken"),
  ];
  assert.ok(token.length > 20 && refresh.length > 20);
  const said = [text, ...test.log.notices, ...test.log.details].join("\n");
  for (const secret of [token, refresh]) assert.ok(!said.includes(secret), said);
  assert.ok(!(await test.names()).includes("device.json"));
  if (process.platform !== "win32")
    for (const file of [test.file, test.path("refresh.json")])
      assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test("a login that is refused on the page ends as refused, and its code is not polled again", async () => {
  await using test = await device();
  await assert.rejects(asked(test, "login"), { code: "LOGIN_REQUIRED" });
  await provider.deny(shownCode(test));
  test.clock.advance(5_000);
  await assert.rejects(asked(test, "login"), { code: "LOGIN_REFUSED" });
  assert.ok(!(await test.names()).includes("device.json"));
});

test("an expired code is replaced by a new one, and a person at a terminal sees the expiry", async () => {
  await using test = await device();
  await assert.rejects(asked(test, "login"), { code: "LOGIN_REQUIRED" });
  const first = shownCode(test);
  test.clock.advance(601_000);
  await assert.rejects(asked(test, "login"), { code: "LOGIN_REQUIRED" });
  assert.notEqual(shownCode(test), first);
  await using attended = await device();
  const code = { device_code: "d", user_code: "ABCD-EFGH", verification_uri: `${provider.url}/device` };
  using _script = provider.play(({ path }) =>
    path === "/device/auth" ? { status: 200, body: { ...code, expires_in: 3 } } : undefined,
  );
  await assert.rejects(asked(attended, "login", {}, { person: typing("") }), { code: "LOGIN_EXPIRED" });
});

test("a refused token is renewed without a person by the refresh token, which logout revokes", async () => {
  const service = await AskingService.start((_body, token) =>
    token === OLD ? refused("UNAUTHORIZED", "未登录") : answered("shown"),
  );
  try {
    await using test = await loggedIn(provider, { variables: { SVC_BASE_URL: service.url } });
    const first = await keyOf(test, "refresh.json", "refreshToken");
    await writeCache(test.file, { token: OLD, baseUrl: service.url });
    const ask = () => test.run({ skill: "music-analysis", input: { question: "我的播放量怎么样？" } });
    assert.match(((await ask()) as { readonly text: string }).text, /^shown/);
    assert.equal(service.bodies.length, 2);
    const second = await keyOf(test, "refresh.json", "refreshToken");
    assert.notEqual(second, first);
    assert.notEqual(await keyOf(test, "token.json", "token"), OLD);
    const before = provider.seen.length;
    await asked(test, "logout");
    const revocation = provider.seen.slice(before).find(({ path }) => path.includes("revocation"));
    assert.equal(revocation?.form.get("token"), second);
    const left = await test.names();
    for (const name of ["token.json", "refresh.json", "device.json"]) assert.ok(!left.includes(name), name);
  } finally {
    await service.close();
  }
});

test("a refresh token of another login server is not sent to this one", async () => {
  const other = { issuer: "https://id.example/", clientId: CLIENT_ID, refreshToken: "canary-refresh-55" };
  await using test = await device(other);
  await assert.rejects(asked(test, "login", { mode: "refresh" }), { code: "LOGIN_REQUIRED" });
  assert.ok(provider.seen.every(({ form }) => form.get("refresh_token") !== "canary-refresh-55"));
});
