import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { inspect, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { SkillError } from "../errors/skill-error.ts";
import type { HttpRequest } from "../ports/http.ts";
import { kyHttp } from "./http.ts";

interface OtherSide {
  readonly url: string;
  /** Method and path of every request that came in. */
  readonly seen: readonly string[];
}

/** A real server that is closed after the test, with its connections. */
async function served(t: TestContext, answer: RequestListener): Promise<OtherSide> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  timeoutMs: 30_000,
  maxBytes: 1_000_000,
  ...more,
});

const failure = async (request: HttpRequest): Promise<SkillError> => {
  const caught: unknown = await kyHttp.send(request).catch((error: unknown) => error);
  assert.ok(caught instanceof SkillError, inspect(caught));
  return caught;
};

/** The address of a port where nobody listens any more. */
async function deserted(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Begins an answer and leaves it open. */
function begin(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, headers);
  response.write("begun");
}

test("method, headers and body arrive as they are given, and the answer comes back with status, type and text", async (t) => {
  let got: IncomingMessage | undefined;
  let body = "";
  const { url, seen } = await served(t, (request, response) => {
    got = request;
    request.setEncoding("utf8").on("data", (chunk: string) => void (body += chunk));
    request.on("end", () => response.writeHead(201, { "content-type": "application/json; charset=utf-8" }).end('{"x":"世界"}'));
  });
  const headers = { "content-type": "application/json", "x-token": "abc" };
  const response = await kyHttp.send(get(`${url}/a/b?c=d`, { method: "PUT", headers, body: '{"größe":1}' }));
  assert.deepEqual(response, { status: 201, contentType: "application/json; charset=utf-8", body: '{"x":"世界"}' });
  assert.deepEqual(seen, ["PUT /a/b?c=d"]);
  assert.equal(body, '{"größe":1}');
  assert.equal(got?.headers["content-type"], "application/json");
  assert.equal(got?.headers["x-token"], "abc");
});

test("every method is sent as it is, and an answer without type or body is empty", async (t) => {
  const { url, seen } = await served(t, (_, response) => response.writeHead(204).end());
  for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
    assert.deepEqual(await kyHttp.send(get(url, { method })), { status: 204, contentType: "", body: "" });
  }
  assert.deepEqual(seen, ["GET /", "POST /", "PUT /", "DELETE /"]);
});

test("whatever the status, it is an answer, with its body, and is asked for once", async (t) => {
  const statuses = [200, 304, 400, 401, 404, 408, 413, 429, 500, 502, 503, 504];
  const { url, seen } = await served(t, (request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { "retry-after": "0", "content-type": "text/plain" }).end(status === 304 ? "" : `it is ${status}`);
  });
  for (const status of statuses) {
    const response = await kyHttp.send(get(`${url}/${status}`));
    assert.deepEqual([response.status, response.body], [status, status === 304 ? "" : `it is ${status}`]);
  }
  assert.deepEqual(seen, statuses.map((status) => `GET /${status}`));
});

test("a redirect is answered and not followed: the other host sees nothing", async (t) => {
  const other = await served(t, (_, response) => response.end("caught"));
  const { url, seen } = await served(t, (request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: `${other.url}/caught` }).end("moved"),
  );
  for (const status of [301, 302, 303, 307, 308]) {
    const request = get(`${url}/${status}`, { method: "POST", headers: { "x-token": "abc" }, body: "secret" });
    const response = await kyHttp.send(request);
    assert.deepEqual([response.status, response.body], [status, "moved"]);
  }
  assert.deepEqual([seen.length, other.seen], [5, []]);
});

test("an answer may be as long as the limit and not a byte longer", async (t) => {
  const { url } = await served(t, (_, response) => response.end("12345"));
  assert.equal((await kyHttp.send(get(url, { maxBytes: 5 }))).body, "12345");
  const error = await failure(get(url, { maxBytes: 4 }));
  assert.deepEqual([error.code, error.message], ["NETWORK_TOO_LARGE", "The answer is over 4 bytes."]);
});

test("a limit counts the bytes after unpacking, so that a small packet cannot become a large answer", async (t) => {
  const packed = gzipSync(Buffer.alloc(50_000_000));
  assert.ok(packed.length < 100_000);
  const { url } = await served(t, (request, response) => {
    const body = request.url === "/bomb" ? packed : gzipSync("unpacked");
    response.writeHead(200, { "content-encoding": "gzip" }).end(body);
  });
  assert.equal((await kyHttp.send(get(`${url}/small`, { maxBytes: 8 }))).body, "unpacked");
  assert.equal((await failure(get(`${url}/bomb`, { maxBytes: 100_000 }))).code, "NETWORK_TOO_LARGE");
});

test("an endless answer is cut off at the limit, and the connection with it", async (t) => {
  let gone = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const { url } = await served(t, (_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", more).on("close", gone);
    more();
  });
  assert.equal((await failure(get(url, { maxBytes: 100_000 }))).code, "NETWORK_TOO_LARGE");
  await closed;
});

test("the time-out covers the wait for the answer and the answer itself", async (t) => {
  const { url, seen } = await served(t, (request, response) => {
    if (request.url === "/body") begin(response);
  });
  for (const path of ["/headers", "/body"]) {
    const error = await failure(get(`${url}${path}`, { timeoutMs: 150 }));
    assert.deepEqual([error.code, error.message], ["NETWORK_TIMEOUT", `${url} did not answer within 0.15 s.`]);
  }
  assert.deepEqual(seen, ["GET /headers", "GET /body"]);
});

