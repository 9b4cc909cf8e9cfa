import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { OpenServer } from "../../ports/server.ts";
import { fixtureHost, get, raw, read, type Fixture } from "./fixture-host.ts";
import { openHttpServer } from "./server.ts";

const KEY = "correct-horse-battery-staple";
const RUN = "/v1/skills/demo/commands/idle";

describe("Host and Origin on loopback", () => {
  let fixture: Fixture;
  let server: OpenServer;
  before(async () => {
    fixture = await fixtureHost();
    server = await openHttpServer(fixture.host, {
      allowHosts: ["Debug.Example", "tunnel.example:8443"],
      allowOrigins: ["https://app.example"],
    });
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });
  const ask = async (headers: readonly string[], path = "/health", method = "GET") => {
    const lines = headers.map((line) => line.replaceAll("PORT", String(server.port)));
    return read(await raw(server.port, get(path, lines, method)));
  };

  const HOSTS: Readonly<Record<string, readonly string[]>> = {
    accepted: [
      "localhost:PORT",
      "LocalHost:PORT",
      "app.localhost:PORT",
      "a.b-c.localhost:PORT",
      "127.0.0.1:PORT",
      "127.9.8.7:PORT",
      "[::1]:PORT",
      "debug.example",
      "DEBUG.example:99",
      "tunnel.example:8443",
    ],
    refused: [
      "",
      "localhost",
      "localhost:1",
      "localhost.:PORT",
      "localhost.evil.example:PORT",
      "evil-localhost:PORT",
      "127.0.0.1",
      "127.0.0.1.evil.example:PORT",
      "127.0.0.256:PORT",
      "127.1:PORT",
      "2130706433:PORT",
      "0x7f.0.0.1:PORT",
      "0.0.0.0:PORT",
      "10.0.0.1:PORT",
      "[::]:PORT",
      "[::1%lo]:PORT",
      "::1:PORT",
      "evil.example:PORT",
      "xdebug.example",
      "debug.example.evil.example",
      "debug.example@evil.example",
      "evil.example/localhost:PORT",
      "localhost:PORT:PORT",
      "localhost:PORT, evil.example",
      "tunnel.example",
      "tunnel.example:8444",
    ],
  };
  it("accepts hosts of this machine and allowed hosts", async () => {
    for (const host of HOSTS["accepted"] ?? [])
      assert.equal((await ask([`Host: ${host}`])).status, 200, JSON.stringify(host));
  });
  it("refuses any other host", async () => {
    for (const host of HOSTS["refused"] ?? []) {
      const { status, body } = await ask([`Host: ${host}`]);
      assert.deepEqual([status, body["code"]], [403, "HOST_REFUSED"], JSON.stringify(host));
    }
  });

  it("refuses a request without a host or with two", async () => {
    assert.equal((await ask([])).status, 400);
    assert.equal((await ask(["Host: localhost:PORT", "Host: evil.example"])).body["code"], "HOST_REFUSED");
    assert.equal((await ask(["Host: localhost:PORT", "hOST: localhost:PORT"])).body["code"], "HOST_REFUSED");
  });

  it("ignores forwarded hosts", async () => {
    assert.equal((await ask(["Host: evil.example", "X-Forwarded-Host: localhost:PORT"])).status, 403);
    assert.equal((await ask(["Host: localhost:PORT", "X-Forwarded-Host: evil.example"])).status, 200);
  });

  it("checks the host before the path", async () => {
    assert.equal((await ask(["Host: evil.example"], "/nowhere")).body["code"], "HOST_REFUSED");
    assert.equal((await ask(["Host: evil.example"], "/%zz")).body["code"], "HOST_REFUSED");
  });

  const ORIGINS: Readonly<Record<string, readonly string[]>> = {
    accepted: [
      "http://localhost",
      "http://localhost:3000",
      "http://app.localhost:3000",
      "https://localhost:3000",
      "http://127.0.0.1:5173",
      "http://127.1.2.3",
      "http://[::1]:80",
      "https://app.example",
    ],
    refused: [
      "null",
      "",
      "*",
      "http://evil.example",
      "http://localhost.evil.example",
      "http://evil-localhost",
      "http://.localhost",
      "http://localhost:3000.evil.example",
      "http://evil.example:3000#http://localhost",
      "http://user@localhost",
      "http://LOCALHOST",
      "http://localhost/",
      "http://localhost:3000/x",
      "http://127.0.0.1.evil.example",
      "http://127.0.0.999",
      "http://2130706433",
      "file://localhost",
      "chrome-extension://localhost",
      "https://app.example:444",
      "http://app.example",
      "https://app.example.evil.example",
      "https://xapp.example",
      "https://APP.example",
      "http://localhost, http://evil.example",
    ],
  };
  it("accepts pages of this machine and of allowed hosts", async () => {
    for (const origin of ORIGINS["accepted"] ?? []) {
      assert.equal(
        (await ask(["Host: localhost:PORT", `Origin: ${origin}`])).status,
        200,
        JSON.stringify(origin),
      );
    }
  });
  it("refuses all other pages", async () => {
    for (const origin of ORIGINS["refused"] ?? []) {
      const { status, body, head } = await ask(["Host: localhost:PORT", `Origin: ${origin}`], RUN, "POST");
      assert.deepEqual([status, body["code"]], [403, "ORIGIN_REFUSED"], JSON.stringify(origin));
      assert.doesNotMatch(head, /access-control/, JSON.stringify(origin));
    }
  });

  it("refuses to be embedded in a page of another site, for which browsers send no origin, and accepts followed links", async () => {
    const fetched = (site: string, dest: string): Promise<{ readonly status: number }> =>
      ask(["Host: localhost:PORT", `Sec-Fetch-Site: ${site}`, `Sec-Fetch-Dest: ${dest}`]);
    for (const dest of ["image", "script", "iframe", "empty"])
      assert.equal((await fetched("cross-site", dest)).status, 403, dest);
    assert.equal((await fetched("cross-site", "document")).status, 200);
    for (const site of ["same-origin", "same-site", "none"])
      assert.equal((await fetched(site, "image")).status, 200, site);
  });

  it("does not accept an origin because it equals the host", async () => {
    const { body } = await ask(["Host: debug.example", "Origin: http://debug.example"]);
    assert.equal(body["code"], "ORIGIN_REFUSED");
  });

  it("sends CORS headers to allowed origins only, also with refusals", async () => {
    const shared = await ask(["Host: localhost:PORT", "Origin: https://app.example"], "/nowhere");
    assert.match(shared.head, /access-control-allow-origin: https:\/\/app\.example/);
    assert.match(shared.head, /vary: origin/);
    assert.doesNotMatch(shared.head, /allow-credentials/);
    const other = await ask(["Host: localhost:PORT", "Origin: http://localhost:3000"]);
    assert.doesNotMatch(other.head, /access-control/);
  });

  it("answers the preflight of an allowed origin and of no other", async () => {
    const asked = [
      "Host: localhost:PORT",
      "Access-Control-Request-Method: POST",
      "Access-Control-Request-Headers: content-type",
    ];
    const allowed = await ask([...asked, "Origin: https://app.example"], RUN, "OPTIONS");
    assert.equal(allowed.status, 204);
    assert.match(allowed.head, /access-control-allow-methods: post\r\n/);
    assert.match(allowed.head, /access-control-allow-headers: content-type/);
    const loopback = await ask([...asked, "Origin: http://localhost:3000"], RUN, "OPTIONS");
    assert.equal(loopback.status, 204);
    assert.doesNotMatch(loopback.head, /access-control/);
    assert.equal((await ask([...asked, "Origin: http://evil.example"], RUN, "OPTIONS")).status, 403);
  });
});

