import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fixtureHost, next, type Fixture } from "./fixture-host.ts";
import { openHttpServer, openSkillServer } from "./server.ts";
import type { OpenServer } from "../../ports/server.ts";

const JSON_HEADERS = { "content-type": "application/json" };

describe("the HTTP server", () => {
  let fixture: Fixture;
  let server: OpenServer;
  before(async () => {
    fixture = await fixtureHost();
    server = await openHttpServer(fixture.host);
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });
  const run = (name: string, body?: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}/v1/skills/demo/commands/${name}`, {
      method: "POST",
      ...(body !== undefined && { body, headers: JSON_HEADERS }),
      ...init,
    });

  it("serves a contributed route below the skill's name and passes on status, headers and body", async () => {
    const response = await fetch(`${server.url}/demo/greet`, {
      method: "POST",
      body: '{"name":"Bo"}',
      headers: JSON_HEADERS,
    });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get("x-demo"), "yes");
    assert.deepEqual(await response.json(), { text: "Hello, Bo." });
  });

  it("converts a query to the types of its schema", async () => {
    const response = await fetch(`${server.url}/demo/search?ids=1&ids=2&ratio=-0.5&level=2&word=7`);
    assert.deepEqual(await response.json(), { ids: [1, 2], ratio: -0.5, level: 2, word: "7" });
  });

  it("sends a string as text that no browser renders as a page", async () => {
    const response = await fetch(`${server.url}/demo/line`);
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(await response.text(), "<b>just text</b>");
  });

  it("sends a status without a body, and answers HEAD like GET", async () => {
    const gone = await fetch(`${server.url}/demo/line`, { method: "DELETE" });
    assert.deepEqual([gone.status, await gone.text()], [204, ""]);
    const head = await fetch(`${server.url}/health`, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });

  it("aborts the signal of a command when its client disconnects", async () => {
    const [waiting, aborted] = [next(fixture.witness, "waiting"), next(fixture.witness, "aborted")];
    const leaving = new AbortController();
    const response = run("wait", undefined, { signal: leaving.signal });
    await waiting;
    leaving.abort();
    await assert.rejects(response);
    await aborted;
  });

  it("does not abort the signal of a finished command", async () => {
    await run("idle");
    assert.equal(fixture.witness.calls.at(-1)?.signal.aborted, false);
  });

  it("leaves out a route whose address is in use and serves the rest", async () => {
    const doubled = await fixtureHost((manifest) => {
      const { search, ...routes } = manifest.routes ?? {};
      assert.ok(search);
      return { ...manifest, routes: { search, twin: { ...search, summary: "Is a twin." }, ...routes } };
    });
    const other = await openHttpServer(doubled.host);
    assert.equal((await fetch(`${other.url}/demo/search`)).status, 200);
    assert.deepEqual(doubled.witness.notices, [
      "The route twin of demo is left out: GET /demo/search is already in use.",
    ]);
    await other.close();
    await doubled.close();
  });
});

describe("the server of a skill", () => {
  it("serves the named routes at their own paths only", async () => {
    const { host, close } = await fixtureHost();
    const server = await openSkillServer(host, "demo", { routes: ["search", "line"] });
    const status = async (path: string): Promise<number> => (await fetch(`${server.url}${path}`)).status;
    assert.deepEqual(
      await Promise.all(
        ["/search", "/line", "/stray", "/demo/search", "/health", "/openapi.json"].map(status),
      ),
      [200, 200, 404, 404, 404, 404],
    );
    await server.close();
    await close();
  });

  it("lists the existing routes when the requested one is unknown", async () => {
    const { host, close } = await fixtureHost();
    await assert.rejects(openSkillServer(host, "demo", { routes: ["serch"] }), {
      code: "NOT_FOUND",
      hint: "Its routes: greet, search, stray, crooked, line, gone.",
    });
    await close();
  });
});
