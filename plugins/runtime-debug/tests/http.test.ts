/** The debug server on bare sockets: what programs send that speak HTTP by hand, and what none should. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test, type TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ServeInput } from "../contract.ts";
import { until } from "./client.ts";
import { debugHost, serving } from "./serving.ts";
import { told, Wire, type Heard } from "./http-wire.ts";

interface Place {
  readonly port: number;
  /** `POST /event` with a body and its length; `more` are further header lines. */
  readonly post: (body: string, ...more: readonly string[]) => string;
  /** A head, ended; `PORT` stands for the port. */
  readonly head: (...lines: readonly string[]) => string;
  readonly events: () => Promise<readonly Record<string, unknown>[]>;
  readonly rejected: () => Promise<number>;
}

async function place(t: TestContext, input: Partial<ServeInput> = {}): Promise<Place> {
  const { info } = await serving(await debugHost(t), input);
  const port = Number(new URL(info.base_url).port);
  const head = (...lines: readonly string[]): string =>
    `${lines.join("\r\n")}\r\n\r\n`.replaceAll("PORT", String(port));
  return {
    port,
    head,
    post: (body, ...more) =>
      head("POST /event HTTP/1.1", HOST, ...more, `Content-Length: ${Buffer.byteLength(body)}`) + body,
    events: async () =>
      (await readFile(info.log_file, "utf8"))
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    rejected: async () => {
      const health = (await (await fetch(`${info.base_url}/health`)).json()) as { readonly rejected: number };
      return health.rejected;
    },
  };
}

const HOST = "Host: 127.0.0.1:PORT";
const CLOSE = "Connection: close";
const PAGE = "Origin: http://localhost:3000";
const MIB = 1024 * 1024;

const statuses = (heard: readonly Heard[]): readonly number[] => heard.map(({ status }) => status);
const codeOf = ({ text }: Heard): unknown => (JSON.parse(text) as { readonly error: unknown }).error;

/** The only answer on a connection, which then ended. */
async function answer(port: number, ...bytes: readonly (string | Uint8Array)[]): Promise<Heard> {
  const [only, ...more] = await told(port, ...bytes);
  assert.deepEqual([only === undefined, more], [false, []]);
  return only as Heard;
}

describe("programs that speak HTTP/1.0", () => {
  test("may leave the host out, and get the end of the connection as the end of the answer", async (t) => {
    const { port, head, events } = await place(t);
    for (const host of [[], [HOST]]) {
      const { status, text } = await answer(
        port,
        head("POST /event HTTP/1.0", ...host, "Content-Length: 2") + "{}",
      );
      assert.deepEqual([status, text], [200, "ok"]);
    }
    assert.equal((await events()).length, 2);
    assert.equal((await answer(port, head("POST /event HTTP/1.0", "Host: evil.example"))).status, 403);
  });

  test("get their answer although they have ended their side of the connection", async (t) => {
    const { port, post, head, events } = await place(t);
    for (const request of [
      post('{"n":1}'),
      head("POST /event HTTP/1.0", "Content-Length: 7") + '{"n":2}',
      post('{"n":3}').repeat(2),
    ]) {
      const wire = await Wire.open(port);
      wire.socket.end(request);
      const heard = await wire.all();
      assert.deepEqual(new Set(statuses(heard)), new Set([200]));
    }
    assert.deepEqual(
      (await events()).map(({ n }) => n),
      [1, 2, 3, 3],
    );
  });
});

describe("a sender that waits for 100 Continue", () => {
  test("is told to go on, and answered", async (t) => {
    const { port, head } = await place(t);
    const wire = await Wire.open(port);
    wire.write(head("POST /event HTTP/1.1", HOST, CLOSE, "Expect: 100-continue", "Content-Length: 2"));
    assert.equal((await wire.next())?.status, 100);
    wire.write("{}");
    assert.deepEqual(statuses(await wire.all()), [200]);
  });
});

