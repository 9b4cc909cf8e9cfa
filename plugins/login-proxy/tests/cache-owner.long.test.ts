/** Only login-proxy writes the token's cache file (specification, Authentication 4). */
import assert from "node:assert/strict";
import { readFileSync, readdirSync, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { sayInProcessOfItsOwn } from "../../../contract-tests/command-line.ts";
import { FakeService, answered, refused, type FakeReply } from "../../../contract-tests/fake-service.ts";
import { ROOT } from "../../../contract-tests/harness.ts";
import { CANARY, printOf, writeCache } from "./login-harness.ts";

/** Where the folder of the token may be named: its owner, what tells people of it, and tests. */
const OWNERS =
  /^(plugins\/login-proxy|skills\/login-proxy|schemas\/login-proxy|docs)\/|\.test\.ts$|^contract-tests\/|^(plugins|core)\/.*\/tests\//;

const sources = ["core", "plugins", "bin", "bench", "scripts", "skills", "schemas"].flatMap((place) =>
  readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
    .map((path) => `${place}/${path.split(sep).join("/")}`)
    .filter((path) => /\.(ts|mjs|cjs|js|json|md)$/.test(path)),
);

describe("[music.auth.no-login-logic] the cache file of the token", () => {
  test("is named by login-proxy and by no other code", () => {
    // What the linter looks for is named where the linter is told to.
    const looked = sources.filter((path) => !OWNERS.test(path) && path !== "scripts/lint-rules.mjs");
    assert.ok(looked.length > 300 && looked.some((path) => path.startsWith("plugins/music-analysis/")));
    const naming = looked.filter((path) => /\.svc-login/i.test(readFileSync(join(ROOT, path), "utf8")));
    assert.deepEqual(naming, []);
  });

  const runs: readonly (readonly [
    title: string,
    words: readonly string[],
    reply: FakeReply,
    status: number,
  ])[] = [
    ["the bare operation", ["chat-sync", "我的播放量"], answered("## 结论"), 0],
    [
      "a login that is refused, without a login program",
      ["我的播放量"],
      refused("UNAUTHORIZED", "未登录"),
      77,
    ],
  ];
  for (const [title, words, reply, status] of runs) {
    test(`is not touched by music-analysis: ${title}`, async () => {
      await using place = await createTestHost();
      const { home } = place.environment;
      const file = join(home, ".svc-login", "token.json");
      const service = await FakeService.start(reply);
      await writeCache(file, { token: CANARY, savedAt: 5, baseUrl: service.url });
      const before = await printOf(file);
      const events: string[] = [];
      const watcher = watch(join(home, ".svc-login"), (event, name) => events.push(`${event} ${name}`));
      try {
        const variables = { SVC_BASE_URL: service.url, PATH: join(place.folder, "nowhere") };
        const said = await sayInProcessOfItsOwn(["run", "music-analysis", ...words], home, { variables });
        assert.equal(said.status, status, said.err);
        assert.equal(service.seen[0]?.headers["svc-header-token"], CANARY);
      } finally {
        watcher.close();
        await service.close();
      }
      assert.deepEqual(events, []);
      assert.equal(await printOf(file), before);
      assert.deepEqual(await readdir(join(home, ".svc-login")), ["token.json"]);
    });
  }
});
