import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import type { Route, SkillManifest } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { RawBody, RouteRequest } from "../../plugin.ts";
import type { ServerOptions } from "../../ports/server.ts";
import { fixtureHost, type Fixture } from "./fixture-host.ts";
import { BODY_HEAD_BYTES, MAX_BODIES_BYTES, MAX_BODY_BYTES } from "./limits.ts";
import { openSkillServer } from "./server.ts";

type Request = RouteRequest<unknown, RawBody>;

const TAKE: Route = {
  summary: "Takes bytes.",
  method: "POST",
  path: "/take",
  aliases: ["/take/*"],
  raw: true,
  replies: { 200: "demo/anything", 201: "demo/line" },
};

interface Scene extends Fixture {
  readonly url: string;
  readonly post: (
    body: string | Uint8Array<ArrayBuffer>,
    path?: string,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

interface Options extends Partial<ServerOptions> {
  readonly rules?: NonNullable<SkillManifest["rules"]>;
  /** Default `demo/search-query`. */
  readonly query?: string;
}

/** A server of the skill whose raw route answers like this. */
async function scene(
  context: TestContext,
  answer: (request: Request) => unknown,
  { rules = {}, query = "demo/search-query", ...options }: Options = {},
): Promise<Scene> {
  const fixture = await fixtureHost(
    ({ rules: _all, ...manifest }) => ({ ...manifest, routes: { take: { ...TAKE, query } }, rules }),
    { take: (request) => answer(request as Request) },
  );
  const server = await openSkillServer(fixture.host, "demo", { routes: ["take"], ...options });
  context.after(async () => {
    await server.close();
    await fixture.close();
  });
  const post: Scene["post"] = (body, path = "/take", headers = {}) =>
    fetch(server.url + path, { method: "POST", body, headers });
  return { ...fixture, url: server.url, post };
}

const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { readonly code: unknown }).code,
];

test("a raw route gets the bytes as they came, the path that was asked for, the query and the headers", async (context) => {
  const { post, witness } = await scene(context, () => ({ status: 200, body: "ok" }));
  const bytes = Uint8Array.of(0, 255, 123, 10);
  for (const path of ["/take", "/take/a%20b?limit=5", "/take?limit=5"])
    assert.equal((await post(bytes, path, { "content-type": "image/png", "x-demo": "yes" })).status, 200);
  assert.deepEqual(
    witness.requests.map(({ path, query, headers }) => [path, query, headers["x-demo"]]),
    [
      ["/take", {}, "yes"],
      ["/take/a%20b", { limit: 5 }, "yes"],
      ["/take", { limit: 5 }, "yes"],
    ],
  );
  for (const { body } of witness.requests as Request[]) assert.deepEqual([...body.bytes], [...bytes]);
});

test("a raw route gets the first bytes of a body over the limit, and none of a body that is not there", async (context) => {
  const { post, witness } = await scene(context, () => ({ status: 200, body: "ok" }));
  for (const size of [0, MAX_BODY_BYTES, MAX_BODY_BYTES + 1]) await post(new Uint8Array(size).fill(32));
  assert.deepEqual(
    (witness.requests as Request[]).map(({ body }) => [body.bytes.length, body.whole]),
    [
      [0, true],
      [MAX_BODY_BYTES, true],
      [BODY_HEAD_BYTES, false],
    ],
  );
});

test("the query of a raw route is checked like any other", async (context) => {
  const { post, witness } = await scene(context, () => ({ status: 200, body: "ok" }));
  for (const query of ["?limit=x", "?limit=101", "?lmit=1", "?limit=1&limit=2"])
    assert.deepEqual(await codeOf(await post("{}", `/take${query}`)), [400, "INPUT_INVALID"], query);
  assert.equal(witness.requests.length, 0);
});

test("rules are asked before a raw route is, with the query as input", async (context) => {
  const { post, witness } = await scene(context, () => ({ status: 200, body: "ok" }), {
    rules: { "no-mallory": { tell: "Mallory is not greeted.", on: ["route.request"], handler: true } },
    query: "demo/greet-input",
  });
  for (const round of [1, 2]) {
    assert.deepEqual(await codeOf(await post("{}", "/take?name=Mallory")), [403, "GUARD_DENIED"]);
    assert.equal((await post("{}", "/take?name=Ada")).status, 200);
    assert.equal(witness.requests.length, round);
  }
});