describe("requests sent one after the other without waiting", () => {
  test("are answered in their order, a bad one between them too", async (t) => {
    const { port, post, events } = await place(t);
    const bodies = Array.from({ length: 10 }, (_, index) => (index === 4 ? "{bad" : `{"n":${index}}`));
    const requests = bodies.map((body, index) =>
      post(body, "Accept: application/json", ...(index === 9 ? [CLOSE] : [])),
    );
    const heard = await told(port, requests.join(""));
    assert.deepEqual(statuses(heard), [200, 200, 200, 200, 400, 200, 200, 200, 200, 200]);
    const receipts = heard.map(({ text }) => (JSON.parse(text) as { readonly seq?: number }).seq);
    assert.deepEqual(receipts, [1, 2, 3, 4, undefined, 5, 6, 7, 8, 9]);
    assert.deepEqual(
      (await events()).map(({ n, _seq }) => [n, _seq]),
      [0, 1, 2, 3, 5, 6, 7, 8, 9].map((n, index) => [n, index + 1]),
    );
  });
});

/** Bytes in buffers that something holds, or held a moment ago. */
function held(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().arrayBuffers;
}

describe("a body over the limit", () => {
  test("is refused so that its sender reads it, and the server does not grow by it", async (t) => {
    const { port, head, rejected } = await place(t);
    const part = Buffer.alloc(MIB, 0x20);
    const before = held();
    const wire = await Wire.open(port);
    wire.write(head("POST /event HTTP/1.1", HOST, PAGE, CLOSE, `Content-Length: ${50 * MIB + 1}`));
    for (let sent = 0; sent < 50; sent += 1)
      await new Promise<unknown>((resolve) => wire.socket.write(part, resolve));
    // Whoever keeps the body still holds it, for it has not ended; what is let go is freed in the background.
    await until(
      async () => held() - before,
      (grown) => grown < 10 * MIB,
    );
    wire.write(" ");
    const [heard] = await wire.all();
    assert.ok(heard);
    assert.deepEqual([heard.status, codeOf(heard)], [413, "too_large"]);
    assert.equal(heard.headers.get("access-control-allow-origin"), "http://localhost:3000");
    assert.equal(await rejected(), 1);
  });
});

test("a body that breaks off leaves nothing behind", async (t) => {
  const { port, head, post, events, rejected } = await place(t);
  const whole = (): Promise<Heard> => answer(port, post('{"whole":1}', CLOSE));
  const halves = [
    `${head("POST /event HTTP/1.1", HOST, "Content-Length: 30")}{"half":1}`,
    `${head("POST /event HTTP/1.1", HOST, "Transfer-Encoding: chunked")}a\r\n{"half":2}\r\n`,
  ];
  for (const half of halves) {
    const [broken, ended] = [await Wire.open(port), await Wire.open(port)];
    broken.write(half);
    ended.socket.end(half);
    assert.deepEqual(statuses(await ended.all()), [400]);
    // By its answer the server has read what was sent before it.
    await whole();
    broken.socket.resetAndDestroy();
    await whole();
  }
  assert.deepEqual(
    (await events()).map(({ half }) => half),
    [undefined, undefined, undefined, undefined],
  );
  assert.equal(await rejected(), 0);
});

test("OPTIONS is answered at any path, and opens a wider network's way for pages that may send", async (t) => {
  const { port, head } = await place(t);
  const asking = ["Access-Control-Request-Method: POST", "Access-Control-Request-Private-Network: true"];
  const options = (path: string, ...lines: readonly string[]): Promise<Heard> =>
    answer(port, head(`OPTIONS ${path} HTTP/1.1`, HOST, CLOSE, ...lines));
  for (const path of ["/event", "/logs", "/nowhere"]) {
    assert.equal((await options(path)).status, 204);
    const { status, headers } = await options(path, PAGE, ...asking);
    assert.deepEqual(
      [
        status,
        headers.get("access-control-allow-origin"),
        headers.get("access-control-allow-private-network"),
        headers.get("access-control-allow-local-network"),
      ],
      [204, "http://localhost:3000", "true", undefined],
    );
  }
  const foreign = await options("/event", "Origin: https://evil.example", ...asking);
  assert.deepEqual(
    [foreign.status, foreign.headers.get("access-control-allow-private-network")],
    [403, undefined],
  );
});
