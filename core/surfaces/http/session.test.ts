import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { OpenServer } from "../../ports/server.ts";
import { fixtureHost, type Fixture } from "./fixture-host.ts";
import { openApiDocument } from "./openapi.ts";
import { openHttpServer } from "./server.ts";

describe("the session of an HTTP call", () => {
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
  const idle = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${server.url}/v1/skills/demo/commands/idle`, { method: "POST", headers });

  it("reaches the command as it was sent, also when the answer is a stream, and is missing when none was", async () => {
    const all = "ABCabc019._-";
    for (const session of [all, "x", "y".repeat(128)]) {
      assert.equal((await idle({ "skillctl-session": session })).status, 200);
      assert.equal(fixture.witness.calls.at(-1)?.session, session);
    }
    await (await idle({ "skillctl-session": "streamed", accept: "text/event-stream" })).text();
    assert.equal(fixture.witness.calls.at(-1)?.session, "streamed");
    await idle({});
    assert.equal(fixture.witness.calls.at(-1)?.session, undefined);
  });

  it("that is malformed is refused in one sentence, before the command", async () => {
    const before = fixture.witness.calls.length;
    for (const session of ["", "a b", "a/b", "größe", "a,b", "z".repeat(129)]) {
      for (const accept of ["application/json", "text/event-stream"]) {
        const reply = await idle({ "skillctl-session": session, accept });
        const { code, detail, hint } = (await reply.json()) as Readonly<Record<string, string>>;
        assert.deepEqual(
          [reply.status, code, detail],
          [400, "INPUT_INVALID", "The header Skillctl-Session names no session."],
          session,
        );
        assert.match(hint ?? "", /^Send 1 to 128 of the characters/);
      }
    }
    assert.equal(fixture.witness.calls.length, before);
  });

  it("is an optional header parameter of every command in the OpenAPI document, and of no route", async () => {
    const { document } = await openApiDocument(fixture.host);
    const { paths } = document as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, { readonly parameters?: readonly object[] }>>>
      >;
    };
    const named = Object.entries(paths).filter(([, methods]) =>
      JSON.stringify(methods).includes('"Skillctl-Session","in":"header","required":false'),
    );
    const commands = Object.keys(paths).filter((path) => path.startsWith("/v1/skills/"));
    assert.deepEqual(
      named.map(([path]) => path),
      commands,
    );
    assert.ok(commands.length > 0);
  });
});
