/** A debug server that forwards its events to a collector of OpenTelemetry: all of them, in order, whatever the collector does. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ask, eventually, health, until } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

interface Sent {
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly traceId?: string;
  readonly time: string;
}

interface Received {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly logRecords: readonly {
        readonly timeUnixNano: string;
        readonly traceId?: string;
        readonly body: { readonly stringValue: string };
        readonly attributes: readonly { readonly key: string; readonly value: object }[];
      }[];
    }[];
  }[];
}

/** A stand-in for a collector, whose answers the test sets, and which stores the events that it answers with 200. */
class Collector {
  readonly taken: Sent[] = [];
  readonly requests: { readonly path: string; readonly key: unknown; readonly records: number }[] = [];
  answer: (records: readonly Sent[]) => number = () => 200;
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#take(request, response));
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = "", headers, method } = request;
    if (method !== "POST") return void response.writeHead(404).end();
    const records = recordsOf(JSON.parse(await bodyOf(request)) as Received);
    this.requests.push({ path, key: headers["api-key"], records: records.length });
    const status = this.answer(records);
    if (status === 200) this.taken.push(...records);
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part as string;
  return text;
}

function recordsOf({ resourceLogs }: Received): readonly Sent[] {
  return resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
    .map(({ timeUnixNano, traceId, body, attributes }) => ({
      text: body.stringValue,
      time: timeUnixNano,
      ...(traceId !== undefined && { traceId }),
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }));
}

async function collecting(t: TestContext): Promise<Collector> {
  const collector = new Collector();
  await collector.start();
  t.after(() => collector.stop());
  return collector;
}

const post = (url: string, events: readonly object[]): Promise<unknown> =>
  ask(url, { body: JSON.stringify(events) });
const numbered = (from: number, to: number): readonly object[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ hypothesisId: "A", msg: `event ${from + at}` }));
const texts = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `event ${from + at}`);
const distinct = (records: readonly Sent[]): readonly string[] => [
  ...new Set(records.map(({ text }) => text)),
];