test("an answer that drips on for ever is timed out all the same", async (t) => {
  const { url } = await served(t, (_, response) => {
    begin(response);
    const drip = setInterval(() => response.write("."), 10);
    response.on("close", () => clearInterval(drip));
  });
  assert.equal((await failure(get(url, { timeoutMs: 200 }))).code, "NETWORK_TIMEOUT");
});

test("an address where nobody listens, and a name that nobody has, are unreached", async () => {
  const url = await deserted();
  const refused = await failure(get(url));
  assert.equal(refused.code, "NETWORK_UNREACHED");
  assert.equal(refused.message, `${url} cannot be reached (ECONNREFUSED).`);
  assert.equal(refused.hint, "Check the address and the network.");
  const unknown = await failure(get("http://nobody-has-this-name.invalid/path"));
  assert.equal(unknown.code, "NETWORK_UNREACHED");
  assert.match(unknown.message, /^http:\/\/nobody-has-this-name\.invalid cannot be reached \((ENOTFOUND|EAI_AGAIN)\)\.$/);
});

test("an address that is no URL is unreached, and is not repeated in the message", async () => {
  for (const url of ["", "not a url", "http://", "/only/a/path?token=abc"]) {
    const error = await failure(get(url));
    assert.deepEqual([error.code, error.message], ["NETWORK_UNREACHED", "The address of the request is no URL."]);
  }
});

test("a connection that breaks after the request was sent is broken, and the request is not sent again", async (t) => {
  const { url, seen } = await served(t, (request, response) => {
    if (request.url === "/before") return void request.socket.resetAndDestroy();
    if (request.url === "/short") response.setHeader("content-length", "100");
    begin(response);
    setImmediate(() => (request.url === "/reset" ? request.socket.resetAndDestroy() : request.socket.destroy()));
  });
  const paths = ["/before", "/reset", "/closed", "/short"];
  for (const path of paths) {
    for (const method of ["GET", "POST"] as const) {
      const error = await failure(get(`${url}${path}`, { method }));
      assert.equal(error.code, "NETWORK_BROKEN", path);
      assert.match(error.message, new RegExp(`^The connection to ${url} broke \\((ECONNRESET|UND_ERR_SOCKET)\\)\\.$`));
    }
  }
  assert.deepEqual(seen, paths.flatMap((path) => [`GET ${path}`, `POST ${path}`]));
});

test("something that answers in another language than HTTP is broken", async (t) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined).resume();
    socket.end("220 mail.example ESMTP\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  assert.equal((await failure(get(`http://127.0.0.1:${port}`))).code, "NETWORK_BROKEN");
});

test("the first request of a process does not fall silent when the other side takes the connection and closes it", async (t) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined).resume();
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const script = `
    const { kyHttp } = await import(${JSON.stringify(new URL("./http.ts", import.meta.url).href)});
    const request = { method: "GET", url: "http://127.0.0.1:${port}", timeoutMs: 20_000, maxBytes: 10 };
    await kyHttp.send(request).catch(({ code }) => process.stdout.write(code));`;
  const words = ["--conditions=@skillctl/source", "--import", import.meta.resolve("tsx"), "--input-type=module", "-e", script];
  const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, words)));
  assert.deepEqual(runs.map(({ stdout }) => stdout), Array(3).fill("NETWORK_BROKEN"));
});

test("who asked can end the call before it is sent, while it waits, and in the middle of the answer", async (t) => {
  const reached = new EventTarget();
  const { url, seen } = await served(t, (request, response) => {
    if (request.url === "/body") begin(response);
    reached.dispatchEvent(new Event("reached"));
  });
  const message = "The call was ended before an answer came.";
  const before = await failure(get(`${url}/before`, { signal: AbortSignal.abort() }));
  assert.deepEqual([before.code, before.message, seen], ["CANCELLED", message, []]);
  for (const path of ["/waiting", "/body"]) {
    const controller = new AbortController();
    reached.addEventListener("reached", () => setTimeout(() => controller.abort(), 20), { once: true });
    assert.equal((await failure(get(`${url}${path}`, { signal: controller.signal }))).code, "CANCELLED");
  }
  assert.deepEqual(seen, ["GET /waiting", "GET /body"]);
});

test("a signal that is not used leaves the answer alone", async (t) => {
  const { url } = await served(t, (_, response) => response.end("fine"));
  const controller = new AbortController();
  assert.equal((await kyHttp.send(get(url, { signal: controller.signal }))).body, "fine");
  controller.abort();
});

test("no error repeats a header, the body, the path or the query, in its message, its hint or its causes", async (t) => {
  const { url } = await served(t, (request, response) => {
    if (request.url?.startsWith("/reset")) return void request.socket.resetAndDestroy();
    if (request.url?.startsWith("/large")) response.end("x".repeat(100));
  });
  const requests: readonly HttpRequest[] = [
    get(`${await deserted()}/s3cret?q=s3cret`),
    get(`${url}/reset/s3cret`),
    get(`${url}/slow/s3cret`, { timeoutMs: 100 }),
    get(`${url}/large/s3cret`, { maxBytes: 10 }),
    get(`${url}/s3cret`, { signal: AbortSignal.abort("s3cret") }),
    get(`${url}/x`, { headers: { "x-token": "s3cret\nsplit" } }),
    get(`http://s3cret:s3cret@127.0.0.1:9/`),
    get(`s3cret`),
  ];
  for (const request of requests) {
    const error = await failure({ headers: { "x-token": "s3cret" }, body: "s3cret", ...request, method: "POST" });
    assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /s3cret/, request.url);
  }
});
