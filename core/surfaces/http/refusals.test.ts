import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { OpenServer } from "../../ports/server.ts";
import type { Check } from "../../schema/schemas.ts";
import { fixtureHost, raw, read, type Fixture } from "./fixture-host.ts";
import { openHttpServer } from "./server.ts";

interface RequestOptions {
  /** Default: POST with a body, else GET. */
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pointer?: string;
  readonly hint?: RegExp;
}

const JSON_TYPE = { "content-type": "application/json" };
const GREET = "/v1/skills/demo/commands/greet";
const command = (name: string): string => `/v1/skills/demo/commands/${name}`;

/**
 * Requests by path with the status and code of their responses: the cases that the promises in
 * `tests/doors-http.test.ts` leave out.
 */
const REFUSED: readonly (readonly [what: string, path: string, answer: string, more?: RequestOptions])[] = [
  [
    "an unknown address before an unsupported content type",
    "/nowhere",
    "404 NOT_FOUND",
    { body: "x", headers: { "content-type": "text/plain" } },
  ],
  ["an unknown address before a broken body", "/nowhere", "404 NOT_FOUND", { body: "{" }],
  [
    "a command of the terminal only",
    command("print"),
    "403 SURFACE_REFUSED",
    { method: "POST", hint: /cli/ },
  ],
  ["a method that the address does not answer", GREET, "405 METHOD_REFUSED", { hint: /POST/ }],
  ["a broken escape in the path", "/%zz", "400 REQUEST_UNREADABLE"],
  ["an empty body that claims to be JSON", GREET, "400 BODY_UNREADABLE", { body: "" }],
  ["bytes that are not UTF-8", GREET, "400 BODY_UNREADABLE", { body: Uint8Array.of(0x22, 0xff, 0x22) }],
  [
    "an escaped key that poisons a prototype",
    GREET,
    "400 BODY_UNREADABLE",
    { body: '{"\\u005f_proto__":{}}' },
  ],
  [
    "a constructor with a prototype",
    GREET,
    "400 BODY_UNREADABLE",
    { body: '{"constructor":{"prototype":{}}}' },
  ],
  [
    "a form",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "name=Ada", headers: { "content-type": "application/x-www-form-urlencoded" } },
  ],
  [
    "a type that only begins like JSON",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "application/jsonp" } },
  ],
  [
    "an invalid content type",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "json" } },
  ],
  [
    "a body without a content type",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: Uint8Array.of(0x7b, 0x7d), headers: {} },
  ],
  [
    "lines of JSON for a command",
    GREET,
    "415 MEDIA_TYPE_REFUSED",
    { body: "{}", headers: { "content-type": "application/x-ndjson" } },
  ],
  ["an unknown property", GREET, "400 INPUT_INVALID", { body: '{"name":"Ada","x":1}', pointer: "/x" }],
  [
    "a text instead of a number",
    GREET,
    "400 INPUT_INVALID",
    { body: '{"name":"Ada","times":"5"}', pointer: "/times" },
  ],
  ["null for an object", GREET, "400 INPUT_INVALID", { body: "null", pointer: "" }],
  ["no body where a route asks for one", "/demo/greet", "400 INPUT_INVALID", { method: "POST", pointer: "" }],
  [
    "a parameter that poisons a prototype",
    "/demo/search?__proto__=1",
    "400 INPUT_INVALID",
    { pointer: "/query/__proto__" },
  ],
  ["a thrown value that is not an Error", command("odd"), "500 INTERNAL", { method: "POST" }],
  ["a reply that does not fit its schema", "/demo/crooked", "500 OUTPUT_INVALID"],
];

