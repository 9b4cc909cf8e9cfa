import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, it } from "node:test";
import type { OpenServer } from "../../ports/server.ts";
import type { Check } from "../../schema/schemas.ts";
import { fixtureHost, raw, read, type Fixture } from "./fixture-host.ts";
import { openHttpServer } from "./server.ts";

interface Refusal {
  readonly what: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  readonly pointer?: string;
  readonly hint?: RegExp;
}

const JSON_TYPE = { "content-type": "application/json" };
const GREET = "/v1/skills/demo/commands/greet";
const command = (name: string): string => `/v1/skills/demo/commands/${name}`;

const REFUSED: readonly Refusal[] = [
  {
    what: "an address that nobody has",
    path: "/helth",
    status: 404,
    code: "NOT_FOUND",
    hint: /Did you mean \/health\?/,
  },
  {
    what: "a skill that nobody has",
    path: "/v1/skills/dmo/commands/greet",
    method: "POST",
    status: 404,
    code: "UNKNOWN_SKILL",
    hint: /Did you mean demo\?/,
  },
  {
    what: "a command that the skill does not have",
    path: command("gret"),
    method: "POST",
    status: 404,
    code: "UNKNOWN_COMMAND",
    hint: /Did you mean greet\?/,
  },
  {
    what: "an unknown address before a strange content type",
    path: "/nowhere",
    method: "POST",
    body: "x",
    headers: { "content-type": "text/plain" },
    status: 404,
    code: "NOT_FOUND",
  },
  {
    what: "an unknown address before a broken body",
    path: "/nowhere",
    body: "{",
    status: 404,
    code: "NOT_FOUND",
  },
  {
    what: "a command of the terminal only",
    path: command("print"),
    method: "POST",
    status: 403,
    code: "SURFACE_REFUSED",
    hint: /cli/,
  },
  {
    what: "a command that keeps running and does not name http",
    path: command("serve"),
    method: "POST",
    status: 403,
    code: "SURFACE_REFUSED",
  },
  {
    what: "a method that the address does not answer",
    path: GREET,
    status: 405,
    code: "METHOD_REFUSED",
    hint: /POST/,
  },
  {
    what: "OPTIONS",
    path: "/health",
    method: "OPTIONS",
    status: 405,
    code: "METHOD_REFUSED",
    hint: /GET, HEAD/,
  },
  { what: "a broken escape in the path", path: "/%zz", status: 400, code: "REQUEST_UNREADABLE" },
  { what: "no JSON", path: GREET, body: '{"name":', status: 400, code: "BODY_UNREADABLE", pointer: "" },
  {
    what: "an empty body that claims to be JSON",
    path: GREET,
    body: "",
    status: 400,
    code: "BODY_UNREADABLE",
  },
  {
    what: "bytes that are not UTF-8",
    path: GREET,
    body: Uint8Array.of(0x22, 0xff, 0x22),
    status: 400,
    code: "BODY_UNREADABLE",
  },
  {
    what: "a key that poisons a prototype",
    path: GREET,
    body: '{"a":[{"__proto__":1}]}',
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/a/0/__proto__",
  },
  {
    what: "an escaped key that poisons a prototype",
    path: GREET,
    body: String.raw`{"\u005f_proto__":{}}`,
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/__proto__",
  },
  {
    what: "a constructor with a prototype",
    path: GREET,
    body: '{"constructor":{"prototype":{}}}',
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/constructor",
  },
  {
    what: "a body over the limit",
    path: GREET,
    body: JSON.stringify({ name: "x".repeat(1024 * 1024) }),
    status: 413,
    code: "BODY_TOO_LARGE",
  },
  {
    what: "plain text",
    path: GREET,
    body: '{"name":"Ada"}',
    headers: { "content-type": "text/plain" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a form",
    path: GREET,
    body: "name=Ada",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a type that only begins like JSON",
    path: GREET,
    body: "{}",
    headers: { "content-type": "application/jsonp" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a content type that is none",
    path: GREET,
    body: "{}",
    headers: { "content-type": "json" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a body without a content type",
    path: GREET,
    body: new TextEncoder().encode("{}"),
    headers: {},
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "another charset",
    path: GREET,
    body: "{}",
    headers: { "content-type": "application/json; charset=latin1" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "lines of JSON for a command",
    path: GREET,
    body: "{}",
    headers: { "content-type": "application/x-ndjson" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a compressed body",
    path: GREET,
    body: new Uint8Array(gzipSync('{"name":"Ada"}')),
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
    status: 415,
    code: "MEDIA_TYPE_REFUSED",
  },
  {
    what: "a missing property",
    path: GREET,
    body: "{}",
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/name",
  },
  {
    what: "a strange property",
    path: GREET,
    body: '{"name":"Ada","x":1}',
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/x",
  },
  {
    what: "a number where a text is asked for",
    path: GREET,
    body: '{"name":5}',
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/name",
  },
  {
    what: "a text where a number is asked for",
    path: GREET,
    body: '{"name":"Ada","times":"5"}',
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/times",
  },
  { what: "null for an object", path: GREET, body: "null", status: 400, code: "INPUT_INVALID", pointer: "" },
  {
    what: "a number where a route asks for a text",
    path: "/demo/greet",
    method: "POST",
    body: '{"name":5}',
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/name",
  },
  {
    what: "no body where a route asks for one",
    path: "/demo/greet",
    method: "POST",
    status: 400,
    code: "INPUT_INVALID",
    pointer: "",
  },
  {
    what: "a broken line",
    path: "/demo/lines",
    body: '{"n":1}\n{"n"',
    headers: { "content-type": "application/x-ndjson" },
    status: 400,
    code: "BODY_UNREADABLE",
    pointer: "/1",
  },
  {
    what: "a query that does not fit",
    path: "/demo/search?limit=0",
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/query/limit",
  },
  {
    what: "an unknown parameter",
    path: "/demo/search?x=1",
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/query/x",
  },
  {
    what: "a parameter that poisons a prototype",
    path: "/demo/search?__proto__=1",
    status: 400,
    code: "INPUT_INVALID",
    pointer: "/query/__proto__",
  },
  {
    what: "a command that a rule forbids",
    path: GREET,
    body: '{"name":"Mallory"}',
    status: 403,
    code: "GUARD_DENIED",
    hint: /demo\/no-mallory/,
  },
  {
    what: "a route that a rule forbids",
    path: "/demo/greet",
    method: "POST",
    body: '{"name":"Mallory"}',
    status: 403,
    code: "GUARD_DENIED",
  },
  {
    what: "a failure with a code of the skill's own",
    path: command("teapot"),
    method: "POST",
    status: 418,
    code: "DEMO_TEAPOT",
    hint: /Drink tea/,
  },
  { what: "an unforeseen failure", path: command("broken"), method: "POST", status: 500, code: "INTERNAL" },
  {
    what: "something thrown that is no error",
    path: command("odd"),
    method: "POST",
    status: 500,
    code: "INTERNAL",
  },
  {
    what: "an output that does not fit",
    path: command("misfit"),
    method: "POST",
    status: 500,
    code: "OUTPUT_INVALID",
    pointer: "/text",
  },
  {
    what: "a reply of a status that the manifest does not name",
    path: "/demo/stray",
    status: 500,
    code: "OUTPUT_INVALID",
  },
  {
    what: "a reply that does not fit its schema",
    path: "/demo/crooked",
    status: 500,
    code: "OUTPUT_INVALID",
  },
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

  for (const { what, path, method, body, headers, status, code, pointer, hint } of REFUSED) {
    it(`answers ${what} with ${status} ${code}`, async () => {
      const response = await fetch(`${server.url}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        ...(body !== undefined && { body, headers: headers ?? JSON_TYPE }),
      });
      const problem = (await response.json()) as Readonly<Record<string, unknown>>;
      assert.deepEqual([response.status, problem["code"], problem["status"]], [status, code, status]);
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

  it("carries a result that came all the same", async () => {
    const response = await fetch(`${server.url}${command("partial")}`, { method: "POST" });
    const problem = (await response.json()) as { readonly code: string; readonly result: unknown };
    assert.deepEqual(
      [response.status, problem.code, problem.result],
      [502, "NETWORK_BROKEN", { text: "half" }],
    );
  });

  const HEAD = "POST /v1/skills/demo/commands/greet HTTP/1.1\r\nHost: localhost:PORT\r\n";
  const CHUNK = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const MALFORMED: readonly (readonly [what: string, bytes: string, status: number, code: string])[] = [
    ["what is no HTTP", "hello\r\n\r\n", 400, "REQUEST_UNREADABLE"],
    [
      "a method that nobody knows",
      "FOO / HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n",
      400,
      "REQUEST_UNREADABLE",
    ],
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
    [
      "a target that names a host",
      "GET http://localhost:PORT/health HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n",
      400,
      "REQUEST_UNREADABLE",
    ],
    [
      "a target that is a star",
      "OPTIONS * HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n",
      400,
      "REQUEST_UNREADABLE",
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
