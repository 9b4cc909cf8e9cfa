/** Clients that are slow, that disconnect, or that send unacceptable bodies: F27 and F30 to F33 of the fault table. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ask, load, post } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, type DebugServer, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";
import { needs } from "./needs.ts";
import { forgetPeak, peakBytes, residentBytes } from "./process-facts.ts";
import { head, rawSocket, statusOn } from "./sockets.ts";
const linux = needs("linux");

/** The median time, in milliseconds, after which one event after the other is answered during an action. */
interface Meanwhile<T> {
  readonly here: number;
  /** The same for an undisturbed collector at the same time, which shows how busy the machine is. */
  readonly beside: number;
  readonly result: T;
}

async function meanwhile<T>(
  t: TestContext,
  url: string,
  history: History,
  work: () => Promise<T>,
): Promise<Meanwhile<T>> {
  const [other, elsewhere] = [await debugServer(t, careless("naming")), new History()];
  const times: { readonly here: number; readonly beside: number }[] = [];
  const over = new AbortController();
  const working = work().finally(() => over.abort());
  while (!over.signal.aborted) {
    const started = performance.now();
    await post(url, history);
    const between = performance.now();
    await post(other.url, elsewhere);
    times.push({ here: between - started, beside: performance.now() - between });
    await pause(20);
  }
  await other.kill();
  const [here, beside] = [middle(times.map((one) => one.here)), middle(times.map((one) => one.beside))];
  const most = Math.max(...times.map((one) => one.here));
  t.diagnostic(`${here.toFixed(0)} ms, at most ${most.toFixed(0)} ms, beside it ${beside.toFixed(0)} ms`);
  return { here, beside, result: await working };
}

function middle(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
}

/** Other clients do not wait for as long as the fault lasts. */
function assertPrompt({ here, beside }: Meanwhile<unknown>): void {
  assert.ok(here < 250 + 4 * beside, `${here} ms, beside it ${beside} ms`);
}

describe("slow clients", { concurrency: true }, () => {
  /** Whether connections that send a byte now and then are closed within this many seconds. */
  async function dribbled(t: TestContext, first: string, seconds: number) {
    const server = await debugServer(t);
    const history = new History();
    const sockets = await Promise.all(Array.from({ length: 40 }, () => rawSocket(t, server.port, first)));
    const drip = setInterval(() => {
      for (const { socket } of sockets) if (socket.writable) socket.write("a");
    }, 500);
    const all = Promise.all(sockets.map(({ closed }) => closed)).then(() => true);
    const others = await meanwhile(t, server.url, history, () =>
      Promise.race([all, pause(seconds * 1_000, false)]),
    );
    clearInterval(drip);
    await server.kill();
    return { closed: others.result, others, verdict: await history.verdict(server.folder) };
  }

  const HALF = "POST /event HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

  test("F27 slow heads are closed after 10 s, and delay no other client", async (t) => {
    const { closed, others, verdict } = await dribbled(t, HALF, 20);
    assert.deepEqual([closed, verdict], [true, FLAWLESS]);
    assertPrompt(others);
  });

  test("F27 slow bodies are closed after 20 s, leave nothing, and delay no other client", async (t) => {
    const { closed, others, verdict } = await dribbled(t, head(5_000), 32);
    assert.deepEqual([closed, verdict], [true, FLAWLESS]);
    assertPrompt(others);
  });

  test(
    "F27 a client that does not read its response delays no other client, and costs little memory",
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
      const others = await meanwhile(t, server.url, new History(), () => pause(5_000));
      const more = residentBytes(server.pid) - before;
      assertPrompt(others);
      assert.ok(more < 250e6, `${more} bytes more`);
    },
  );
});

const BIG = 50 * 1024 * 1024;

/** Sends 50 MiB before it reads the answer, to a server whose Node has already allocated its read buffers. */
async function huge(t: TestContext, framing: "announced" | "chunked", start: DebugStart = {}) {
  const server = await debugServer(t, start);
  const history = new History();
  await post(server.url, history);
  for (let body = 0; body < 128; body += 1) await ask(server.url, { body: "x".repeat(1_000_000) });
  const before = residentBytes(server.pid);
  forgetPeak(server.pid);
  const status = await sendHuge(t, server, framing);
  const more = peakBytes(server.pid) - before;
  t.diagnostic(`${status}, ${(more / 1e6).toFixed(1)} MB more`);
  await server.kill();
  return { status, more, verdict: await history.verdict(server.folder) };
}

/** Returns the status. */
async function sendHuge(t: TestContext, server: DebugServer, framing: "announced" | "chunked") {
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
  one.socket.destroy();
  return status;
}

for (const framing of ["announced", "chunked"] as const) {
  test(
    `F30 a body of 50 MiB (${framing}) is answered with a 413 that arrives, and is never held in memory`,
    { skip: linux },
    async (t) => {
      // Held memory is visible every time; uncollected garbage (20 MB) is visible six times in ten.
      let least = Infinity;
      for (let tries = 0; tries < 12 && least >= 16 * 1024 * 1024; tries += 1) {
        const { status, more, verdict } = await huge(t, framing);
        assert.deepEqual([status, verdict], [413, FLAWLESS]);
        least = Math.min(least, more);
      }
      assert.ok(least < 16 * 1024 * 1024, `${least} bytes`);
    },
  );
}

test("F30 control: a collector without a limit holds the body in memory", { skip: linux }, async (t) => {
  const { more } = await huge(t, "announced", careless("naming"));
  assert.ok(more > 40e6, `${more} bytes`);
});

const KEYS = Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join();
const STRANGE: readonly (readonly [name: string, status: number, body: string])[] = [
  ["1,000,000 levels of arrays", 400, "[".repeat(1_000_000)],
  ["100,000 levels of objects", 200, '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
  ["60,000 keys", 200, `{${KEYS}}`],
  ["60,000 keys of one name", 200, `{${'"k":1,'.repeat(60_000)}"k":1}`],
];

for (const [name, status, body] of STRANGE) {
  test(`F32 ${name} are answered with ${status}, and other senders do not wait`, async (t) => {
    const server = await debugServer(t);
    const history = new History();
    const others = await meanwhile(t, server.url, history, async () => {
      for (let turn = 0; turn < 10; turn += 1) assert.equal((await ask(server.url, { body })).status, status);
    });
    assertPrompt(others);
    await server.kill();
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  });
}

test("F33 senders that disconnect in the middle, or before they are answered, leave a complete event, once, or nothing", async (t) => {
  const server = await debugServer(t);
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
  await post(server.url, history);
  await server.kill();
  assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
});
