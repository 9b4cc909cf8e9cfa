/** Bytes in memory and on disk that clients can make a debug server hold: F54 to F58 of the fault table. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ask, health, post } from "../client.ts";
import { History } from "../history.ts";
import { debugServer, scratch, type DebugServer } from "../server-harness.ts";
import { needs } from "./needs.ts";
import { forgetPeak, peakBytes, residentBytes } from "./process-facts.ts";
import { head, rawSocket, statusOn, type RawSocket } from "./sockets.ts";

const linux = needs("linux");
const MIB = 1024 * 1024;

/** The largest increase of a server's memory, in MB, during some work. */
async function growth(t: TestContext, server: DebugServer, work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(server.pid);
  forgetPeak(server.pid);
  await work();
  const more = (peakBytes(server.pid) - before) / 1e6;
  t.diagnostic(`${more.toFixed(0)} MB more than ${(before / 1e6).toFixed(0)} MB`);
  return more;
}

/** Opens connections, and sends on each of them one request without its end. */
async function opened(
  t: TestContext,
  server: DebugServer,
  count: number,
  parts: readonly (string | Buffer)[],
): Promise<readonly RawSocket[]> {
  const sockets: RawSocket[] = [];
  for (let index = 0; index < count; index += 1) {
    const one = await rawSocket(t, server.port);
    for (const part of parts) if (one.socket.writable) one.socket.write(part);
    sockets.push(one);
    if (index % 50 === 0) await pause(20);
  }
  await pause(1_000);
  return sockets;
}

/** A body of just under 1 MiB in chunks of one byte each, without its end. */
const ONE_BYTE_CHUNKS = Buffer.from("1\r\n \r\n".repeat(MIB - 1));
const UNFINISHED: readonly (readonly [name: string, count: number, parts: readonly (string | Buffer)[]])[] = [
  ["announced", 600, [head(MIB), Buffer.alloc(MIB - 1, " ")]],
  ["in chunks", 600, [head("chunked"), "ffffe\r\n", Buffer.alloc(MIB - 2, " ")]],
  ["in chunks of one byte", 3, [head("chunked"), ONE_BYTE_CHUNKS]],
];

for (const [name, count, parts] of UNFINISHED) {
  test(
    `F54 ${count} unfinished bodies of 1 MiB (${name}) take less than 200 MB together, and events are stored meanwhile`,
    { skip: linux },
    async (t) => {
      const server = await debugServer(t);
      const history = new History();
      await post(server.url, history);
      const more = await growth(t, server, async () => {
        await opened(t, server, count, parts);
        assert.equal((await post(server.url, history)).status, 200);
        const whole = await ask(server.url, { body: `{"msg":"${"x".repeat(1_000_000)}"}` });
        assert.equal(whole.status, 200);
      });
      assert.ok(more < 200, `${more} MB`);
    },
  );
}

/** Fills a log with this many MiB. */
async function fill(server: DebugServer, mebibytes: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = Array.from({ length: 900 }, () => `{"msg":"${"x".repeat(900)}"}`).join("\n");
  for (let sent = 0; sent < mebibytes * MIB; sent += body.length)
    assert.equal((await ask(server.url, { body, agent })).status, 200);
  agent.destroy();
}

const QUESTIONS = ["/logs?format=ndjson", "/logs?format=ndjson&last=100000", "/logs?last=250"];

for (const path of QUESTIONS) {
  test(
    `F55 100 clients that do not read the answer of ${path} take less than 250 MB together, and another one is answered`,
    { skip: linux },
    async (t) => {
      const server = await debugServer(t);
      await fill(server, 40);
      const more = await growth(t, server, async () => {
        const deaf = await Promise.all(Array.from({ length: 100 }, () => rawSocket(t, server.port)));
        for (const { socket } of deaf)
          socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await pause(5_000);
        const read = await ask(server.url, { path: "/logs?last=10", patienceMs: 60_000 });
        assert.deepEqual([read.status, (JSON.parse(read.text) as unknown[]).length], [200, 10]);
      });
      assert.ok(more < 250, `${more} MB`);
    },
  );
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
}

