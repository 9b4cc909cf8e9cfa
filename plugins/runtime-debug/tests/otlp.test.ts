/** Log records and spans of OpenTelemetry at the debug server: which events they become, and the answers. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import protobuf from "protobufjs/light.js";
import messages from "../otlp/messages.json" with { type: "json" };
import { ask } from "./client.ts";
import { debugHost, keysOf, serving } from "./serving.ts";

const TRACE = "5b8efff798038103d269b633813fc60c";
const SPAN = "eee19b7ec3c1b174";
const START = 1_766_000_000_000;
const MIB = 1024 * 1024;
const root = protobuf.Root.fromJSON(messages);

type Fields = Readonly<Record<string, unknown>>;

/** An attribute of a text. */
const named = (key: string, stringValue: string): Fields => ({ key, value: { stringValue } });
const tags = (session: string): readonly Fields[] => [
  named("debug.session", session),
  named("debug.hypothesis", "A"),
  named("debug.point", "cart.js:7"),
];
const logs = (logRecords: readonly Fields[], attributes: readonly Fields[] = []): object => ({
  resourceLogs: [{ resource: { attributes }, scopeLogs: [{ scope: { name: "cart" }, logRecords }] }],
});

interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly retry: string | null;
  readonly body: Fields;
}

interface Exporting {
  readonly url: string;
  /** Sends a request in JSON, or an unchanged body. */
  readonly send: (
    body: object | string | Uint8Array,
    more?: { readonly path?: string; readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<Reply>;
  readonly events: () => Promise<readonly Fields[]>;
}

async function exporting(t: TestContext, flags: Parameters<typeof serving>[1] = {}): Promise<Exporting> {
  const { info } = await serving(await debugHost(t), flags);
  const url = info.base_url;
  return {
    url,
    send: async (body, { path = "/v1/logs", headers = {} } = {}) => {
      const isMessage = typeof body === "object" && !(body instanceof Uint8Array);
      const answer = await fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: isMessage ? JSON.stringify(body) : (body as string),
      });
      const type = answer.headers.get("content-type");
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const name = answer.status === 200 ? "LogsReply" : "Status";
      const decoded = root.lookupType(name);
      return {
        status: answer.status,
        type,
        retry: answer.headers.get("retry-after"),
        body: (type === "application/x-protobuf"
          ? decoded.toObject(decoded.decode(bytes), { longs: String })
          : JSON.parse(Buffer.from(bytes).toString())) as Fields,
      };
    },
    events: async () => JSON.parse((await ask(url, { path: "/logs" })).text) as Fields[],
  };
}

test("a log record that names session, hypothesis and point is an event of that point; another one is context", async (t) => {
  const { send, events } = await exporting(t);
  const record = {
    timeUnixNano: `${START}123456`,
    severityText: "DEBUG",
    body: { stringValue: "total" },
    traceId: TRACE.toUpperCase(),
    spanId: SPAN,
  };
  const values = [
    { key: "total", value: { doubleValue: 23.5 } },
    { key: "id", value: { intValue: "9007199254740993" } },
    { key: "rate", value: { doubleValue: "NaN" } },
    { key: "names", value: { arrayValue: { values: [{ stringValue: "tea" }, { boolValue: false }] } } },
    { key: "item", value: { kvlistValue: { values: [{ key: "count", value: { intValue: 0 } }] } } },
  ];
  const told = await send(
    logs(
      [
        { ...record, attributes: [...tags("login-timeout"), named("debug.run", "post-fix"), ...values] },
        { ...record, attributes: tags("cart-total"), unknownField: [1] },
        { body: { kvlistValue: { values: [named("user", "mira")] } }, attributes: [] },
      ],
      [named("service.name", "shop")],
    ),
  );
  assert.deepEqual([told.status, told.type, told.body], [200, "application/json", {}]);
  const [point, other, bare] = await events();
  const { _at: at, ...kept } = point as Fields;
  assert.equal(typeof at, "number");
  assert.deepEqual(kept, {
    sessionId: "login-timeout",
    runId: "post-fix",
    hypothesisId: "A",
    location: "cart.js:7",
    msg: "total",
    data: {
      total: 23.5,
      id: "9007199254740993",
      rate: "NaN",
      names: ["tea", false],
      item: { count: 0 },
    },
    ts: START + 0.123,
    severity: "DEBUG",
    traceId: TRACE,
    spanId: SPAN,
    service: "shop",
    scope: "cart",
    _seq: 1,
    _run: "post-fix",
    _src: "otlp",
  });
  assert.deepEqual([other?.["hypothesisId"], other?.["sessionId"]], [undefined, "login-timeout"]);
  assert.deepEqual(other?.["data"], {
    "debug.session": "cart-total",
    "debug.hypothesis": "A",
    "debug.point": "cart.js:7",
  });
  assert.deepEqual([bare?.["data"], bare?.["msg"]], [{ body: { user: "mira" } }, undefined]);
});

