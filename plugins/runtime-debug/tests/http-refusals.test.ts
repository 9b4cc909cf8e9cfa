/** What the debug server refuses over HTTP: the status, the code, who may read it, and that nothing is stored. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestHost, type TestHost } from "skillctl/testing";
import { blockIn } from "./serving.ts";
import { told } from "./http-wire.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

const HOST = "Host: 127.0.0.1:PORT";
const CLOSE = "Connection: close";
const PAGE = "http://localhost:3000";
const MIB = 1024 * 1024;
const BODY = ["Content-Length: 2", "", "{}"];

interface Row {
  readonly what: string;
  readonly lines: readonly string[];
  readonly status: number;
  readonly code: string;
  readonly allow?: string;
  /** The head cannot be read, so nobody knows which page asks. */
  readonly headless?: true;
}

const post = (...lines: readonly string[]): readonly string[] => [
  "POST /event HTTP/1.1",
  HOST,
  CLOSE,
  ...lines,
];
const ask = (method: string, path: string): readonly string[] => [`${method} ${path} HTTP/1.1`, HOST, CLOSE];

const ADDRESSES: readonly Row[] = [
  { what: "an unknown path", lines: [...ask("POST", "/evnt"), ...BODY], status: 404, code: "not_found" },
  { what: "an unknown path in GET", lines: ask("GET", "/nothing"), status: 404, code: "not_found" },
  ...["PUT", "GET", "TRACE"].map((method): Row => {
    const lines = ask(method, "/event");
    return { what: `${method} of events`, lines, status: 405, code: "method_not_allowed", allow: "POST" };
  }),
  {
    what: "POST of the log",
    lines: [...ask("POST", "/logs"), ...BODY],
    status: 405,
    code: "method_not_allowed",
    allow: "GET, HEAD, DELETE",
  },
  { what: "a broken escape", lines: ask("GET", "/%zz"), status: 400, code: "bad_request" },
  {
    what: "a target that names another host",
    lines: ask("GET", "http://evil.example/"),
    status: 403,
    code: "forbidden_host",
  },
  { what: "a query value that is wrong", lines: ask("GET", "/logs?last=x"), status: 400, code: "bad_query" },
  { what: "a query that is unknown", lines: ask("GET", "/logs?lats=1"), status: 400, code: "bad_query" },
  { what: "an empty body", lines: post("Content-Length: 0", "", ""), status: 400, code: "bad_json" },
  { what: "no body", lines: post("", ""), status: 400, code: "bad_json" },
];

/** What else cannot be read is refused by the surface, whoever is behind it: core/surfaces/http/refusals.test.ts. */
const UNREADABLE: readonly Row[] = [
  { what: "what is no HTTP", lines: ["hello", "", ""] },
  { what: "a chunk of no size", lines: post("Transfer-Encoding: chunked", "", "zz", "{}", "0", "", "") },
].map((row) => ({ ...row, status: 400, code: "bad_request", headless: true }));

const FLOOD: readonly Row[] = [
  { what: "a header line of eight megabytes", lines: post(`X: ${"y".repeat(8 * MIB)}`, ...BODY) },
].map((row) => ({ ...row, status: 431, code: "bad_request", headless: true }));

describe("refused without a stored event, as JSON that a page of this machine may read:", () => {
  let host: TestHost;
  let port = 0;
  let health = "";
  const stop = new AbortController();
  let ended: Promise<unknown>;
  before(async () => {
    host = await createTestHost({ skills: SKILLS });
    const block = await new Promise<string>((resolve, reject) => {
      ended = host.run({
        skill: "runtime-debug",
        command: "serve",
        surface: "cli",
        input: { session: "login-timeout", port: 0 },
        signal: stop.signal,
        announce: resolve,
      });
      ended.catch(reject);
    });
    const info = blockIn(block);
    port = Number(new URL(info.base_url).port);
    health = `${info.base_url}/health`;
  });
  after(async () => {
    stop.abort();
    await ended;
    await host.close();
  });

  for (const { what, lines, status, code, allow, headless } of [...ADDRESSES, ...UNREADABLE, ...FLOOD])
    test(what, async () => {
      const [first = "", ...rest] = lines;
      const withPage = headless ? lines : [first, `Origin: ${PAGE}`, ...rest];
      const ended = lines.includes("") || headless ? withPage : [...withPage, "", ""];
      const [heard, ...more] = await told(port, ended.join("\r\n").replaceAll("PORT", String(port)));
      assert.deepEqual([heard?.status, more], [status, []]);
      const { ok, error, message } = JSON.parse(heard?.text ?? "") as Readonly<Record<string, unknown>>;
      assert.deepEqual([ok, error, typeof message], [false, code, "string"]);
      assert.equal(heard?.headers.get("content-type"), "application/json; charset=utf-8");
      assert.equal(heard?.headers.get("allow"), allow);
      assert.equal(heard?.headers.get("access-control-allow-origin"), headless ? undefined : PAGE);
      const { log_count: count } = (await (await fetch(health)).json()) as { readonly log_count: number };
      assert.equal(count, 0);
    });
});