describe("a server with a key", () => {
  let fixture: Fixture;
  let server: OpenServer;
  before(async () => {
    fixture = await fixtureHost();
    server = await openHttpServer(fixture.host, { key: KEY, allowOrigins: ["https://app.example"] });
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  it("with a wrong key only /health can be called", async () => {
    const wrong = [
      "",
      "Bearer correct-horse",
      `Bearer ${KEY}x`,
      `Basic ${KEY}`,
      KEY,
      `Bearer ${KEY.toUpperCase()}`,
    ];
    for (const authorization of wrong) {
      const response = await fetch(`${server.url}/openapi.json`, { headers: { authorization } });
      assert.equal(response.status, 401, authorization);
      assert.equal(response.headers.get("www-authenticate"), "Bearer", authorization);
    }
    const status = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
    for (const path of ["/health/x", "/%68ealthy"]) assert.equal(await status(path), 401, path);
    for (const path of ["/health?x=1", "/%68ealth"]) assert.equal(await status(path), 200, path);
  });

  it("answers a preflight without a key", async () => {
    const lines = [
      `Host: localhost:${server.port}`,
      "Origin: https://app.example",
      "Access-Control-Request-Method: POST",
    ];
    assert.equal(read(await raw(server.port, get(RUN, lines, "OPTIONS"))).status, 204);
  });
});