/** The most MiB of a log, the rounds of an event and a clear, and what keeps the log from being emptied in the last of them. */
const MAX_MIB = 4;
const ROUNDS = 60;
const EVENTS = {
  "400 kB": [`{"data":[${Array.from({ length: 8 }, () => `"${"x".repeat(50_000)}"`).join()}]}`, 0, /8 MiB/],
  "100 bytes": [`{"msg":"${"x".repeat(90)}"}`, 970, /keeps 1000 earlier segments/],
} as const;

for (const [size, [body, segments, refused]] of Object.entries(EVENTS)) {
  test(
    `F56 events of ${size} and clears take no more disk than a session may have, and no acknowledged event`,
    { skip: linux },
    async (t) => {
      const folder = join(await scratch(t), ".dbg");
      mkdirSync(folder);
      for (let number = 1; number <= segments; number += 1)
        writeFileSync(join(folder, `svc-debug-log-fault-test.${number}.ndjson`), `{"_seq":${number}}\n`);
      const server = await debugServer(t, { folder, words: ["--max-mib", String(MAX_MIB)] });
      const history = new History();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const statuses = new Set<number>();
      let [most, last] = [0, ""];
      for (let round = 0; round < ROUNDS; round += 1) {
        assert.equal((await post(server.url, history, 0, agent)).status, 200);
        assert.equal((await ask(server.url, { body, agent })).status, 200);
        const told = await ask(server.url, { path: "/logs", method: "DELETE", agent });
        if (told.status !== 200) last = told.text;
        statuses.add(told.status);
        most = Math.max(most, bytesIn(server.folder));
      }
      agent.destroy();
      t.diagnostic(`${(most / MIB).toFixed(0)} MiB, ${last}`);
      assert.ok(most < (4 * MAX_MIB + 1) * MIB, `${most} bytes`);
      assert.ok(readdirSync(server.folder).length < 1_100);
      assert.deepEqual(statuses, new Set([200, 507]));
      assert.match(last, refused);
      assert.match(last, /"storage_full".*DELETE \/logs\?purge=1/);
      assert.equal((await ask(server.url, { path: "/logs?purge=1", method: "DELETE" })).status, 200);
      assert.ok(bytesIn(server.folder) < 2 * MIB);
      assert.equal((await health(server.url)).ok, true);
    },
  );
}

test("F57 an announced body over the limit is refused before it is sent, with and without Expect", async (t) => {
  const server = await debugServer(t);
  for (const expect of ["Expect: 100-continue\r\n", ""]) {
    const one = await rawSocket(
      t,
      server.port,
      `POST /event HTTP/1.1\r\nHost: localhost\r\n${expect}Content-Length: 10000000000\r\n\r\n`,
    );
    assert.equal(await Promise.race([statusOn(one), pause(5_000, "no answer")]), 413, expect);
  }
});

test("F57 a body of an allowed length is requested with 100, and a body over the limit is not", async (t) => {
  const server = await debugServer(t);
  const one = await rawSocket(
    t,
    server.port,
    "POST /event HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
  );
  assert.equal(await statusOn(one), 100);
  one.socket.write("{}");
  while (!/HTTP\/1\.1 200/.test(one.heard())) await pause(10);
  for (const [request, status] of [
    ["POST /event HTTP/1.1\r\nHost: evil.example", 403],
    ["POST /none HTTP/1.1\r\nHost: localhost", 404],
  ] as const) {
    const other = await rawSocket(
      t,
      server.port,
      `${request}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    assert.equal(await statusOn(other), status);
    await other.closed;
  }
});

test("F58 the answer to a refused body arrives, whatever its sender requests for the connection", async (t) => {
  const server = await debugServer(t);
  const part = Buffer.alloc(64 * 1024, " ");
  for (const first of [
    `POST /event HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${20 * MIB}\r\n\r\n`,
    `POST /event HTTP/1.0\r\nHost: localhost\r\nContent-Length: ${20 * MIB}\r\n\r\n`,
    `POST /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${20 * MIB}\r\n\r\n`,
    `POST /event HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: ${20 * MIB}\r\n\r\n`,
  ]) {
    const one = await rawSocket(t, server.port, first);
    for (let sent = 0; sent < 20 * MIB && one.socket.writable; sent += part.length)
      if (!one.socket.write(part))
        await Promise.race([new Promise((resolve) => one.socket.once("drain", resolve)), one.closed]);
    assert.match(String(await statusOn(one)), /^4(13|04|03)$/, first);
  }
});
