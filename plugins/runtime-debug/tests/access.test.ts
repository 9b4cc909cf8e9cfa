import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test, type TestContext } from "node:test";
import type { ServeInput } from "../contract.ts";
import { told, type WireReply } from "./http-wire.ts";
import { debugHost, keysOf, serving } from "./serving.ts";

/** Writes bytes as they are; what comes back until the other side closes. */
async function raw(port: number, bytes: string): Promise<WireReply> {
  const [heard] = await told(port, bytes);
  assert.ok(heard);
  return heard;
}

const ROUTES = {
  append: ["POST", "/event", "{}"],
  ingest: ["POST", "/ingest/0a1b2c", "{}"],
  query: ["GET", "/logs", ""],
  clear: ["DELETE", "/event/logs", ""],
  run: ["POST", "/run", '{"runId":"pre-fix"}'],
  health: ["GET", "/health", ""],
} as const;
type RouteName = keyof typeof ROUTES;
const NAMES = Object.keys(ROUTES) as readonly RouteName[];

interface Asking {
  readonly host?: string;
  readonly origin?: string;
  /** After the path: `?k=KEY`. */
  readonly query?: string;
  readonly bearer?: string;
}

function request(
  port: number,
  name: RouteName,
  { host, origin, query = "", bearer }: Asking,
): Promise<WireReply> {
  const [method, path, body] = ROUTES[name];
  const lines = [
    `${method} ${path}${query} HTTP/1.1`,
    `Host: ${host ?? `127.0.0.1:${port}`}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
    ...(body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
    "Connection: close",
  ];
  return raw(port, `${lines.join("\r\n")}\r\n\r\n${body}`);
}

async function statuses(port: number, asking: Asking): Promise<Readonly<Record<string, number>>> {
  const pairs: [string, number][] = [];
  for (const name of NAMES) pairs.push([name, (await request(port, name, asking)).status]);
  return Object.fromEntries(pairs);
}

const every = (status: number): Readonly<Record<string, number>> =>
  Object.fromEntries(NAMES.map((name) => [name, status]));

async function started(t: TestContext, input: Partial<ServeInput> = {}) {
  const host = await debugHost(t);
  const { info } = await serving(host, input);
  return { info, port: Number(new URL(info.endpoints["health"] ?? "").port) };
}

describe("a server on loopback", () => {
  test("refuses every other host before anything else, a rebound name whose page says the same too", async (t) => {
    const { port } = await started(t);
    const foreign = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1:1",
      "192.168.1.7",
      "127.0.0.1.evil.example",
      "0.0.0.0",
    ];
    for (const host of foreign) {
      assert.deepEqual(await statuses(port, { host }), every(403), host);
      assert.deepEqual(await statuses(port, { host, origin: `http://${host}` }), every(403), host);
    }
    const { text } = await request(port, "append", { host: "evil.example" });
    assert.equal((JSON.parse(text) as { error: string }).error, "forbidden_host");
    assert.equal((await raw(port, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")).status, 400);
    const two = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    assert.ok([400, 403].includes((await raw(port, two)).status));
  });

  test("refuses pages of foreign origins on every route, and tells them nothing that they may read", async (t) => {
    const { port } = await started(t);
    const foreign = [
      "https://evil.example",
      "null",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "file://",
      "http://192.168.1.7",
    ];
    for (const origin of foreign) {
      assert.deepEqual(await statuses(port, { origin }), every(403), origin);
      const { headers, text } = await request(port, "append", { origin });
      assert.equal((JSON.parse(text) as { error: string }).error, "forbidden_origin");
      assert.notEqual(headers.get("access-control-allow-origin"), "*");
      assert.notEqual(headers.get("access-control-allow-origin"), origin);
    }
  });

  test("answers a preflight of who may send, and of nobody else", async (t) => {
    const { port } = await started(t, { allowOrigin: ["https://app.example"] });
    const preflight = (origin: string, path = "/event", method = "POST"): Promise<WireReply> =>
      raw(
        port,
        [
          `OPTIONS ${path} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          `Origin: ${origin}`,
          `Access-Control-Request-Method: ${method}`,
          "Access-Control-Request-Headers: content-type,x-debug-session-id",
          "Connection: close",
          "\r\n",
        ].join("\r\n"),
      );
    for (const origin of ["https://app.example", "http://localhost:3000"]) {
      const { status, headers } = await preflight(origin);
      assert.deepEqual([status, headers.get("access-control-allow-origin")], [204, origin]);
      assert.match(headers.get("access-control-allow-headers") ?? "", /x-debug-session-id/i);
      // A beacon of JSON always asks for it; where events are read nobody gets it.
      assert.equal(headers.get("access-control-allow-credentials"), "true");
      const logs = await preflight("http://localhost:3000", "/logs", "GET");
      assert.equal(logs.headers.get("access-control-allow-credentials"), undefined);
    }
    assert.notEqual((await preflight("https://evil.example")).status, 204);
    const reading = await preflight("https://app.example", "/logs", "DELETE");
    assert.notEqual(reading.headers.get("access-control-allow-origin"), "https://app.example");
  });
});

describe("a server with keys", () => {
  test("[debug.endpoint.remote] that listens for other machines has keys, and advertises an address with one", async (t) => {
    const host = await debugHost(t);
    const { info } = await serving(host, { remote: true });
    const { collect } = await keysOf(info);
    assert.ok(info.api_url.endsWith(`/event?${collect}`));
    assert.match(
      await readFile(info.env_file, "utf8"),
      new RegExp(`^DEBUG_SERVER_URL=http://[^\n]*/event\\?${collect}\n`),
    );
    assert.ok(info.addresses.some((address) => address.startsWith("http://host.docker.internal:")));
    const port = Number(new URL(info.base_url).port);
    const seen = await statuses(port, {});
    for (const name of NAMES) assert.equal(seen[name], name === "health" ? 200 : 401, name);
  });
});
