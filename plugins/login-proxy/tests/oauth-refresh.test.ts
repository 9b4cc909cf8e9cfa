/** The login program in the box after a login: refresh, rotation, the account, logging out. */
import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { KeyRing } from "../oauth/key-ring.ts";
import { OAuthHarness, type OAuthHarnessOptions } from "./oauth-harness.ts";
import { ACCOUNT, OAuthProvider } from "./oauth-provider.ts";

const provider = await OAuthProvider.start();
after(() => provider.close());

const onPosix = { skip: process.platform === "win32" };
const { signal } = new AbortController();

/** A harness where somebody has logged in. */
async function loggedIn(options: OAuthHarnessOptions = {}, server = provider): Promise<OAuthHarness> {
  const harness = await OAuthHarness.at(server, {
    ...options,
    meanwhile: (_, { userCode }) => server.approve(userCode),
  });
  await harness.login.interactive(harness.wait());
  return harness;
}

const refreshTokenOf = async (harness: OAuthHarness): Promise<string> =>
  (await harness.kept("refresh.json"))["refreshToken"] as string;
const known = async (token: string) => (await provider.provider.RefreshToken.find(token)) !== undefined;

/** A refresh that stands still while it keeps its refresh token. */
interface Writing {
  readonly quiet: Promise<unknown>;
  readonly finish: () => void;
}

