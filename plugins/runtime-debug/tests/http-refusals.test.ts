/** Refusals of the debug server over HTTP: the status, the code, the origins that may read it, and that nothing is stored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { raw, read } from "../../../core/surfaces/http/fixture-host.ts";
import { health } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

const PAGE = "http://localhost:3000";
const MIB = 1024 * 1024;
const BODY = ["Content-Length: 2", "", "{}"];
const POST = "POST /event HTTP/1.1";

/** Refused requests: the first line, and the text after the headers that every request has. */
type Row = readonly [status: number, code: string, first: string, rest?: readonly string[], allow?: string];

const ROWS: readonly Row[] = [
  [404, "not_found", "POST /evnt HTTP/1.1", BODY],
  [404, "not_found", "GET /nothing HTTP/1.1"],
  [405, "method_not_allowed", "PUT /event HTTP/1.1", [], "post"],
  [405, "method_not_allowed", "POST /logs HTTP/1.1", BODY, "get, head, delete"],
  [400, "bad_request", "GET /%zz HTTP/1.1"],
  [403, "forbidden_host", "GET http://evil.example/ HTTP/1.1"],
  [400, "bad_query", "GET /logs?last=x HTTP/1.1"],
  [400, "bad_query", "GET /logs?lats=1 HTTP/1.1"],
  [400, "bad_json", POST, ["Content-Length: 0"]],
  [400, "bad_json", POST],
];

/** Heads that cannot be read, so that the origin of the page is unknown: core/surfaces/http/refusals.test.ts has more. */
const UNREADABLE: readonly Row[] = [
  [400, "bad_request", "hello"],
  [400, "bad_request", POST, ["Transfer-Encoding: chunked", "", "zz", "{}", "0"]],
  [431, "bad_request", POST, [`X: ${"y".repeat(8 * MIB)}`, ...BODY]],
];

test("refusals are JSON that a page of this machine may read, and nothing is stored", async (t) => {
  const { info } = await serving(await debugHost(t));
  const port = Number(new URL(info.base_url).port);
  for (const row of [...ROWS, ...UNREADABLE]) {
    const [status, code, first, rest = [], allow] = row;
    const isUnreadable = UNREADABLE.includes(row);
    const headers = [
      `Host: 127.0.0.1:${port}`,
      "Connection: close",
      ...(isUnreadable ? [] : [`Origin: ${PAGE}`]),
    ];
    const end = rest.includes("") ? [] : ["", ""];
    const answer = read(await raw(port, [first, ...headers, ...rest, ...end].join("\r\n")));
    const { ok, error, message } = answer.body;
    const what = `${first} ${rest.join(" ").slice(0, 40)}`;
    assert.deepEqual([answer.status, ok, error, typeof message], [status, false, code, "string"], what);
    assert.match(answer.head, /\r\ncontent-type: application\/json; charset=utf-8\r\n/, what);
    const shared = /\r\naccess-control-allow-origin: (.*)\r\n/.exec(answer.head)?.[1];
    assert.equal(shared, isUnreadable ? undefined : PAGE, what);
    assert.equal(/\r\nallow: (.*)\r\n/.exec(answer.head)?.[1], allow, what);
  }
  assert.equal((await health(info.base_url)).seq, 0);
});
