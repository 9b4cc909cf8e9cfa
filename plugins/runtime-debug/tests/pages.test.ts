/** What a page is told that may not call the debug server, or asks beforehand whether it may. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { debugHost, serving } from "./serving.ts";

describe("a page that is refused", () => {
  it("hears what would let it in: for null nothing does, and an allowed origin may only send", async (t) => {
    const { info } = await serving(await debugHost(t), { allowOrigin: ["https://app.example"] });
    const hint = async (origin: string, path: string, method = "GET"): Promise<string> => {
      const answer = await fetch(info.base_url + path, { method, headers: { origin } });
      const { error, hint: said } = (await answer.json()) as {
        readonly error: string;
        readonly hint: string;
      };
      assert.deepEqual([answer.status, error], [403, "forbidden_origin"]);
      return said;
    };
    assert.match(
      await hint("https://evil.example", "/event", "POST"),
      /^Allow the origin with --allow-origin/,
    );
    for (const method of ["GET", "DELETE"])
      assert.match(
        await hint("https://app.example", "/logs", method),
        /^Pages of an allowed origin may only send/,
      );
    for (const origin of ["null", "file://", "chrome-extension://abc"]) {
      const said = await hint(origin, "/event", "POST");
      assert.match(said, /no origin that can be allowed.*http:\/\/localhost/, origin);
      assert.doesNotMatch(said, /--allow-origin/, origin);
    }
  });
});

describe("a preflight", () => {
  it("is offered the methods that the address has, and no other", async (t) => {
    const { info } = await serving(await debugHost(t));
    const offered = async (path: string): Promise<string | null> => {
      const headers = { origin: "http://localhost:3000", "access-control-request-method": "PUT" };
      const answer = await fetch(info.base_url + path, { method: "OPTIONS", headers });
      assert.equal(answer.status, 204);
      return answer.headers.get("access-control-allow-methods");
    };
    assert.equal(await offered("/event"), "POST");
    assert.equal(await offered("/logs?last=1"), "GET, HEAD, DELETE");
    assert.equal(await offered("/nothing"), null);
  });
});