test("what a raw route answers is checked, and what it throws is a problem", async (context) => {
  const answers: Readonly<Record<string, () => unknown>> = {
    stray: () => ({ status: 202, body: "ok" }),
    misfit: () => ({ status: 201, body: 5 }),
    broken: () => {
      throw new Error("the password is hunter2");
    },
    teapot: () => {
      throw new SkillError("DEMO_TEAPOT", "There is only tea.");
    },
  };
  const { post } = await scene(context, ({ path }) => answers[path.slice("/take/".length)]?.());
  assert.deepEqual(await codeOf(await post("{}", "/take/stray")), [500, "OUTPUT_INVALID"]);
  assert.deepEqual(await codeOf(await post("{}", "/take/misfit")), [500, "OUTPUT_INVALID"]);
  const broken = await post("{}", "/take/broken");
  assert.doesNotMatch(await broken.clone().text(), /hunter2/);
  assert.deepEqual(await codeOf(broken), [500, "INTERNAL"]);
  assert.deepEqual(await codeOf(await post("{}", "/take/teapot")), [418, "DEMO_TEAPOT"]);
});

test("a raw route that says the same as before still answers each request for itself", async (context) => {
  const replies = [
    { status: 200, body: "ok" },
    { status: 201, body: "ok" },
    { status: 200, body: "ok", headers: { "x-demo": "yes" } },
    { status: 200, body: "ok", headers: { "Content-Type": "text/csv" } },
    { status: 200, body: "no" },
    { status: 200, body: { ok: true } },
    { status: 200, body: "ok" },
  ];
  const { post } = await scene(context, ({ path }) => replies[Number(path.slice("/take/".length))], {
    loopbackPages: true,
  });
  for (const origin of [undefined, "http://localhost:1", "http://localhost:2"])
    for (const [index, { status, body, headers = {} }] of replies.entries()) {
      const response = await post("{}", `/take/${index}`, origin === undefined ? {} : { origin });
      const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
      const { "Content-Type": own, "x-demo": demo } = headers as Readonly<Record<string, string>>;
      assert.deepEqual(
        [
          response.status,
          ...["content-type", "x-demo", "access-control-allow-origin", "vary"].map((name) =>
            response.headers.get(name),
          ),
        ],
        [status, own ?? type, demo ?? null, origin ?? null, "Origin"],
      );
      assert.equal(await response.text(), typeof body === "string" ? body : JSON.stringify(body));
    }
});

test(
  "a raw route may answer with a stream, which ends when its reader goes",
  { timeout: 20_000 },
  async (context) => {
    let signal: AbortSignal | undefined;
    const parts = async function* (request: Request): AsyncGenerator<string> {
      signal = request.signal;
      yield "one\n";
      if (!request.signal.aborted) await once(request.signal, "abort");
    };
    const { post } = await scene(context, (request) => ({ status: 200, body: parts(request) }));
    const response = await post("{}");
    const reader = response.body?.getReader();
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), "one\n");
    await reader?.cancel();
    if (!signal?.aborted) await once(signal as AbortSignal, "abort");
  },
);

test("bodies on their way are held up to a bound, however small their pieces; beyond it a sender is told to wait", async (context) => {
  const { url, post } = await scene(context, async ({ body }) => ({ status: 200, body: body.bytes.length }));
  const { port } = new URL(url);
  const half = Buffer.alloc(MAX_BODY_BYTES / 2 + 1, "x");
  const sockets: Socket[] = [];
  context.after(() => sockets.forEach((socket) => socket.destroy()));
  const opened = async (): Promise<Socket> => {
    const socket = connect(Number(port), "127.0.0.1");
    sockets.push(socket);
    await once(socket, "connect");
    socket.write(
      `POST /take HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${MAX_BODY_BYTES}\r\n\r\n`,
    );
    socket.write(half);
    return socket;
  };
  const answers: Promise<string>[] = [];
  for (let count = 0; count < MAX_BODIES_BYTES / MAX_BODY_BYTES + 8; count += 1) {
    const socket = await opened();
    answers.push(once(socket, "data").then(([bytes]) => String(bytes).slice(0, 12)));
  }
  assert.equal(await Promise.race(answers), "HTTP/1.1 503");
  for (const socket of sockets) socket.destroy();
  // What has gone is no longer held.
  let status = 503;
  for (let tries = 0; status === 503 && tries < 500; tries += 1) ({ status } = await post(half));
  assert.equal(status, 200);
});
