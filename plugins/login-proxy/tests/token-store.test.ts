/** The cache file `~/.svc-login/token.json` on the disk (docs/login.md, The cache file). */
import assert from "node:assert/strict";
import { chmod, mkdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { LoginFolder } from "../login-folder.ts";
import { printOf, writeCache } from "./login-harness.ts";
import { TokenStore, type StoredToken } from "../token-store.ts";

const onPosix = { skip: process.platform === "win32" };

async function place() {
  const test = await createTestHost({ variables: { SVC_BASE_URL: "https://music.example/openapi" } });
  const folder = new LoginFolder(nodeFiles, test.environment);
  const store = new TokenStore(folder, test.environment, test.clock);
  return Object.assign(test, { store, folder: folder.path, root: test.folder, file: store.file });
}

test("the file is read tolerantly, and an invalid one counts as missing", async () => {
  const read: readonly (readonly [text: string, stored: StoredToken | undefined])[] = [
    ['\uFEFF{"token":" abc\\n","savedAt":5,"more":1}', { token: "abc", savedAt: 5 }],
    ['{"token":"abc","savedAt":"now","baseUrl":7,"account":""}', { token: "abc" }],
    [
      '{"token":"abc","baseUrl":"https://a.example:443/openapi"}',
      { token: "abc", origin: "https://a.example" },
    ],
    ['{"token":"abc","baseUrl":"nowhere"}', { token: "abc", origin: "nowhere" }],
    ['{"token":"abc","expiresAt":1790000000}', { token: "abc", expiresAt: 1_790_000_000_000 }],
    ['{"token":"abc","expiresAt":"2026-09-21T14:13:20Z"}', { token: "abc", expiresAt: 1_790_000_000_000 }],
    ...['{"token":""}', '{"token":5}', '{"token":"a b"}', "[]", "null", "abc", "{", ""].map(
      (text) => [text, undefined] as const,
    ),
  ];
  await using at = await place();
  assert.deepEqual(await at.store.look(), {});
  for (const [text, stored] of read) {
    await writeCache(at.file, text);
    const fault = `${at.file} holds no usable token.`;
    const look: unknown = JSON.parse(JSON.stringify(await at.store.look()));
    assert.deepEqual(look, stored ? { stored } : { fault }, text);
  }
});

test(
  "a token is kept as two-space JSON that only the user can read; saving it again leaves the file unchanged",
  onPosix,
  async () => {
    await using at = await place();
    const fresh = {
      value: "abc",
      baseUrl: "https://a.example",
      expiresAt: 1_790_000_000_000,
      account: "ada",
    };
    await at.store.write(fresh);
    const text = [
      "{",
      '  "token": "abc",',
      `  "savedAt": ${at.clock.now() / 1000},`,
      '  "baseUrl": "https://a.example",',
      '  "expiresAt": "2026-09-21T14:13:20.000Z",',
      '  "account": "ada"',
      "}\n",
    ].join("\n");
    assert.equal(await readFile(at.file, "utf8"), text);
    assert.deepEqual(
      [(await stat(at.file)).mode & 0o777, (await stat(at.folder)).mode & 0o777],
      [0o600, 0o700],
    );
    const before = await printOf(at.file);
    at.clock.advance(60_000);
    for (const same of [fresh, { value: "abc" }]) await at.store.write(same);
    assert.equal(await printOf(at.file), before);
    await chmod(at.file, 0o644);
    assert.equal(await at.store.openRights(), "644");
    await at.store.write({ value: "other" });
    assert.equal(await at.store.openRights(), undefined);
  },
);

test("unknown keys are preserved; those that describe the token are replaced with it, except its origin", async () => {
  await using at = await place();
  const of = { baseUrl: "https://a.example", account: "ada", expiresAt: "2026-09-21T14:13:20.000Z" };
  await writeCache(at.file, { token: "old", savedAt: 5, profile: "kept", ...of });
  await at.store.write({ value: "old", account: "eve" });
  const savedAt = at.clock.now() / 1000;
  const kept = async (): Promise<unknown> => JSON.parse(await readFile(at.file, "utf8"));
  assert.deepEqual(await kept(), { token: "old", savedAt, profile: "kept", ...of, account: "eve" });
  await at.store.write({ value: "new" });
  assert.deepEqual(await kept(), { token: "new", savedAt, profile: "kept", baseUrl: "https://a.example" });
  await writeFile(at.file, "{ broken");
  await at.store.write({ value: "new" });
  assert.deepEqual(await kept(), { token: "new", savedAt });
});

test(
  "a link in the place of the file or the folder is neither read nor written through",
  onPosix,
  async () => {
    await using at = await place();
    const elsewhere = join(at.root, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "token.json"), '{"token":"abc"}');
    await mkdir(at.folder);
    await symlink(join(elsewhere, "token.json"), at.file);
    const link = /token\.json is a link, which is not followed\.$/;
    assert.match((await at.store.look()).fault ?? "", link);
    await assert.rejects(at.store.write({ value: "new" }), { code: "FILE_UNWRITABLE", message: link });
    assert.equal(await readlink(at.file), join(elsewhere, "token.json"));
    assert.deepEqual([await at.store.remove(), await at.store.remove()], [true, false]);
    await nodeFiles.remove(at.folder);
    await symlink(elsewhere, at.folder, "junction");
    assert.match((await at.store.look()).fault ?? "", /\.svc-login is a link, which is not followed\.$/);
    for (const act of [() => at.store.write({ value: "new" }), () => at.store.remove()])
      await assert.rejects(act(), { code: "FILE_UNWRITABLE" });
    assert.equal(await readFile(join(elsewhere, "token.json"), "utf8"), '{"token":"abc"}');
  },
);
