import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { OpenServer } from "../../ports/server.ts";
import { EventStream, wantsEvents } from "./event-stream.ts";
import { fixtureHost, next, type Fixture } from "./fixture-host.ts";
import { openHttpServer } from "./server.ts";

describe("a command as a stream of events", () => {
  let fixture: Fixture;
  let server: OpenServer;
  before(async () => {
    fixture = await fixtureHost();
    server = await openHttpServer(fixture.host, { allowOrigins: ["https://app.example"] });
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });
  const stream = (name: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { accept: "text/event-stream", origin: "https://app.example" };
    return fetch(`${server.url}/v1/skills/demo/commands/${name}`, { method: "POST", headers, ...init });
  };

  it("tells progress and announcements before the result", async () => {
    const response = await stream("talk");
    assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.equal(response.headers.get("access-control-allow-origin"), "https://app.example");
    assert.equal(
      await response.text(),
      'event: progress\ndata: {"text":"Looking."}\n\n' +
        'event: announce\ndata: {"text":"One\\ntwo"}\n\n' +
        'event: result\ndata: {"text":"said"}\n\n',
    );
  });

  it("keeps the status of a failure that comes before the first event", async () => {
    const response = await stream("teapot");
    assert.equal(response.status, 418);
    assert.equal(((await response.json()) as { code: string }).code, "DEMO_TEAPOT");
  });

  it("tells a failure after the first event as a problem, without secrets", async () => {
    const { host, close } = await fixtureHost((manifest) => ({
      ...manifest,
      commands: {
        ...manifest.commands,
        talk: { ...manifest.commands?.["talk"], output: "demo/empty" } as never,
      },
    }));
    const other = await openHttpServer(host);
    const headers = { accept: "text/event-stream" };
    const text = await (
      await fetch(`${other.url}/v1/skills/demo/commands/talk`, { method: "POST", headers })
    ).text();
    const last = text.trim().split("\n\n").at(-1) ?? "";
    assert.match(last, /^event: problem\ndata: /);
    assert.equal((JSON.parse(last.slice(last.indexOf("{"))) as { code: string }).code, "OUTPUT_INVALID");
    await other.close();
    await close();
  });

  it("aborts the command when the reader goes", async () => {
    const leaving = new AbortController();
    const aborted = next(fixture.witness, "aborted");
    const response = await stream("watch", { signal: leaving.signal });
    const reader = response.body?.getReader();
    assert.match(new TextDecoder().decode((await reader?.read())?.value), /event: announce/);
    leaving.abort();
    await aborted;
  });

  it("is asked for by name only", () => {
    const asked = ["text/event-stream", "application/json, text/event-stream;q=0.9", "TEXT/EVENT-STREAM"];
    const not = [undefined, "*/*", "text/*", "application/json", "text/event-streams", "x-text/event-stream"];
    assert.deepEqual(
      asked.map(wantsEvents),
      asked.map(() => true),
    );
    assert.deepEqual(
      not.map(wantsEvents),
      not.map(() => false),
    );
  });
});

describe("EventStream", () => {
  it("sends a comment while nothing happens, and nothing after the end", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const arrived = once(server, "request") as Promise<[unknown, ServerResponse]>;
    const asked = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const [, response] = await arrived;
    const events = new EventStream(response, () => undefined, 1);
    const reader = (await asked).body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    assert.match(first, /^(: waiting\n\n)+$/);
    events.close();
    events.send("result", {});
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      assert.doesNotMatch(new TextDecoder().decode(part.value), /result/);
    }
    server.close();
  });
});
