import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SkillError } from "../../errors/skill-error.ts";
import type { Route } from "../../contract.ts";
import type { OpenServer } from "../../ports/server.ts";
import type { RouteRequest } from "../../plugin.ts";
import { fixtureHost, get, raw, type Fixture } from "./fixture-host.ts";
import { openHttpServer, openSkillServer } from "./server.ts";

type Request = RouteRequest<unknown, unknown>;

interface Setup extends Fixture {
  readonly server: OpenServer;
  readonly url: string;
  /** A socket that has requested the stream and does not read yet. */
  readonly asking: () => Promise<Socket>;
}

const FLOW: Route = { summary: "Flows.", method: "GET", path: "/flow", replies: { 200: "demo/flow" } };

/** A served host whose route `flow` sends these parts. */
async function scene(
  context: TestContext,
  parts: (request: Request) => unknown,
  reply: object = {},
): Promise<Setup> {
  const fixture = await fixtureHost((manifest) => ({ ...manifest, routes: { flow: FLOW } }), {
    flow: (request) => ({ status: 200, body: parts(request), ...reply }),
  });
  const server = await openHttpServer(fixture.host);
  const sockets: Socket[] = [];
  context.after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
    await fixture.close();
  });
  const asking = async (): Promise<Socket> => {
    const socket = connect(server.port, "127.0.0.1");
    sockets.push(socket.pause());
    await once(socket, "connect");
    socket.write(`GET /demo/flow HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    return socket;
  };
  return { ...fixture, server, url: `${server.url}/demo/flow`, asking };
}

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((settle) => (open = settle));
  return { opened, open };
}

test("parts are sent as they are produced, after a head without a length", async (context) => {
  const second = gate();
  const parts = async function* (): AsyncGenerator<string | Uint8Array> {
    yield "one\n";
    await second.opened;
    yield Buffer.from("zwei ü\n");
  };
  const headers = { "Content-Type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };
  const { url } = await scene(context, parts, { headers });
  const response = await fetch(url);
  const head = ["content-type", "cache-control", "x-content-type-options", "content-length"];
  assert.deepEqual(
    [response.status, ...head.map((name) => response.headers.get(name))],
    [200, "text/event-stream; charset=utf-8", "no-store", "nosniff", null],
  );
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), "one\n");
  second.open();
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), "zwei ü\n");
  assert.equal((await reader.read()).done, true);
});

test("when the client disconnects, the generator's finally runs and the signal is aborted", async (context) => {
  const [left, made] = [gate(), gate()];
  let wasAborted = false;
  const { asking } = await scene(context, async function* ({ signal }: Request) {
    try {
      for (;;) {
        yield "x";
        made.open();
        await new Promise((settle) => signal.addEventListener("abort", settle, { once: true }));
      }
    } finally {
      wasAborted = signal.aborted;
      left.open();
    }
  });
  const socket = await asking();
  await made.opened;
  socket.destroy();
  await left.opened;
  assert.equal(wasAborted, true);
});

test("a stream waits for a slow reader, which receives all of it", async (context) => {
  const [size, count] = [64 * 1024, 2_000];
  const made: number[] = [];
  const { asking } = await scene(context, async function* () {
    for (; made.length < count; made.push(1)) yield Buffer.alloc(size, made.length % 256);
  });
  const socket = await asking();
  let before = -1;
  while (made.length === 0 || made.length !== before) {
    before = made.length;
    await sleep(50);
  }
  assert.ok(before < count / 4, `${before} of ${count} parts were made for a reader that reads nothing`);
  let bytes = 0;
  let end = "";
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    end = (end + chunk.subarray(-5).toString("latin1")).slice(-5);
    if (end === "0\r\n\r\n") socket.destroy();
  });
  socket.resume();
  await once(socket, "close");
  assert.ok(bytes > size * count);
});

test("an exception during a stream resets the connection, and the log gives the reason", async (context) => {
  const { server, url, witness } = await scene(context, async function* () {
    yield "half of ";
    throw new Error("the disk is full");
  });
  const answer = await raw(server.port, get("/demo/flow", [`Host: 127.0.0.1:${server.port}`]));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n8\r\nhalf of \r\n$/);
  await assert.rejects((await fetch(url)).text());
  assert.match(witness.details[0] ?? "", /^demo flow: the stream was aborted: Error: the disk is full/);
  assert.deepEqual(
    [...new Set(witness.notices)],
    ["The stream of the route flow of demo failed: the disk is full"],
  );
});

test("a status that the manifest does not name is refused before the stream begins", async (context) => {
  const { url } = await scene(context, async function* () {}, { status: 202 });
  const response = await fetch(url);
  assert.deepEqual(
    [response.status, ((await response.json()) as { code: string }).code],
    [500, "OUTPUT_INVALID"],
  );
});

test("closing the server aborts the signal, and a stream that observes it ends with its last part", async (context) => {
  const { server, url } = await scene(context, async function* ({ signal }: Request) {
    yield "first ";
    await new Promise((settle) => signal.addEventListener("abort", settle, { once: true }));
    yield "last";
  });
  const response = await fetch(url);
  await server.close();
  assert.equal(await response.text(), "first last");
});

test("closing the server aborts a stream that ignores the signal, and calls its return", async (context) => {
  const returned = gate();
  const { server, url } = await scene(context, async function* () {
    try {
      for (;;) {
        yield "on and on ";
        await sleep(20);
      }
    } finally {
      returned.open();
    }
  });
  const response = await fetch(url);
  await server.close();
  await assert.rejects(response.text());
  await returned.opened;
});

test("an exception before the first part is sent as problem details", async (context) => {
  const { url } = await scene(context, () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new SkillError("DEMO_TEAPOT", "Tea.")) }),
  }));
  const response = await fetch(url);
  assert.deepEqual(
    [response.status, ((await response.json()) as { code: string }).code],
    [418, "DEMO_TEAPOT"],
  );
});

test("an unexpected error before the first part is sent without its message or stack", async (context) => {
  const thrown = (): never => {
    throw new Error("the password is hunter2", { cause: new Error("deep cause") });
  };
  const failing = [
    thrown,
    async function* () {
      yield thrown();
    },
  ];
  for (const parts of failing) {
    const { url, witness } = await scene(context, parts);
    const response = await fetch(url);
    assert.deepEqual(
      [response.status, response.headers.get("content-type")],
      [500, "application/problem+json; charset=utf-8"],
    );
    const text = await response.text();
    assert.equal((JSON.parse(text) as { readonly code: string }).code, "INTERNAL");
    assert.doesNotMatch(text, /hunter2|deep cause|\bat |\.ts/);
    assert.match(witness.details.join("\n"), /GET \/demo\/flow: Error: the password is hunter2\n +at /);
    assert.match(witness.details.join("\n"), /caused by Error: deep cause/);
  }
});

test("HEAD receives the head, and the iterator is closed before it produces a part", async (context) => {
  const returned = gate();
  const iterator = {
    next: () => Promise.reject(new Error("must not be asked")),
    return: async () => {
      returned.open();
      return { done: true, value: undefined };
    },
  };
  const { url, witness } = await scene(context, () => ({ [Symbol.asyncIterator]: () => iterator }));
  const response = await fetch(url, { method: "HEAD" });
  assert.deepEqual([response.status, await response.text()], [200, ""]);
  await returned.opened;
  assert.deepEqual(witness.details, []);
});

test("on a skill's own server the route notices the end of the client's side, and the client still receives the response", async (context) => {
  const asked = gate();
  const fixture = await fixtureHost((manifest) => ({ ...manifest, routes: { flow: FLOW } }), {
    flow: async ({ signal }: Request) => {
      const gone = once(signal, "abort");
      asked.open();
      await gone;
      return { status: 200, body: Readable.from(["late"]) };
    },
  });
  const server = await openSkillServer(fixture.host, "demo", { routes: ["flow"] });
  const socket = connect({ port: server.port, allowHalfOpen: true }).setEncoding("utf8");
  context.after(async () => {
    socket.destroy();
    await server.close();
    await fixture.close();
  });
  socket.write(`GET /flow HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`);
  await asked.opened;
  socket.end();
  const answer = (await socket.toArray({ signal: AbortSignal.timeout(5_000) })).join("");
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*\blate\b/);
});
