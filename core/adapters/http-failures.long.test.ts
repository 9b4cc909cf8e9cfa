import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { inspect, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { HttpRequest } from "../ports/http.ts";
import { bareSide, desertedSide, otherSide } from "../testing/fixture-other-side.ts";
import { begin, failure, get } from "./fixture-http.ts";
import { kyHttp } from "./http.ts";

test("an address without a listener and an unknown host name are unreachable", async () => {
  const url = await desertedSide();
  const refused = await failure(get(url));
  assert.equal(refused.code, "NETWORK_UNREACHED");
  assert.equal(refused.message, `${url} cannot be reached (ECONNREFUSED).`);
  assert.equal(refused.hint, "Check the address and the network.");
  const unknown = await failure(get("http://unknown-name.invalid/path"));
  assert.equal(unknown.code, "NETWORK_UNREACHED");
  assert.match(
    unknown.message,
    /^http:\/\/unknown-name\.invalid cannot be reached \((ENOTFOUND|EAI_AGAIN)\)\.$/,
  );
});

test("failures before a connection exists, handshake included, count as unreachable", async (t) => {
  const closes = await bareSide(t, (socket) => void socket.end());
  const refuses = createTlsServer();
  await new Promise<void>((resolve) => refuses.listen(0, "127.0.0.1", resolve));
  t.after(() => refuses.close());
  const { port } = refuses.address() as AddressInfo;
  const secure = closes.replace("http:", "https:");
  for (const [url, reason] of [
    [secure, "ECONNRESET"],
    [`https://127.0.0.1:${port}`, "ERR_SSL_[\\w/]+"],
    [(await desertedSide()).replace("127.0.0.1", "localhost"), "ECONNREFUSED"],
    ["http://127.0.0.1:1", "blocked port"],
  ] as const) {
    const error = await failure(get(url, { method: "POST", body: "x" }));
    assert.equal(error.code, "NETWORK_UNREACHED", url);
    assert.match(error.message, new RegExp(`^${url} cannot be reached \\(${reason}\\)\\.$`));
  }
});

test("a request that HTTP does not allow counts as unreachable, and the message does not quote its parts", async (t) => {
  const { url, seen } = await otherSide(t, (_, response) => response.end());
  const { host } = new URL(url);
  for (const request of [
    get(url, { headers: { "x-token": "s3cret\nsplit" } }),
    get(url, { headers: { "x-token": "s3cret 世界" } }),
    get(url, { headers: { "s3cret token": "x" } }),
    get(`http://s3cret:s3cret@${host}/`),
  ]) {
    const error = await failure(request);
    assert.deepEqual(
      [error.code, error.message, error.cause],
      ["NETWORK_UNREACHED", "A part of the request is not valid in HTTP.", undefined],
    );
    assert.doesNotMatch(inspect(error), /s3cret/);
  }
  assert.deepEqual(seen, []);
});

test("a response that is not UTF-8 is an error and is never shown with replacement characters", async (t) => {
  const { url } = await otherSide(t, (request, response) =>
    response.end(request.url === "/gbk" ? Buffer.from("b2a5b7c5c1bf", "hex") : "播放量"),
  );
  const error = await failure(get(`${url}/gbk`));
  assert.deepEqual([error.code, error.message], ["NETWORK_BROKEN", "The answer is not valid UTF-8."]);
  assert.equal((await kyHttp.send(get(`${url}/utf-8`))).body, "播放量");
});

test("a truncated response and one with an invalid content coding are errors", async (t) => {
  const packed = gzipSync("x".repeat(1000));
  const { url, seen } = await otherSide(t, (request, response) => {
    const whole = request.url?.startsWith("/packed") ? packed : Buffer.from("x".repeat(1000));
    response.setHeader("content-encoding", request.url?.startsWith("/packed") ? "gzip" : "identity");
    if (request.url?.endsWith("wrong")) return void response.end("not packed at all");
    if (request.url?.endsWith("long")) response.setHeader("content-length", whole.length);
    response.write(whole.subarray(0, whole.length / 2), () => request.socket.destroy());
  });
  for (const path of ["/long", "/chunks", "/packed-long", "/packed-chunks", "/packed-wrong"]) {
    const error = await failure(get(url + path));
    assert.equal(error.code, "NETWORK_BROKEN", path);
    assert.match(error.message, /^The connection to \S+ broke \([A-Z_]+\)\.$/);
  }
  assert.equal(seen.length, 5);
});

test("a connection that breaks after the request was sent is an error, and the request is not repeated", async (t) => {
  const { url, seen } = await otherSide(t, (request, response) => {
    if (request.url === "/before") return void request.socket.resetAndDestroy();
    if (request.url === "/short") response.setHeader("content-length", "100");
    begin(response);
    setImmediate(() =>
      request.url === "/reset" ? request.socket.resetAndDestroy() : request.socket.destroy(),
    );
  });
  const paths = ["/before", "/reset", "/closed", "/short"];
  for (const path of paths) {
    for (const method of ["GET", "POST"] as const) {
      const error = await failure(get(`${url}${path}`, { method }));
      assert.equal(error.code, "NETWORK_BROKEN", path);
      assert.match(
        error.message,
        new RegExp(`^The connection to ${url} broke \\((ECONNRESET|UND_ERR_SOCKET)\\)\\.$`),
      );
    }
  }
  assert.deepEqual(
    seen,
    paths.flatMap((path) => [`GET ${path}`, `POST ${path}`]),
  );
});

test("the first request of a process does not hang when the server accepts the connection and closes it", async (t) => {
  const url = await bareSide(t, (socket) => void socket.end());
  const script = `
    const { kyHttp } = await import(${JSON.stringify(new URL("./http.ts", import.meta.url).href)});
    const request = { method: "GET", url: ${JSON.stringify(url)}, timeoutMs: 20_000, maxBytes: 10 };
    await kyHttp.send(request).catch(({ code }) => process.stdout.write(code));`;
  const words = [
    "--conditions=@skillctl/source",
    "--import",
    import.meta.resolve("tsx"),
    "--input-type=module",
    "-e",
    script,
  ];
  const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, words)));
  assert.deepEqual(
    runs.map(({ stdout }) => stdout),
    Array(3).fill("NETWORK_BROKEN"),
  );
});

