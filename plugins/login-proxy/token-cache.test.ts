import assert from "node:assert/strict";
import { lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { nodePorts } from "skillctl/host";
import { createTestHost, fixedClock, memoryLog, testEnvironment } from "skillctl/testing";
import { TokenCache } from "./token-cache.ts";

const onPosix = { skip: process.platform === "win32" && "modes and links are those of POSIX" };

/** A cache in a home of its own. */
async function withCache(
  action: (cache: TokenCache, log: ReturnType<typeof memoryLog>, home: string) => Promise<void>,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using place = await createTestHost();
  const environment = testEnvironment(place.folder, variables);
  const log = memoryLog();
  const { files } = nodePorts();
  const cache = new TokenCache(files, environment, fixedClock("2026-07-01T12:00:00Z"), log);
  await action(cache, log, environment.home);
}

const put = async (cache: TokenCache, text: string): Promise<void> => {
  await mkdir(cache.folder, { recursive: true });
  await writeFile(cache.file, text);
};

test("a token is kept with its time and service, for the user alone", onPosix, () =>
  withCache(
    async (cache) => {
      await cache.write({ value: "abc" });
      assert.deepEqual(JSON.parse(await readFile(cache.file, "utf8")), {
        token: "abc",
        savedAt: 1_782_907_200,
        baseUrl: "https://music.example",
      });
      assert.equal((await stat(cache.file)).mode & 0o777, 0o600);
      assert.equal((await stat(cache.folder)).mode & 0o777, 0o700);
      assert.deepEqual(await readdir(cache.folder), ["token.json"]);
    },
    { SVC_BASE_URL: "https://music.example/openapi" },
  ),
);

test("a file that others may read is narrowed when a token is kept in it", onPosix, () =>
  withCache(async (cache) => {
    await put(cache, '{"token":"old"}');
    await cache.write({ value: "new" });
    assert.equal((await stat(cache.file)).mode & 0o777, 0o600);
  }),
);

test("the same token again leaves the file as it is, with its savedAt", () =>
  withCache(async (cache) => {
    await put(cache, '{"token":"abc","savedAt":5,"baseUrl":"https://music.example"}');
    const before = await stat(cache.file);
    await cache.write({ value: "abc", baseUrl: "https://music.example" });
    const after = await stat(cache.file);
    assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
  }));

test("a broken file is replaced", () =>
  withCache(async (cache) => {
    await put(cache, '{"token":');
    await cache.write({ value: "abc" });
    assert.equal((await cache.current()).value, "abc");
  }));

test("a file that is a link is neither read nor written through", onPosix, () =>
  withCache(
    async (cache, log, home) => {
      const target = join(home, "elsewhere.json");
      await writeFile(target, '{"token":"planted"}');
      await mkdir(cache.folder);
      await symlink(target, cache.file);
      assert.deepEqual(await cache.find(), { value: "variable", source: "environment" });
      assert.deepEqual(await cache.find(), { value: "variable", source: "environment" });
      assert.deepEqual(log.notices, [
        `${cache.file} is a link, which is not followed. The token of SVC_HEADER_TOKEN is used.`,
      ]);
      await assert.rejects(cache.write({ value: "abc" }), {
        code: "FILE_UNWRITABLE",
        message: `${cache.file} is a link, which is not followed.`,
      });
      assert.equal(await readFile(target, "utf8"), '{"token":"planted"}');
      assert.ok((await lstat(cache.file)).isSymbolicLink());
    },
    { SVC_HEADER_TOKEN: "variable" },
  ),
);

for (const dangling of [false, true]) {
  test(
    `a folder that is a link${dangling ? " to nowhere" : ""} is neither read nor written through`,
    onPosix,
    () =>
      withCache(async (cache, _, home) => {
        const target = join(home, "elsewhere");
        if (!dangling) {
          await mkdir(target);
          await writeFile(join(target, "token.json"), '{"token":"planted"}');
        }
        await symlink(target, cache.folder);
        assert.equal(await cache.find(), undefined);
        assert.match((await cache.look()).fault ?? "", /is a link, which is not followed/);
        // One after the other: a rejection that nobody awaits yet would fail the test.
        const actions = [() => cache.write({ value: "abc" }), () => cache.makeFolder(), () => cache.remove()];
        for (const action of actions) await assert.rejects(action, { code: "FILE_UNWRITABLE" });
        if (!dangling) assert.deepEqual(await readdir(target), ["token.json"]);
      }),
  );
}

test("a folder in the place of the file is told, and not removed", () =>
  withCache(async (cache) => {
    await mkdir(join(cache.file, "precious"), { recursive: true });
    assert.match((await cache.look()).fault ?? "", /token\.json is a folder/);
    await assert.rejects(cache.write({ value: "abc" }), { code: "FILE_UNWRITABLE" });
    await assert.rejects(cache.remove(), { code: "FILE_UNWRITABLE" });
    assert.deepEqual(await readdir(cache.file), ["precious"]);
  }));

test("removing tells whether there was a file, and removes a link instead of what it leads to", onPosix, () =>
  withCache(async (cache, _, home) => {
    assert.equal(await cache.remove(), false);
    await cache.write({ value: "abc" });
    assert.equal(await cache.remove(), true);
    const target = join(home, "elsewhere.json");
    await writeFile(target, "kept");
    await symlink(target, cache.file);
    assert.equal(await cache.remove(), true);
    assert.equal(await readFile(target, "utf8"), "kept");
  }),
);

test("while two write, a reader sees one token or the other and never half a file", () =>
  withCache(async (cache) => {
    const long = "b".repeat(8_000);
    await cache.write({ value: "a" });
    const state = { writing: true };
    const writers = ["a", long].map(async (value) => {
      for (let round = 0; round < 60; round += 1) await cache.write({ value });
    });
    const done = Promise.all(writers).finally(() => (state.writing = false));
    const seen = new Set<string | undefined>();
    while (state.writing) {
      seen.add((await cache.look()).cached?.token);
      // Looking may do without the event loop, and the writers may not.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    assert.deepEqual(
      [...seen].filter((token) => token !== "a" && token !== long),
      [],
    );
    assert.deepEqual(await readdir(cache.folder), ["token.json"]);
  }));

test("a token for another service than SVC_BASE_URL is used with one warning", () =>
  withCache(
    async (cache, log) => {
      await put(cache, '{"token":"abc","baseUrl":"https://music.example/"}');
      assert.equal((await cache.current()).value, "abc");
      await cache.current();
      assert.deepEqual(log.notices, [
        "Warning: The token is for https://music.example/, and SVC_BASE_URL names https://other.example.",
      ]);
    },
    { SVC_BASE_URL: "https://other.example/openapi" },
  ));

test("a token for the service of SVC_BASE_URL is used without a word", () =>
  withCache(
    async (cache, log) => {
      await put(cache, '{"token":"abc","baseUrl":"https://music.example/"}');
      await cache.current();
      assert.deepEqual(log.notices, []);
    },
    { SVC_BASE_URL: "https://music.example/openapi" },
  ));

test("a variable that holds no usable token is not said to be missing", () =>
  withCache(
    (cache) =>
      assert.rejects(cache.current(), {
        code: "TOKEN_MISSING",
        message: /SVC_HEADER_TOKEN is set, but holds no usable token/,
      }),
    { SVC_HEADER_TOKEN: "bad token" },
  ));

test("the name of the account goes with the token where another login skill has written it", () =>
  withCache(async (cache) => {
    await put(cache, '{"token":"abc","account":"ada"}');
    assert.deepEqual(await cache.current(), { value: "abc", source: "cache", account: "ada" });
  }));