test("events are forwarded with their point, values and times; the key of the collector comes from the environment", async (t) => {
  const collector = await collecting(t);
  const host = await debugHost(t, { variables: { OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b" } });
  const { info } = await serving(host, { otlp: collector.url });
  const traceId = "5b8efff798038103d269b633813fc60c";
  const event = { hypothesisId: "A", location: "cart.js:7", msg: "total", ts: 1_766_000_000_000.25, traceId };
  await post(info.base_url, [{ ...event, data: { total: 23, names: ["tea"], price: 1.5 } }]);
  const [sent] = await until(
    async () => collector.taken,
    ({ length }) => length > 0,
  );
  const names = { values: [{ stringValue: "tea" }] };
  const { instance } = (await health(info.base_url)) as unknown as { readonly instance: string };
  assert.deepEqual(sent, {
    text: "total",
    time: "1766000000000250000",
    traceId,
    attributes: {
      total: "23",
      names,
      price: 1.5,
      "debug.session": "login-timeout",
      "debug.run": "pre-fix",
      "debug.hypothesis": "A",
      "debug.point": "cart.js:7",
      "debug.seq": "1",
      "debug.via": { values: [{ stringValue: instance }] },
    },
  });
  const [{ path, key } = { path: "", key: "" }] = collector.requests;
  assert.deepEqual([path, key], ["/v1/logs", "a b"]);
});

test("a collector that stops and comes back, over a restart of the server too, misses nothing and gets all in order", async (t) => {
  const collector = await collecting(t);
  const home = await debugHost(t);
  const first = await serving(home, { otlp: collector.url });
  await post(first.info.base_url, numbered(1, 10));
  await eventually(() => collector.taken.length === 10);
  await collector.stop();
  await post(first.info.base_url, numbered(11, 700));
  const down = await until(
    async () => (await health(first.info.base_url)) as unknown as Record<string, unknown>,
    (seen) => "forward_fault" in seen,
  );
  assert.equal(down["forwarded"], 10);
  collector.answer = () => (collector.requests.length % 2 === 0 ? 503 : 200);
  await collector.start();
  await eventually(() => collector.taken.length >= 700);
  await collector.stop();
  await post(first.info.base_url, numbered(701, 720));
  await ask(first.info.base_url, { method: "DELETE", path: "/logs" });
  await post(first.info.base_url, numbered(721, 730));
  await first.stop();
  await collector.start();
  const second = await serving(home, { otlp: collector.url });
  await post(second.info.base_url, numbered(731, 735));
  await eventually(() => distinct(collector.taken).length >= 735);
  assert.deepEqual(distinct(collector.taken), texts(1, 735));
});

test("an event that the collector refuses does not keep the others back", async (t) => {
  const collector = await collecting(t);
  collector.answer = (records) => (records.some(({ text }) => text === "event 5") ? 400 : 200);
  const { info } = await serving(await debugHost(t), { otlp: `${collector.url}/v1/logs` });
  await post(info.base_url, numbered(1, 9));
  await eventually(() => collector.taken.length === 8);
  assert.deepEqual(
    collector.taken.map(({ text }) => text),
    texts(1, 9).filter((text) => text !== "event 5"),
  );
});

test("another debug server as the collector has the same events of the same points", async (t) => {
  const [near, far] = [await debugHost(t), await debugHost(t)];
  const { info: target } = await serving(far);
  const { info } = await serving(near, { otlp: target.base_url });
  await post(info.base_url, [
    { hypothesisId: "A", location: "cart.js:7", msg: "total", data: { total: 23 } },
  ]);
  const logs = async (): Promise<readonly Record<string, unknown>[]> =>
    JSON.parse((await ask(target.base_url, { path: "/logs" })).text) as Record<string, unknown>[];
  const [{ hypothesisId, location, msg, data, _src } = {}] = await until(logs, ({ length }) => length > 0);
  const { instance } = (await health(info.base_url)) as unknown as { readonly instance: string };
  assert.deepEqual(
    [hypothesisId, location, msg, data, _src],
    ["A", "cart.js:7", "total", { total: 23, "debug.seq": 1, "debug.via": [instance] }, "otlp"],
  );
});

test("a server that is its own collector is refused, under each of its names", async (t) => {
  const host = await debugHost(t);
  const { info, stop } = await serving(host);
  await stop();
  const port = Number(new URL(info.base_url).port);
  for (const name of ["127.0.0.1", "localhost", "127.1"])
    await assert.rejects(serving(host, { port, otlp: `http://${name}:${port}` }), {
      code: "USAGE",
      message: `--otlp ${new URL(`http://${name}:${port}`).origin} is the address of this server itself.`,
    });
});

test("two servers that forward to each other have each event once", async (t) => {
  const [near, far] = [await debugHost(t), await debugHost(t)];
  const { info, stop } = await serving(near);
  await stop();
  const { info: target } = await serving(far, { otlp: info.base_url });
  await serving(near, { port: Number(new URL(info.base_url).port), otlp: target.base_url });
  const urls = [info.base_url, target.base_url];
  const seen: string[] = [];
  // An event arrives after all that were forwarded before it, also those that came back.
  for (const text of ["one", "two"]) {
    for (const [at, url] of urls.entries()) {
      seen.push(`${text} ${at}`);
      await post(url, [{ hypothesisId: "A", msg: seen.at(-1) }]);
    }
    for (const url of urls) {
      const logs = async () =>
        JSON.parse((await ask(url, { path: "/logs" })).text) as { readonly msg: string }[];
      const all = await until(logs, ({ length }) => length >= seen.length);
      assert.deepEqual(all.map(({ msg }) => msg).toSorted(), seen.toSorted());
    }
  }
});

test("an invalid address is refused before a log is created", async (t) => {
  const host = await debugHost(t);
  for (const otlp of ["localhost:4318", "ftp://localhost", "http://user:key@localhost:4318"])
    await assert.rejects(serving(host, { otlp }), { code: "USAGE" });
  assert.ok(!existsSync(join(host.environment.workingFolder, ".dbg")));
});
