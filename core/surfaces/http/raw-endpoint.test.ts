import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Route, SkillManifest } from "../../contract.ts";
import type { RawBody, RouteRequest } from "../../plugin.ts";
import type { ServerOptions } from "../../ports/server.ts";
import { fixtureHost, type Fixture } from "./fixture-host.ts";
import { MAX_BODY_BYTES } from "./body.ts";
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

interface Setup extends Fixture {
  readonly url: string;
  readonly post: (
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    path?: string,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

interface Options extends Partial<ServerOptions> {
  readonly rules?: NonNullable<SkillManifest["rules"]>;
  /** Default `demo/search-query`. */
  readonly query?: string;
}

/** A server of the skill with this handler as its raw route. */
async function scene(
  context: TestContext,
  answer: (request: Request) => unknown,
  { rules = {}, query = "demo/search-query", ...options }: Options = {},
): Promise<Setup> {
  const fixture = await fixtureHost(
    ({ rules: _all, ...manifest }) => ({ ...manifest, routes: { take: { ...TAKE, query } }, rules }),
    { take: (request) => answer(request as Request) },
  );
  const server = await openSkillServer(fixture.host, "demo", { routes: ["take"], ...options });
  context.after(async () => {
    await server.close();
    await fixture.close();
  });
  const post: Setup["post"] = (body, path = "/take", headers = {}) =>
    fetch(server.url + path, { method: "POST", body, headers, duplex: "half" });
  return { ...fixture, url: server.url, post };
}

const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { readonly code: unknown }).code,
];

test("a raw route receives the unchanged bytes, the requested path, the query and the headers", async (context) => {
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

test("a raw route receives the first bytes of a body over the limit, and none if the length announces that or the body is missing", async (context) => {
  const { post, witness } = await scene(context, () => ({ status: 200, body: "ok" }));
  for (const size of [0, MAX_BODY_BYTES, MAX_BODY_BYTES + 1]) await post(new Uint8Array(size).fill(32));
  await post(new Blob([new Uint8Array(MAX_BODY_BYTES + 1).fill(32)]).stream());
  assert.deepEqual(
    (witness.requests as Request[]).map(({ body }) => [body.bytes.length, body.whole]),
    [
      [0, true],
      [MAX_BODY_BYTES, true],
      [0, false],
      [4_096, false],
    ],
  );
});

test("rules are evaluated before a raw route runs, with the query as input", async (context) => {
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

test("a header that cannot be sent is a reply that the manifest does not allow", async (context) => {
  let headers: unknown;
  const { post } = await scene(context, () => ({ status: 200, body: "ok", headers }));
  for (const [given, reason] of [
    [{ "x bad": "a" }, '"x bad" is not a valid header name'],
    [{ "x-count": 5 }, "the value of the header x-count must be a string"],
    [{ "x-line": "a\nb" }, "the value of the header x-line has a character that is not allowed in a header"],
    ["x-a: b", "headers must be an object"],
  ] as const) {
    headers = given;
    const response = await post("x");
    assert.match(response.headers.get("content-type") ?? "", /^application\/problem\+json/);
    const { code, detail } = (await response.json()) as { readonly code: string; readonly detail: string };
    assert.deepEqual(
      [response.status, code, detail],
      [
        500,
        "OUTPUT_INVALID",
        `The route take of demo gave a reply that its manifest does not allow: ${reason}.`,
      ],
    );
  }
});
