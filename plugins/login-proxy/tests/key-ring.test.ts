/** The place of the refresh token: real files, and a stand-in for the package of the key ring. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createTestHost, type TestHost } from "skillctl/testing";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { LoginFolder } from "../login-folder.ts";
import { systemKeyRing, type KeyringLoader } from "../../../core/key-ring.ts";
import { RefreshStore, type StoredLogin } from "../oauth/refresh-store.ts";
import { FakeKeyring, type KeyRingFailure } from "./fake-keyring.ts";

const LOGIN: StoredLogin = {
  issuer: "https://id.example/",
  clientId: "skillctl",
  refreshToken: "canary-one",
};
const LATER: StoredLogin = { ...LOGIN, refreshToken: "canary-two" };
const missing: KeyringLoader = () => Promise.reject(new Error("none"));

/** A home with a key ring, and stores on it as new processes have them. */
async function place() {
  const test: TestHost = await createTestHost();
  const keyring = new FakeKeyring();
  const folder = new LoginFolder(nodeFiles, test.environment);
  return Object.assign(test, {
    keyring,
    store: (load = keyring.load) => new RefreshStore(folder, test.log, systemKeyRing("svc-login", load, 50)),
    kept: async () => JSON.parse(await readFile(folder.file("refresh.json"), "utf8")) as unknown,
  });
}

test("a refresh token is kept in a working key ring, and the file records only that", async () => {
  await using at = await place();
  await at.store().save(LOGIN);
  assert.deepEqual(await at.kept(), { store: "keyring" });
  assert.deepEqual(at.keyring.calls, ["write", "read"]);
  assert.deepEqual(await at.store().read(), LOGIN);
  await at.store().save(LATER);
  assert.deepEqual([await at.store().read(), at.keyring.entries.size], [LATER, 1]);
  await at.store().erase();
  assert.deepEqual([await at.store().read(), at.keyring.entries.size, at.log.notices], [undefined, 0, []]);
});

test("a refresh token is kept in the file without a working key ring, and stays there", async () => {
  const troubles: readonly (KeyRingFailure | "missing")[] = ["silent", "locked", "missing"];
  for (const trouble of troubles) {
    await using at = await place();
    const load = trouble === "missing" ? missing : at.keyring.load;
    if (trouble !== "missing") at.keyring.trouble = () => trouble;
    await at.store(load).save(LOGIN);
    assert.deepEqual(await at.kept(), { store: "file", ...LOGIN }, trouble);
    at.keyring.trouble = () => undefined;
    at.keyring.calls.length = 0;
    await at.store().save(LATER);
    assert.deepEqual([await at.store().read(), at.keyring.calls], [LATER, []], trouble);
  }
});

test("if a key ring fails later, the token is kept in the file, and the person sees a notice", async () => {
  await using at = await place();
  await at.store().save(LOGIN);
  at.keyring.trouble = (call) => (call === "write" ? "locked" : undefined);
  await at.store().save(LATER);
  assert.deepEqual(await at.kept(), { store: "file", ...LATER });
  assert.match(
    at.log.notices.join("\n"),
    /key ring did not accept the refresh token: The key ring is locked/,
  );
  assert.doesNotMatch(at.log.notices.join("\n"), /canary/);
  assert.deepEqual(await at.store().read(), LATER);
});

test("a key ring that cannot be read or has a foreign entry counts as no login", async () => {
  await using at = await place();
  await at.store().save(LOGIN);
  at.keyring.trouble = () => "silent";
  assert.equal(await at.store().read(), undefined);
  assert.match(at.log.notices[0] ?? "", /^The key ring cannot be read: The key ring did not answer within/);
  at.keyring.trouble = () => undefined;
  for (const text of ["{", "[1]", '{"refreshToken":"canary"}']) {
    for (const name of at.keyring.entries.keys()) at.keyring.entries.set(name, text);
    assert.equal(await at.store().read(), undefined, text);
  }
});
