import assert from "node:assert/strict";
import { connect } from "node:net";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { fixtureHost, get, next, raw, read, type Fixture } from "./fixture-host.ts";
import type { HttpServerOptions } from "./options.ts";
import { openHttpServer } from "./server.ts";

describe("starting and closing the HTTP server", () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await fixtureHost();
  });
  after(() => fixture.close());

  const REFUSED: readonly (readonly [what: string, options: HttpServerOptions])[] = [
    ["all interfaces without key and hosts", { host: "0.0.0.0" }],
    ["all interfaces with a key only", { host: "0.0.0.0", key: "k" }],
    ["all interfaces with hosts only", { host: "::", allowHosts: ["debug.example"] }],
    ["all interfaces with an empty key", { host: "0.0.0.0", key: "", allowHosts: ["debug.example"] }],
    ["an address of the network", { host: "10.0.0.1" }],
    ["a name", { host: "debug.example" }],
    ["a name that only ends like loopback", { host: "127.0.0.1.example" }],
    ["a port over 65,535", { port: 65_536 }],
    ["a part of a port", { port: 1.5 }],
    ["a star as origin", { allowOrigins: ["*"] }],
    ["an origin with a path", { allowOrigins: ["https://app.example/"] }],
    ["null as origin", { allowOrigins: ["null"] }],
  ];
  for (const [what, options] of REFUSED) {
    it(`does not start with ${what}`, async () => {
      await assert.rejects(openHttpServer(fixture.host, options), { name: "SkillError", code: "USAGE" });
    });
  }

  it("listens beyond loopback only with a key and host names", async () => {
    const server = await openHttpServer(fixture.host, {
      host: "0.0.0.0",
      key: "k",
      allowHosts: ["debug.example"],
    });
    assert.equal(server.url, `http://127.0.0.1:${server.port}`);
    const status = async (lines: readonly string[]) =>
      read(await raw(server.port, get("/openapi.json", lines))).status;
    assert.equal(await status(["Host: debug.example", "Authorization: Bearer k"]), 200);
    assert.equal(await status(["Host: debug.example"]), 401);
    assert.equal(await status(["Host: evil.example", "Authorization: Bearer k"]), 403);
    await server.close();
  });

  it("names a port that is in use and gives a hint", async () => {
    const first = await openHttpServer(fixture.host);
    await assert.rejects(openHttpServer(fixture.host, { port: first.port }), {
      code: "ADDRESS_IN_USE",
      message: `Port ${first.port} of 127.0.0.1 is taken.`,
      hint: "Give another port, or 0 for any free one.",
    });
    await first.close();
    const second = await openHttpServer(fixture.host, { host: "localhost", port: first.port });
    assert.equal(second.url, `http://127.0.0.1:${first.port}`);
    await second.close();
  });

  it("names the required flags when it refuses to start", async () => {
    await assert.rejects(openHttpServer(fixture.host, { host: "0.0.0.0" }), {
      code: "USAGE",
      hint: "Give both --key-file (or SKILLCTL_KEY) and --allow-host, or listen on 127.0.0.1.",
    });
  });

  it("names an address that is not this machine's, and those that are", async () => {
    const options = { host: "192.0.2.1", key: "k", allowHosts: ["debug.example"] };
    await assert.rejects(openHttpServer(fixture.host, options), {
      code: "ADDRESS_IN_USE",
      message: "192.0.2.1 is not an address of this machine.",
      hint: "This machine has 127.0.0.1, 192.168.1.20.",
    });
  });

  it("closing finishes requests in progress and refuses new connections; a second close has no effect", async () => {
    const { host, witness, close } = await fixtureHost();
    const server = await openHttpServer(host);
    const waiting = next(witness, "waiting");
    const response = fetch(`${server.url}/v1/skills/demo/commands/wait`, { method: "POST" });
    await waiting;
    const closed = server.close();
    assert.equal(server.close(), closed);
    await assert.rejects(fetch(`${server.url}/health`));
    const call = witness.calls[0];
    assert.equal(call?.signal.aborted, false);
    call?.signal.dispatchEvent(new Event("abort"));
    assert.deepEqual(await (await response).json(), { text: "ended" });
    await closed;
    await close();
  });

  it("closing ends long-running commands", async () => {
    const { host, witness, close } = await fixtureHost();
    const server = await openHttpServer(host);
    const waiting = next(witness, "waiting");
    const response = fetch(`${server.url}/v1/skills/demo/commands/watch`, { method: "POST" });
    await waiting;
    await server.close();
    assert.deepEqual(await (await response).json(), { text: "ended" });
    await close();
  });

  it("closing ends the connection of an open stream with its last event", async () => {
    const { host, witness, close } = await fixtureHost((manifest) => {
      const { watch } = manifest.commands ?? {};
      assert.ok(watch);
      return { ...manifest, commands: { ...manifest.commands, watch: { ...watch, keepsRunning: false } } };
    });
    const server = await openHttpServer(host);
    const waiting = next(witness, "waiting");
    const headers = { accept: "text/event-stream" };
    const response = await fetch(`${server.url}/v1/skills/demo/commands/watch`, { method: "POST", headers });
    await waiting;
    const closed = server.close();
    await assert.rejects(fetch(`${server.url}/health`));
    witness.calls[0]?.signal.dispatchEvent(new Event("abort"));
    assert.match(await response.text(), /event: announce[^]*event: result\ndata: {"text":"ended"}\n\n$/);
    await closed;
    await close();
  });

  it("closing does not wait for silent connections or incomplete heads", async () => {
    const server = await openHttpServer(fixture.host);
    const sockets = ["", "GET / HTTP/1.1\r\nHost: loc"].map((bytes) => {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
      socket.on("error", () => undefined);
      return socket;
    });
    const ends = sockets.map((socket) => once(socket, "close"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    await fetch(`${server.url}/health`);
    await server.close();
    await Promise.all(ends);
  });
});
