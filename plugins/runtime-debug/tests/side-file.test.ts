import assert from "node:assert/strict";
import { appendFile, mkdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { ask, health, until } from "./client.ts";
import { debugHost, serving, type Announced } from "./serving.ts";

/** Good lines around a bad one. */
const MIXED = '{"message":"first"}\nnonsense\n{"message":"second"}\n';

function sideFileOf({ log_file: log, session_id: session }: Announced): string {
  return join(dirname(log), `svc-debug-rejected-${session}.ndjson`);
}

/** A server that follows a file, with a folder in the place where it keeps what is rejected. */
async function withoutSideFile(t: TestContext) {
  const host = await debugHost(t);
  const followed = join(host.environment.workingFolder, "debug.log");
  await writeFile(followed, "");
  const { info } = await serving(host, { tail: ["debug.log"] });
  const side = sideFileOf(info);
  await rm(side);
  await mkdir(side);
  const messages = async (): Promise<readonly unknown[]> =>
    (await readFile(info.log_file, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { readonly msg: unknown }).msg);
  return { followed, side, messages, url: info.base_url };
}

describe("what is kept of a followed line that is too long", () => {
  test("holds no part of a secret that goes on beyond it", async (t) => {
    const host = await debugHost(t);
    const followed = join(host.environment.workingFolder, "debug.log");
    await writeFile(followed, "");
    const { info } = await serving(host, { tail: ["debug.log"] });
    const start = `{"note":"${"-".repeat(4_076)} ghp_`;
    await appendFile(followed, `${start}${"Ab3Ef6Gh9J".repeat(4).slice(0, 36)} ${"x ".repeat(600_000)}"}\n`);
    await until(
      () => health(info.base_url),
      ({ rejected }) => rejected === 1,
    );
    assert.doesNotMatch(await readFile(sideFileOf(info), "utf8"), /ghp_|Ab3Ef6/);
  });
});

describe("a server that cannot keep what it rejects", () => {
  test("fails for a body that is to be kept there, stores nothing of it, and keeps the next one", async (t) => {
    const { side, messages, url } = await withoutSideFile(t);
    assert.equal((await ask(url, { body: MIXED })).status, 500);
    assert.deepEqual(await messages(), []);
    assert.equal((await ask(url, { body: '{"message":"good"}' })).status, 200);
    await rmdir(side);
    assert.equal((await ask(url, { body: "nonsense" })).status, 400);
    assert.match(await readFile(side, "utf8"), /nonsense/);
    assert.deepEqual(await messages(), ["good"]);
  });

  test("takes the lines of a followed file once and goes on with those behind them", async (t) => {
    const { followed, messages, url } = await withoutSideFile(t);
    await appendFile(followed, MIXED);
    await until(messages, (seen) => seen.length >= 2);
    const { ok, rejected, recovered = [] } = await health(url);
    assert.deepEqual([ok, rejected], [true, 1]);
    assert.match(recovered.join(), /What is rejected is counted, but not kept/);
    await appendFile(followed, '{"message":"third"}\n');
    await until(messages, (seen) => seen.includes("third"));
    assert.deepEqual(await messages(), ["first", "second", "third"]);
  });
});
