import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fixtureHost } from "./fixture-host.ts";
import { openHttpServer } from "./server.ts";

/** Sends a request twice: while a schema of the skill is missing, and after it is restored. */
async function askedTwice(schema: string, path: string): Promise<readonly [Response, Response]> {
  const { host, close } = await fixtureHost();
  const server = await openHttpServer(host);
  const file = join(host.catalog.skill("demo").schemas, `${schema}.json`);
  await rename(file, `${file}.away`);
  const missing = await fetch(server.url + path);
  await rename(`${file}.away`, file);
  const mended = await fetch(server.url + path);
  const answers = [new Response(await missing.text(), missing), new Response(await mended.text(), mended)];
  await server.close();
  await close();
  return answers as [Response, Response];
}

describe("a schema file that is missing at the first request and restored", () => {
  it("restores the route", async () => {
    const [missing, mended] = await askedTwice("search-query", "/demo/search?limit=5");
    assert.equal(missing.status, 500);
    assert.equal(((await missing.json()) as { code: string }).code, "SCHEMA_INVALID");
    assert.deepEqual([mended.status, await mended.json()], [200, { limit: 5 }]);
  });

  it("restores the operation in the OpenAPI document", async () => {
    const [missing, mended] = await askedTwice("node", "/openapi.json");
    assert.deepEqual([missing.status, mended.status], [200, 200]);
    assert.doesNotMatch(await missing.text(), /commands\/graph"/);
    assert.match(await mended.text(), /commands\/graph"/);
  });
});