test("protobuf is read and answered as JSON is, packed with gzip too; a resource may name the point for all of its spans", async (t) => {
  const { send, events } = await exporting(t);
  const span = {
    traceId: Buffer.from(TRACE, "hex"),
    spanId: Buffer.from(SPAN, "hex"),
    parentSpanId: Buffer.from(SPAN, "hex"),
    name: "POST /cart",
    startTimeUnixNano: `${START}000000`,
    endTimeUnixNano: `${START + 12}500000`,
    attributes: [named("step", "sum"), { key: "count", value: { intValue: 0 } }],
    events: [
      { timeUnixNano: `${START + 1}000000`, name: "exception", attributes: [named("text", "no price")] },
    ],
    status: { code: 2, message: "no price" },
  };
  const resource = { attributes: [...tags("login-timeout"), named("service.name", "shop")] };
  const request = { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] };
  const type = root.lookupType("TracesRequest");
  const bytes = type.encode(type.fromObject(request)).finish();
  const headers = { "content-type": "application/x-protobuf" };
  for (const [body, more] of [
    [bytes, {}],
    [gzipSync(bytes), { "content-encoding": "gzip" }],
  ] as const) {
    const {
      status,
      type: answered,
      body: reply,
    } = await send(body, {
      path: "/v1/traces",
      headers: { ...headers, ...more },
    });
    assert.deepEqual([status, answered, reply], [200, "application/x-protobuf", {}]);
  }
  const stored = await events();
  assert.equal(stored.length, 2);
  for (const event of stored) {
    const { hypothesisId, location, msg, data, ts, parentSpanId, durationMs, error, service } = event;
    assert.deepEqual(
      [hypothesisId, location, msg, data, ts],
      [
        "A",
        "cart.js:7",
        "POST /cart",
        { step: "sum", count: 0, events: [{ name: "exception", ts: START + 1, data: { text: "no price" } }] },
        START,
      ],
    );
    assert.deepEqual([parentSpanId, durationMs, error, service], [SPAN, 12.5, "no price", "shop"]);
  }
});

test("a record that is too long is counted as rejected, and the others are stored", async (t) => {
  const { send, events } = await exporting(t);
  const long = Array.from({ length: 20 }, (_, at) => named(`part${at}`, "x".repeat(60_000)));
  const records = [
    { body: { stringValue: "one" } },
    { body: { stringValue: "long" }, attributes: long },
    { body: { stringValue: "two" } },
  ];
  const headers = { "content-encoding": "gzip" };
  const { status, body } = await send(gzipSync(JSON.stringify(logs(records))), { headers });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    partialSuccess: {
      rejectedLogRecords: "1",
      errorMessage: "Element 2 of the array would be longer than 1 MiB in the log.",
    },
  });
  assert.deepEqual(
    (await events()).map(({ msg, _seq }) => [msg, _seq]),
    [
      ["one", 1],
      ["two", 2],
    ],
  );
});

test("a body that is not a request is refused as OTLP says, in its encoding, and nothing of it is stored", async (t) => {
  const { send, events } = await exporting(t);
  const gzip = { "content-encoding": "gzip" };
  const binary = { "content-type": "application/x-protobuf" };
  const many = logs(Array.from({ length: 10_001 }, () => ({})));
  const deep = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${'{"arrayValue":{"values":['.repeat(20_000)}`;
  for (const [status, body, headers, sentence] of [
    [400, "{", {}, /not valid JSON/],
    [400, deep, {}, /not valid JSON/],
    [400, '{"resourceLogs":[5]}', {}, /An element of resourceLogs is not an object/],
    [400, new Uint8Array([255, 255, 255]), binary, /not an ExportLogs request/],
    [400, "{}", gzip, /not valid gzip/],
    [413, gzipSync("x".repeat(5 * MIB)), gzip, /unpacked body is over 4 MiB/],
    [413, "x".repeat(MIB + 1), {}, /over 1 MiB/],
    [413, gzipSync(JSON.stringify(many)), gzip, /more than 10,000 records/],
    [415, "{}", { "content-encoding": "br" }, /but not with gzip/],
    [415, "{}", { "content-type": "text/plain" }, /content type/],
  ] as const) {
    const told = await send(body, { headers });
    const type = headers === binary ? "application/x-protobuf" : "application/json";
    assert.deepEqual([told.status, told.type], [status, type], String(sentence));
    assert.match(String(told.body["message"]), sentence);
    const [detail] = (told.body["details"] ?? []) as readonly Fields[];
    const name = detail?.["@type"] ?? detail?.["type_url"];
    assert.equal(name, status === 400 ? "type.googleapis.com/google.rpc.BadRequest" : undefined);
  }
  for (const empty of ["{}", '{"resourceLogs":[]}']) assert.deepEqual((await send(empty)).body, {});
  assert.deepEqual((await send(new Uint8Array(), { headers: binary })).body, {});
  assert.deepEqual(await events(), []);
});

test("exporters send the key for events where the server asks for one", async (t) => {
  const host = await debugHost(t);
  const { info } = await serving(host, { requireKey: true });
  const { collect } = await keysOf(info);
  const statusOf = async (path: string, headers = {}): Promise<number> =>
    (
      await ask(info.base_url, {
        path,
        body: "{}",
        headers: { "content-type": "application/json", ...headers },
      })
    ).status;
  assert.equal(await statusOf("/v1/logs"), 401);
  assert.equal(await statusOf("/v1/logs", { authorization: `Bearer ${collect}` }), 200);
  assert.equal(await statusOf(`/event/v1/traces?${collect}`), 200);
});