test("the caller can cancel a request before it is sent, while it waits, and during the response", async (t) => {
  const reached = new EventTarget();
  const { url, seen } = await otherSide(t, (request, response) => {
    if (request.url === "/body") begin(response);
    reached.dispatchEvent(new Event("reached"));
  });
  const message = "The call was cancelled before its response.";
  const before = await failure(get(`${url}/before`, { signal: AbortSignal.abort() }));
  assert.deepEqual([before.code, before.message, seen], ["CANCELLED", message, []]);
  for (const path of ["/waiting", "/body"]) {
    const controller = new AbortController();
    reached.addEventListener("reached", () => setTimeout(() => controller.abort(), 20), { once: true });
    assert.equal((await failure(get(`${url}${path}`, { signal: controller.signal }))).code, "CANCELLED");
  }
  assert.deepEqual(seen, ["GET /waiting", "GET /body"]);
});

test("the time-out and the caller can end a request during its response also after a garbage collection", async (t) => {
  const { url } = await otherSide(t, (request, response) => {
    begin(response);
    const drip = setInterval(() => request.url === "/drip" && response.write("."), 10);
    response.on("close", () => clearInterval(drip));
  });
  const script = `
    const { kyHttp } = await import(${JSON.stringify(new URL("./http.ts", import.meta.url).href)});
    const collect = setInterval(() => globalThis.gc(), 20);
    const send = (path, timeoutMs, signal) =>
      kyHttp.send({ method: "POST", url: ${JSON.stringify(url)} + path, body: "x", timeoutMs, maxBytes: 1e9, signal })
        .catch(({ code }) => code);
    const asked = new AbortController();
    setTimeout(() => asked.abort(), 500);
    const ends = Promise.all(["/drip", "/silent"].flatMap((path) => [send(path, 500), send(path, 50_000, asked.signal)]));
    const never = new Promise((resolve) => setTimeout(resolve, 5_000, ["neither"]));
    process.stdout.write(String(await Promise.race([ends, never])));
    process.exit();`;
  const words = ["--expose-gc", "--conditions=@skillctl/source", "--import", import.meta.resolve("tsx")];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...words,
    "--input-type=module",
    "-e",
    script,
  ]);
  assert.equal(stdout, "NETWORK_TIMEOUT,CANCELLED,NETWORK_TIMEOUT,CANCELLED");
});

test("no error quotes a header, the body, the path or the query in its message, hint or causes", async (t) => {
  const { url } = await otherSide(t, (request, response) => {
    if (request.url?.startsWith("/reset")) return void request.socket.resetAndDestroy();
    if (request.url?.startsWith("/large")) response.end("x".repeat(100));
  });
  const requests: readonly HttpRequest[] = [
    get(`${await desertedSide()}/s3cret?q=s3cret`),
    get(`${url}/reset/s3cret`),
    get(`${url}/slow/s3cret`, { timeoutMs: 100 }),
    get(`${url}/large/s3cret`, { maxBytes: 10 }),
    get(`${url}/s3cret`, { signal: AbortSignal.abort("s3cret") }),
    get(`${url}/x`, { headers: { "x-token": "s3cret\nsplit" } }),
    get(`http://s3cret:s3cret@127.0.0.1:9/`),
    get(`s3cret`),
  ];
  for (const request of requests) {
    const error = await failure({
      headers: { "x-token": "s3cret" },
      body: "s3cret",
      ...request,
      method: "POST",
    });
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /s3cret/, request.url);
  }
});
