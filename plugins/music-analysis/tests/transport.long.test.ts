/** Faults of the network: the exact number of requests for each, and no header to other servers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Http } from "skillctl";
import { desertedSide } from "../../../core/testing/fixture-other-side.ts";
import { FakeService, answered, type WholeReply } from "../../../contract-tests/fake-service.ts";
import { assertNoCanary, failureOf, toldOf, withMusic } from "./host.ts";
import { ENDINGS, SHOWN, UPSTREAM, once, testRows, type Row } from "./table.ts";

const { BROKEN, UNKNOWN, TIMEOUT } = ENDINGS;
const MOST = 8 * 1024 * 1024;
const LENGTH = answered("").body.length;
const coded = (coding: string, body: Buffer): WholeReply => ({
  headers: { "content-encoding": coding },
  body,
});

testRows("connection", [
  once("it ends after the request was read, without an answer", "drop", UNKNOWN),
  once("it is reset after the request was read", "reset", UNKNOWN),
  once("it ends in the middle of the answer", "half", UNKNOWN),
]);

testRows("body", [
  once("one byte over 8 MiB", answered("x".repeat(MOST - LENGTH + 1)), UNKNOWN),
  once("a small gzip of more than 8 MiB", coded("gzip", gzipSync("x".repeat(4 * MOST))), UNKNOWN),
  ...(
    [
      ["gzip", coded("gzip", gzipSync(SHOWN.body))],
      ["brotli", coded("br", brotliCompressSync(SHOWN.body))],
      // JSON is UTF-8 whatever the content type says (RFC 8259, section 8.1).
      ["JSON of another charset", { ...SHOWN, headers: { "content-type": "application/json; charset=gbk" } }],
    ] as const
  ).map(([what, reply]): Row => ({
    title: `${what} is read`,
    script: [reply],
    requests: 1,
  })),
]);

testRows("answer in time", [
  {
    ...once("none within the time that a request has", "silent", TIMEOUT),
    options: { network: (real) => ({ send: (request) => real.send({ ...request, timeoutMs: 150 }) }) },
  },
]);

const REDIRECTS = [302, 307];
for (const status of REDIRECTS)
  test(`a redirect (${status}) is an error; the other host sees neither a request nor the header`, async () => {
    const elsewhere = await FakeService.start(SHOWN);
    try {
      for (const location of [
        `${elsewhere.url}/openapi/v1/musician/data/agent/chat-sync`,
        elsewhere.url,
        "/here",
      ])
        await withMusic(
          [{ status, headers: { location }, body: SHOWN.body }],
          async ({ service, host, ask }) => {
            const error = await failureOf(ask("我的播放量"));
            assert.deepEqual([error.code, error.message], [BROKEN.code, BROKEN.zh]);
            assertNoCanary(toldOf(error, host), location);
            assert.equal(service.seen.length, 1);
          },
        );
      assert.deepEqual(elsewhere.seen, []);
    } finally {
      await elsewhere.close();
    }
  });

/** Counts the attempts, and runs `after` after the first failure. */
function counting(after: () => Promise<void>) {
  const tries = { sent: 0 };
  const network = (real: Http): Http => ({
    send: async (request) => {
      tries.sent += 1;
      try {
        return await real.send(request);
      } catch (caught) {
        await after();
        throw caught;
      }
    },
  });
  return { tries, network };
}

test("a request that was never sent is repeated; a service that has started meanwhile receives one request", async () => {
  for (const script of [[SHOWN], [UPSTREAM, SHOWN]]) {
    const baseUrl = await desertedSide();
    let late: FakeService | undefined;
    const { tries, network } = counting(async () => {
      late ??= await FakeService.startAt({ port: Number(new URL(baseUrl).port) }, script);
    });
    try {
      await withMusic([], async ({ ask }) => assert.match((await ask("我的播放量")).text, /^shown/), {
        baseUrl,
        network,
      });
      assert.deepEqual([tries.sent, late?.seen.length], [script.length + 1, script.length]);
    } finally {
      await late?.close();
    }
  }
});

test("an unreachable service is tried twice and named, and the outcome is known", async () => {
  const baseUrl = await desertedSide();
  const { tries, network } = counting(async () => undefined);
  await withMusic(
    [],
    async ({ host, ask }) => {
      const error = await failureOf(ask("我的播放量"));
      assert.equal(error.code, "NETWORK_UNREACHED");
      assert.equal(error.message, "无法连接到数据服务。");
      assert.ok(error.hint?.includes(baseUrl), error.hint);
      assert.equal(host.host.catalog.codeEntry(error.code, "music-analysis").exit, 69);
      assertNoCanary(toldOf(error, host), baseUrl);
    },
    { baseUrl, network },
  );
  assert.equal(tries.sent, 2);
});
