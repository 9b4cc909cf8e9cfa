/** The time-out of a question on a real clock: 260 s, with the program as a process and a slow service. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { otherSide } from "../../../../core/testing/fixture-other-side.ts";
import { sayInProcessOfItsOwn, type ProgramResult } from "../../../../contract-tests/command-line.ts";
import { answered } from "../../../../contract-tests/fake-service.ts";

const PATH = "/openapi/v1/musician/data/agent/chat-sync";

/** Asks one question of a service at this address. */
async function asked(t: TestContext, url: string): Promise<ProgramResult> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-deadline-"));
  t.after(() => rm(folder, { recursive: true }));
  const variables = { SVC_BASE_URL: url, SVC_HEADER_TOKEN: "token-of-the-test" };
  const words = ["run", "music-analysis", "最近30天我的播放量怎么样？", "--json", "--no-progress"];
  return sayInProcessOfItsOwn(words, folder, { variables });
}

describe("a question", { concurrency: true }, () => {
  test("that is not answered within 260 s ends with MUSIC_TIMEOUT, after one request", async (t) => {
    const { url, seen } = await otherSide(t, () => undefined);
    const { status, out, err } = await asked(t, url);
    assert.deepEqual(seen, [`POST ${PATH}`]);
    const { error } = JSON.parse(out) as { readonly error: Readonly<Record<string, unknown>> };
    assert.deepEqual([error["code"], error["exit"], err], ["MUSIC_TIMEOUT", status, ""]);
  });

  test("whose answer begins and never ends has the same limit", async (t) => {
    const { url, seen } = await otherSide(t, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 1_000);
      response.once("close", () => clearInterval(drip));
    });
    const { out } = await asked(t, url);
    assert.match(out, /"code":"MUSIC_TIMEOUT"/);
    assert.equal(seen.length, 1);
  });

  test("that takes 250 s is answered", async (t) => {
    const reply = answered("## 结论");
    const { url, seen } = await otherSide(t, (_, response) => {
      setTimeout(
        () => response.writeHead(200, { "content-type": "application/json" }).end(reply.body),
        250_000,
      );
    });
    const { status, out } = await asked(t, url);
    assert.deepEqual([status, seen.length], [0, 1]);
    assert.match(out, /## 结论/);
  });
});
