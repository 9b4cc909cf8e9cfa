import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { otherSide } from "../testing/fixture-other-side.ts";
import { begin, failure, get } from "./fixture-http.ts";
import { kyHttp } from "./http.ts";

test("method, headers and body arrive unchanged, and the response has status, type and text", async (t) => {
  let got: IncomingMessage | undefined;
  let body = "";
  const { url, seen } = await otherSide(t, (request, response) => {
    got = request;
    request.setEncoding("utf8").on("data", (chunk: string) => void (body += chunk));
    request.on("end", () =>
      response
        .writeHead(201, {
          "content-type": "application/json; charset=utf-8",
          "X-More": ["a", "b"],
          date: "x",
        })
        .end('{"x":"世界"}'),
    );
  });
  const headers = { "content-type": "application/json", "x-token": "abc" };
  const request = get(`${url}/a/b?c=d`, {
    method: "PUT",
    headers: { ...headers, connection: "close" },
    body: '{"größe":1}',
  });
  assert.deepEqual(await kyHttp.send(request), {
    status: 201,
    contentType: "application/json; charset=utf-8",
    headers: {
      connection: "close",
      "content-type": "application/json; charset=utf-8",
      date: "x",
      "transfer-encoding": "chunked",
      "x-more": "a, b",
    },
    body: '{"x":"世界"}',
  });
  assert.deepEqual(seen, ["PUT /a/b?c=d"]);
  assert.equal(body, '{"größe":1}');
  assert.equal(got?.headers["content-type"], "application/json");
  assert.equal(got?.headers["x-token"], "abc");
});

test("every status is a response with its body, and the request is sent once", async (t) => {
  const statuses = [200, 304, 400, 401, 404, 408, 413, 429, 500, 502, 503, 504];
  const { url, seen } = await otherSide(t, (request, response) => {
    const status = Number(request.url?.slice(1));
    response
      .writeHead(status, { "retry-after": "0", "content-type": "text/plain" })
      .end(status === 304 ? "" : `it is ${status}`);
  });
  for (const status of statuses) {
    const response = await kyHttp.send(get(`${url}/${status}`));
    assert.deepEqual([response.status, response.body], [status, status === 304 ? "" : `it is ${status}`]);
  }
  assert.deepEqual(
    seen,
    statuses.map((status) => `GET /${status}`),
  );
});

test("a redirect is returned and not followed: the other host receives no request", async (t) => {
  const other = await otherSide(t, (_, response) => response.end("caught"));
  const { url, seen } = await otherSide(t, (request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: `${other.url}/caught` }).end("moved"),
  );
  for (const status of [301, 302, 303, 307, 308]) {
    const request = get(`${url}/${status}`, {
      method: "POST",
      headers: { "x-token": "abc" },
      body: "secret",
    });
    const response = await kyHttp.send(request);
    assert.deepEqual(
      [response.status, response.body, response.headers["location"]],
      [status, "moved", `${other.url}/caught`],
    );
  }
  assert.deepEqual([seen.length, other.seen], [5, []]);
});

test("a response may be as long as the limit and not a byte longer", async (t) => {
  const { url } = await otherSide(t, (_, response) => response.end("12345"));
  assert.equal((await kyHttp.send(get(url, { maxBytes: 5 }))).body, "12345");
  const error = await failure(get(url, { maxBytes: 4 }));
  assert.deepEqual([error.code, error.message], ["NETWORK_TOO_LARGE", "The answer is over 4 bytes."]);
});

test("the limit counts decoded bytes, so that a small compressed response cannot become a large one", async (t) => {
  const packed = gzipSync(Buffer.alloc(50_000_000));
  assert.ok(packed.length < 100_000);
  const { url } = await otherSide(t, (request, response) => {
    const body = request.url === "/bomb" ? packed : gzipSync("unpacked");
    response.writeHead(200, { "content-encoding": "gzip" }).end(body);
  });
  assert.equal((await kyHttp.send(get(`${url}/small`, { maxBytes: 8 }))).body, "unpacked");
  assert.equal((await failure(get(`${url}/bomb`, { maxBytes: 100_000 }))).code, "NETWORK_TOO_LARGE");
});

test("an endless response and its connection are ended at the limit", async (t) => {
  let gone = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const { url } = await otherSide(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", more).on("close", gone);
    more();
  });
  assert.equal((await failure(get(url, { maxBytes: 100_000 }))).code, "NETWORK_TOO_LARGE");
  await closed;
});

test("the time-out covers the wait for the response and its body", async (t) => {
  const { url, seen } = await otherSide(t, (request, response) => {
    if (request.url === "/body") begin(response);
  });
  for (const path of ["/headers", "/body"]) {
    // On a busy machine the time limit may end before the request reaches the server; it is then doubled.
    for (let timeoutMs = 150; seen.at(-1) !== `GET ${path}`; timeoutMs *= 2) {
      const error = await failure(get(`${url}${path}`, { timeoutMs }));
      assert.deepEqual(
        [error.code, error.message],
        ["NETWORK_TIMEOUT", `${url} did not answer within ${timeoutMs / 1000} s.`],
      );
    }
  }
});