describe("the refresh token", () => {
  test("is kept for the user alone, with who issued it to whom", async () => {
    await using harness = await loggedIn();
    const { refreshToken, ...rest } = await harness.kept("refresh.json");
    const whose = { issuer: `${provider.url}/`, clientId: "skillctl", account: ACCOUNT };
    assert.deepEqual(rest, { store: "file", ...whose });
    assert.ok(await known(String(refreshToken)));
    if (process.platform === "win32") return;
    assert.equal((await stat(harness.path("refresh.json"))).mode & 0o777, 0o600);
    assert.equal((await stat(harness.path())).mode & 0o777, 0o700);
  });

  test("yields a new token without anybody, and is replaced by the one that comes with it", async () => {
    await using harness = await loggedIn();
    const before = await refreshTokenOf(harness);
    const fresh = await harness.login.quiet(harness.wait({ interactive: false }));
    assert.ok(await provider.provider.AccessToken.find(fresh?.value ?? ""));
    const later = await refreshTokenOf(harness);
    assert.notEqual(later, before);
    const again = await harness.login.quiet(harness.wait({ interactive: false }));
    assert.notEqual(again?.value, fresh?.value);
  });

  test("is replaced before the token is handed out", async () => {
    const entries = new Map<string, string>();
    let write = (account: string, secret: string): Promise<unknown> =>
      Promise.resolve(entries.set(account, secret));
    const keyRing: KeyRing = {
      works: async () => true,
      read: async (account) => entries.get(account),
      erase: async (account) => void entries.delete(account),
      write: async (account, secret) => void (await write(account, secret)),
    };
    await using harness = await loggedIn({ keyRing });
    const [before = ""] = entries.values();
    const order: string[] = [];
    const { finish, quiet } = await new Promise<Writing>((writing) => {
      const quiet = harness.login.quiet(harness.wait()).then(() => order.push("handed out"));
      write = (account, secret) =>
        new Promise((written) =>
          writing({ quiet, finish: () => written([order.push("kept"), entries.set(account, secret)]) }),
        );
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    finish();
    await quiet;
    assert.deepEqual(order, ["kept", "handed out"]);
    assert.notEqual([...entries.values()][0], before);
  });

  test("stays the same with a server that does not replace it", async () => {
    const steady = await OAuthProvider.start({ rotate: false });
    try {
      await using harness = await loggedIn({}, steady);
      const before = await refreshTokenOf(harness);
      assert.ok(await harness.login.quiet(harness.wait()));
      assert.equal(await refreshTokenOf(harness), before);
    } finally {
      await steady.close();
    }
  });

  test("that was used before ends the login on the server, and is forgotten here", async () => {
    await using harness = await loggedIn();
    const old = await readFile(harness.path("refresh.json"));
    assert.ok(await harness.login.quiet(harness.wait()));
    const current = await refreshTokenOf(harness);
    await writeFile(harness.path("refresh.json"), old);
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
    assert.deepEqual([await harness.names(), await known(current)], [[], false]);
  });

  test("that the server has replaced is kept also when the waiting is ended before the answer comes", async () => {
    await using harness = await loggedIn();
    const before = await refreshTokenOf(harness);
    const stop = new AbortController();
    using _ = provider.play(({ form }) => {
      if (form.get("grant_type") === "refresh_token") stop.abort();
      return undefined;
    });
    assert.ok((await harness.login.quiet(harness.wait({ signal: stop.signal })))?.value);
    const later = await refreshTokenOf(harness);
    assert.deepEqual([later === before, await known(later)], [false, true]);
  });

  test("is not used at all when the waiting was ended before", async () => {
    await using harness = await loggedIn();
    const before = provider.grants("refresh").length;
    const ended = harness.login.quiet(harness.wait({ signal: AbortSignal.abort() }));
    await assert.rejects(ended, { code: "CANCELLED" });
    assert.equal(provider.grants("refresh").length, before);
  });

  test("that another process has just replaced is read once more, and the new one is used", async () => {
    await using harness = await loggedIn();
    const mine = await readFile(harness.path("refresh.json"));
    assert.ok(await harness.login.quiet(harness.wait()));
    const theirs = await readFile(harness.path("refresh.json"));
    await writeFile(harness.path("refresh.json"), mine);
    let late = true;
    using _ = provider.play(async ({ form }) => {
      if (form.get("grant_type") !== "refresh_token" || !late) return undefined;
      late = false;
      await writeFile(harness.path("refresh.json"), theirs);
      return { status: 400, body: { error: "invalid_grant" } };
    });
    assert.ok((await harness.login.quiet(harness.wait()))?.value);
  });

  test("that keeps changing is asked for twice, and left to those who change it", async () => {
    await using harness = await loggedIn();
    const kept = await harness.kept("refresh.json");
    const before = provider.grants("refresh").length;
    using _ = provider.play(async ({ form }) => {
      if (form.get("grant_type") !== "refresh_token") return undefined;
      const refreshToken = crypto.randomUUID();
      await writeFile(harness.path("refresh.json"), JSON.stringify({ ...kept, refreshToken }));
      return { status: 400, body: { error: "invalid_grant" } };
    });
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
    assert.equal(provider.grants("refresh").length - before, 2);
    assert.deepEqual(await harness.names(), ["refresh.json"]);
  });

  test("stays where the network or the server fails, which is said", async () => {
    await using harness = await loggedIn();
    const before = await refreshTokenOf(harness);
    using _ = provider.play(({ path }) => (path === "/token" ? { status: 503, body: "" } : undefined));
    await assert.rejects(harness.login.quiet(harness.wait()), { code: "NETWORK_BROKEN" });
    assert.equal(await refreshTokenOf(harness), before);
  });

  test("is shown to no other server and no other client", async () => {
    await using harness = await loggedIn();
    const kept = await harness.kept("refresh.json");
    const before = provider.seen.length;
    for (const other of [{ issuer: "https://id.example/" }, { clientId: "another" }]) {
      await writeFile(harness.path("refresh.json"), JSON.stringify({ ...kept, ...other }));
      assert.equal(await harness.login.quiet(harness.wait()), undefined);
    }
    assert.equal(provider.seen.length, before);
  });

  test("of the login before is forgotten when a login brings none", async () => {
    await using harness = await loggedIn();
    using _ = provider.play(({ form }) =>
      form.has("device_code")
        ? { status: 200, body: { access_token: "alone", token_type: "bearer" } }
        : undefined,
    );
    assert.deepEqual(await harness.login.interactive(harness.wait()), { value: "alone" });
    assert.deepEqual(await harness.names(), []);
  });

  test("that cannot be kept does not cost the token: the person is told", async () => {
    const harness = await OAuthHarness.at(provider, {
      meanwhile: (_, { userCode }) => provider.approve(userCode),
    });
    await using _ = harness;
    await mkdir(join(harness.folder, "home"));
    await writeFile(harness.path(), "no folder");
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.match(harness.said, /The refresh token cannot be kept: .*\.svc-login is a link, or no folder\./);
    assert.match(harness.said, /when it runs out somebody has to log in again/);
  });

  test("is neither read nor written through a link, of the file or of the folder", onPosix, async () => {
    await using harness = await loggedIn();
    const elsewhere = join(harness.folder, "elsewhere.json");
    await rename(harness.path("refresh.json"), elsewhere);
    const text = await readFile(elsewhere, "utf8");
    await symlink(elsewhere, harness.path("refresh.json"));
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
    assert.ok((await harness.login.interactive(harness.wait())).value);
    assert.equal(await readFile(elsewhere, "utf8"), text);
    await rm(harness.path("refresh.json"));
    await writeFile(harness.path("refresh.json"), text);
    await rename(harness.path(), join(harness.folder, "elsewhere"));
    await symlink(join(harness.folder, "elsewhere"), harness.path(), "junction");
    assert.equal(await harness.login.quiet(harness.wait()), undefined);
  });
});

describe("the account behind a token", () => {
  test("is told masked while the server takes the token", async () => {
    await using harness = await loggedIn();
    const { value = "" } = (await harness.login.quiet(harness.wait())) ?? {};
    assert.deepEqual(await harness.login.verify(value, signal), { state: "valid", account: "a***rg" });
  });

  test("is none for a token that the server does not know, or that no header can carry", async () => {
    await using harness = await loggedIn();
    assert.deepEqual(await harness.login.verify("another", signal), { state: "invalid" });
    const before = provider.seen.length;
    assert.deepEqual(await harness.login.verify("one\r\nx: two", signal), { state: "invalid" });
    assert.equal(provider.seen.length, before);
  });

  test("cannot be told where the token is not meant for that, or the server offers no such thing", async () => {
    await using narrow = await loggedIn({ settings: { scope: "offline_access" } });
    const { value = "" } = (await narrow.login.quiet(narrow.wait())) ?? {};
    assert.equal(await narrow.login.verify(value, signal), undefined);
    const mute = await OAuthProvider.start({ features: { userinfo: { enabled: false } } });
    try {
      await using harness = await loggedIn({}, mute);
      assert.equal(await harness.login.verify("any", signal), undefined);
    } finally {
      await mute.close();
    }
  });

  test("is not asked of a server that nobody has logged in to, which then never sees the token", async () => {
    await using harness = await OAuthHarness.at(provider);
    const before = provider.seen.length;
    assert.equal(await harness.login.verify("canary", signal), undefined);
    assert.equal(provider.seen.length, before);
  });

  test("is unknown while the server cannot be asked", async () => {
    await using harness = await loggedIn();
    using _ = provider.play(({ path }) => (path === "/me" ? { status: 500, body: "" } : undefined));
    assert.deepEqual(await harness.login.verify("any", signal), {
      state: "unreachable",
      reason: `${provider.url} answered the question for the account with status 500.`,
    });
  });
});

describe("logging out", () => {
  test("ends the login on the server and deletes everything that was kept", async () => {
    await using harness = await loggedIn();
    const token = await refreshTokenOf(harness);
    await assert.rejects(harness.login.interactive(harness.wait({ interactive: false })), {
      code: "LOGIN_REQUIRED",
    });
    assert.deepEqual(await harness.names(), ["device.json", "refresh.json"]);
    await harness.login.forget(signal);
    assert.deepEqual([await harness.names(), await known(token)], [[], false]);
    assert.equal(harness.log.notices.at(-1), `${provider.url} has ended the login.`);
  });

  test("deletes everything also where the server cannot be told, which is said", async () => {
    await using harness = await loggedIn();
    using _ = provider.play(({ path }) => (path === "/token/revocation" ? "drop" : undefined));
    await harness.login.forget(signal);
    assert.deepEqual(await harness.names(), []);
    assert.match(harness.log.notices.at(-1) ?? "", /^The login is forgotten here, but not ended there: /);
  });

  test("says where a server cannot end a login", async () => {
    const mute = await OAuthProvider.start({ features: { revocation: { enabled: false } } });
    try {
      await using harness = await loggedIn({}, mute);
      await harness.login.forget(signal);
      assert.deepEqual(await harness.names(), []);
      assert.equal(harness.log.notices.at(-1), `${mute.url} cannot end a login; it runs out by itself.`);
    } finally {
      await mute.close();
    }
  });

  test("deletes everything also when it is cut short", async () => {
    await using harness = await loggedIn();
    await assert.rejects(harness.login.forget(AbortSignal.abort()), { code: "CANCELLED" });
    assert.deepEqual(await harness.names(), []);
  });
});
