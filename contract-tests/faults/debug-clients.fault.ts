/** Clients that are slow, that go away, or that send what nobody wants: F27 and F30 to F33 of the fault table. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { ask, health, load, post } from "../debug-client.ts";
import { FLAWLESS, History } from "../debug-history.ts";
import { debugServer, type DebugStart } from "../debug-house.ts";
import { careless } from "./careless.ts";
import { needs } from "./needs.ts";
import { forgetPeak, peakBytes, residentBytes } from "./process-facts.ts";
import { head, rawSocket, statusOn } from "./sockets.ts";

const run = promisify(execFile);
const linux = needs("linux");

/** The longest of the answers to one event after the other, while something else goes on. */
async function slowestMeanwhile(url: string, history: History, work: Promise<unknown>): Promise<number> {
  const halt = new AbortController();
  void work.finally(() => halt.abort()).catch(() => undefined);
  let slowest = 0;
  while (!halt.signal.aborted) {
    const started = performance.now();
    await post(url, history);
    slowest = Math.max(slowest, performance.now() - started);
    await pause(20);
  }
  await work;
  return slowest;
}

describe("slow clients", { concurrency: true }, () => {
  /** Whether connections that send a byte now and then are closed within so many seconds. */
  async function dribbled(t: TestContext, first: string, seconds: number, start: DebugStart = {}) {
    const server = await debugServer(t, start);
    const history = new History();
    const sockets = await Promise.all(Array.from({ length: 40 }, () => rawSocket(t, server.port, first)));
    const drip = setInterval(() => {
      for (const { socket } of sockets) if (socket.writable) socket.write("a");
    }, 500);
    const all = Promise.all(sockets.map(({ closed }) => closed)).then(() => true);
    const closed = Promise.race([all, pause(seconds * 1_000, false)]);
    const slowest = await slowestMeanwhile(server.url, history, closed);
    clearInterval(drip);
    await server.kill();
    return { closed: await closed, slowest, verdict: await history.verdict(server.folder) };
  }

  const HALF = "POST /event HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

  test("F27 heads that dribble are closed after 10 s, and hold up nobody", async (t) => {
    const { closed, slowest, verdict } = await dribbled(t, HALF, 20);
    assert.deepEqual([closed, verdict], [true, FLAWLESS]);
    assert.ok(slowest < 1_000, `${slowest} ms`);
  });

  test("F27 bodies that dribble are closed after 20 s, leave nothing, and hold up nobody", async (t) => {
    const { closed, slowest, verdict } = await dribbled(t, head(5_000), 32);
    assert.deepEqual([closed, verdict], [true, FLAWLESS]);
    assert.ok(slowest < 1_000, `${slowest} ms`);
  });

  test("F27 control: a collector without limits keeps them", async (t) => {
    assert.equal((await dribbled(t, HALF, 20, careless("patient"))).closed, false);
  });

  test(
    "F27 somebody who does not read what he asked for holds up nobody, and costs little memory",
    { skip: linux },
    async (t) => {
      const server = await debugServer(t);
      const history = new History("x".repeat(900));
      const lines = Array.from({ length: 900 }, () => history.next().body).join("\n");
      for (let body = 0; body < 20; body += 1)
        assert.equal((await ask(server.url, { body: lines })).status, 200);
      const before = residentBytes(server.pid);
      const question = "GET /logs?format=ndjson HTTP/1.1\r\nHost: localhost\r\n\r\n";
      const deaf = await Promise.all(Array.from({ length: 8 }, () => rawSocket(t, server.port)));
      for (const { socket } of deaf) socket.pause().write(question);
      const slowest = await slowestMeanwhile(server.url, new History(), pause(5_000));
      const more = residentBytes(server.pid) - before;
      t.diagnostic(`slowest answer ${slowest.toFixed(0)} ms, ${(more / 1e6).toFixed(0)} MB more`);
      assert.ok(slowest < 1_000 && more < 250e6);
    },
  );

  for (const [name, words] of Object.entries({
    heads: ["-H"],
    bodies: ["-B", "-s", "4096"],
    readers: ["-X"],
  })) {
    test(
      `F27 slowhttptest with slow ${name} does not make the service unavailable`,
      { skip: needs("slowhttptest") },
      async (t) => {
        const server = await debugServer(t);
        const history = new History();
        const all = [...words, "-c", "300", "-r", "150", "-i", "2", "-l", "14", "-p", "3"];
        const attack = run("slowhttptest", [
          ...all,
          "-u",
          `${server.url}/${name === "readers" ? "logs" : "event"}`,
        ]);
        const slowest = await slowestMeanwhile(
          server.url,
          history,
          attack.catch(() => undefined),
        );
        const { stdout } = await attack;
        assert.match(stdout, /service available:\s*\S*YES/);
        assert.ok(slowest < 1_000, `${slowest} ms`);
      },
    );
  }
});

const BIG = 50 * 1024 * 1024;