describe("a refusal over HTTP", () => {
  let fixture: Fixture;
  let server: OpenServer;
  let isProblem: Check;
  before(async () => {
    fixture = await fixtureHost();
    server = await openHttpServer(fixture.host);
    isProblem = await fixture.host.schemas.check("core/problem");
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  for (const [what, path, answer, { method, body, headers, pointer, hint } = {}] of REFUSED) {
    it(`answers ${what} with ${answer}`, async () => {
      const [, status, code = ""] = /^(\d+) (\w+)$/.exec(answer) ?? [];
      const response = await fetch(`${server.url}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        ...(body !== undefined && { body, headers: headers ?? JSON_TYPE }),
      });
      const problem = (await response.json()) as Readonly<Record<string, unknown>>;
      const wanted = [Number(status), code, Number(status)];
      assert.deepEqual([response.status, problem["code"], problem["status"]], wanted);
      assert.equal(response.headers.get("content-type"), "application/problem+json; charset=utf-8");
      assert.equal(problem["type"], `urn:skillctl:error:${code}`);
      assert.equal(problem["title"], fixture.host.catalog.codeEntry(code, "demo").summary);
      assert.equal(isProblem(problem), undefined);
      if (pointer !== undefined) assert.equal(problem["pointer"], pointer);
      if (hint) assert.match(String(problem["hint"]), hint);
    });
  }

  it("names the methods of an address in Allow", async () => {
    const response = await fetch(`${server.url}/demo/line`, { method: "PUT" });
    assert.equal(response.headers.get("allow"), "GET, HEAD, DELETE");
  });

  it("includes the partial result of an error", async () => {
    const response = await fetch(`${server.url}${command("partial")}`, { method: "POST" });
    const problem = (await response.json()) as { readonly code: string; readonly result: unknown };
    assert.deepEqual(
      [response.status, problem.code, problem.result],
      [502, "NETWORK_BROKEN", { text: "half" }],
    );
  });

  it("takes the host from an absolute-form target, whatever Host says", async () => {
    const ask = async (host: string, header: string) => {
      const lines = [`GET http://${host}/health HTTP/1.1`, `Host: ${header}`, "Connection: close", "", ""];
      return read(await raw(server.port, lines.join("\r\n"))).status;
    };
    assert.equal(await ask(`localhost:${server.port}`, "evil.example"), 200);
    assert.equal(await ask("evil.example", `localhost:${server.port}`), 403);
  });

  it("answers OPTIONS with the methods of an address", async () => {
    for (const [path, allow] of [
      ["/demo/line", "GET, HEAD, DELETE"],
      [command("greet"), "POST"],
      ["/nowhere", null],
    ] as const) {
      const response = await fetch(server.url + path, { method: "OPTIONS" });
      assert.deepEqual([response.status, response.headers.get("allow")], [204, allow]);
    }
  });

  const HEAD = "POST /v1/skills/demo/commands/greet HTTP/1.1\r\nHost: localhost:PORT\r\n";
  const CHUNK = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const MALFORMED: readonly (readonly [what: string, bytes: string, status: number, code: string])[] = [
    ["bytes that are not HTTP", "hello\r\n\r\n", 400, "REQUEST_UNREADABLE"],
    ["a request of HTTP/1.0 without Host", "GET /health HTTP/1.0\r\n\r\n", 400, "REQUEST_UNREADABLE"],
    ["an unknown method", "FOO / HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400, "REQUEST_UNREADABLE"],
    ["a head over the limit", `${HEAD}X-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431, "REQUEST_UNREADABLE"],
    ["two lengths", `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, "REQUEST_UNREADABLE"],
    [
      "a length beside chunks",
      `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      "REQUEST_UNREADABLE",
    ],
    [
      "a broken chunk",
      `${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}`,
      400,
      "REQUEST_UNREADABLE",
    ],
    [
      "a chunked body over the limit",
      `${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(17)}0\r\n\r\n`,
      413,
      "BODY_TOO_LARGE",
    ],
  ];
  for (const [what, bytes, status, code] of MALFORMED) {
    it(`answers ${what} with ${status} ${code} and ends the connection`, async () => {
      const answer = read(await raw(server.port, bytes.replaceAll("PORT", String(server.port))));
      assert.deepEqual([answer.status, answer.body["code"], answer.body["status"]], [status, code, status]);
      assert.match(answer.head, /content-type: application\/problem\+json/);
      assert.equal(isProblem(answer.body), undefined);
    });
  }
});