/** Sends 50 MiB before it looks at the answer. */
async function huge(t: TestContext, framing: "announced" | "chunked", start: DebugStart = {}) {
  const server = await debugServer(t, start);
  const history = new History();
  for (let event = 0; event < 50; event += 1) await post(server.url, history);
  const before = residentBytes(server.pid);
  forgetPeak(server.pid);
  const chunked = framing === "chunked";
  const one = await rawSocket(t, server.port, head(chunked ? "chunked" : BIG));
  const part = Buffer.from(`{"a":"${"x".repeat(65_530)}`.slice(0, 65_536));
  const framed = chunked ? Buffer.concat([Buffer.from("10000\r\n"), part, Buffer.from("\r\n")]) : part;
  for (let sent = 0; sent < BIG && one.socket.writable; sent += part.length) {
    if (!one.socket.write(framed))
      await Promise.race([new Promise((resolve) => one.socket.once("drain", resolve)), one.closed]);
  }
  if (chunked && one.socket.writable) one.socket.write("0\r\n\r\n");
  const status = await statusOn(one);
  const more = peakBytes(server.pid) - before;
  t.diagnostic(`${status}, ${(more / 1e6).toFixed(1)} MB more`);
  await server.kill();
  return { status, more, verdict: await history.verdict(server.folder) };
}

for (const framing of ["announced", "chunked"] as const) {
  test(
    `F30 a body of 50 MiB (${framing}) is answered with 413 that arrives, and is never held`,
    { skip: linux },
    async (t) => {
      const { status, more, verdict } = await huge(t, framing);
      assert.deepEqual([status, verdict], [413, FLAWLESS]);
      assert.ok(more < 16 * 1024 * 1024, `${more} bytes`);
    },
  );
}

test("F30 control: a collector without a limit holds it", { skip: linux }, async (t) => {
  const { more } = await huge(t, "announced", careless("naming"));
  assert.ok(more > 40e6, `${more} bytes`);
});

/** Posts a compressed event. */
async function compressed(t: TestContext, start: DebugStart = {}) {
  const server = await debugServer(t, start);
  const before = (await health(server.url)).rejected;
  const body = gzipSync(new History().next().body);
  const { status } = await ask(server.url, { body, headers: { "content-encoding": "gzip" } });
  return { status, counted: (await health(server.url)).rejected - before, folder: server.folder };
}

test("F31 a compressed body is answered with 415, counted, and kept on the side", async (t) => {
  const { status, counted, folder } = await compressed(t);
  assert.deepEqual([status, counted], [415, 1]);
  assert.notEqual(await readFile(join(folder, "svc-debug-rejected-fault-test.ndjson"), "utf8"), "");
});

test("F31 control: a collector that takes any bytes takes these", async (t) => {
  assert.equal((await compressed(t, careless("naming"))).status, 200);
});

const KEYS = Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join();
const STRANGE = {
  "1,000,000 levels of arrays": "[".repeat(1_000_000),
  "100,000 levels of objects": '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000),
  "60,000 keys": `{${KEYS}}`,
  "60,000 keys of one name": `{${'"k":1,'.repeat(60_000)}"k":1}`,
};

/** Statuses of strange bodies, and by how much others are later meanwhile. */
async function strange(t: TestContext, body: string, start: DebugStart = {}) {
  const server = await debugServer(t, start);
  const history = new History();
  const asked = Promise.all(Array.from({ length: 10 }, () => ask(server.url, { body })));
  const slowest = await slowestMeanwhile(server.url, history, asked);
  await server.kill();
  return {
    statuses: (await asked).map(({ status }) => status),
    slowest,
    verdict: await history.verdict(server.folder),
  };
}

for (const [name, body] of Object.entries(STRANGE)) {
  test(`F32 ${name} are answered with 400, and nobody waits for that`, async (t) => {
    const { statuses, slowest, verdict } = await strange(t, body);
    assert.deepEqual([[...new Set(statuses)], verdict], [[400], FLAWLESS]);
    t.diagnostic(`others at most ${slowest.toFixed(0)} ms`);
    assert.ok(slowest < 500, `${slowest} ms`);
  });
}

test("F32 control: a collector that does not look takes them", async (t) => {
  const { statuses } = await strange(t, STRANGE["60,000 keys"], careless("naming"));
  assert.deepEqual([...new Set(statuses)], [200]);
});

/** Events of which the sender goes away in the middle, or before it is answered. */
async function abandoned(t: TestContext, start: DebugStart = {}) {
  const server = await debugServer(t, start);
  const history = new History();
  const posting = load(server.url, history, 2);
  for (let turn = 0; turn < 150; turn += 1) {
    const { body } = history.next(10 + turn);
    const bytes = Buffer.byteLength(body);
    const one = await rawSocket(t, server.port);
    const whole = turn % 2 === 0;
    one.socket.write(head(bytes) + (whole ? body : body.slice(0, 1 + ((turn * 7) % (bytes - 1)))));
    await pause(turn % 5);
    if (turn % 3 === 0) one.socket.resetAndDestroy();
    else one.socket.destroy();
  }
  await posting.stop();
  await pause(200);
  await server.kill();
  return history.verdict(server.folder);
}

test("F33 senders that go away leave a whole event, once, or nothing", async (t) => {
  assert.deepEqual(await abandoned(t), FLAWLESS);
});

test("F33 control: a collector that writes what comes as it comes has half events", async (t) => {
  assert.ok((await abandoned(t, careless("eager"))).torn.length > 0);
});
