import assert from "node:assert/strict";
import { mkdir, readFile, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ask, health } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

test("a server that cannot keep a refused body fails for it, stores nothing of it, and keeps the next one", async (t) => {
  const { info } = await serving(await debugHost(t));
  const { base_url: url, log_file: log, session_id: session } = info;
  const side = join(dirname(log), `svc-debug-rejected-${session}.ndjson`);
  const messages = async (): Promise<readonly unknown[]> =>
    (await readFile(log, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { readonly msg: unknown }).msg);
  await mkdir(side);
  assert.equal((await ask(url, { body: '{"message":"first"}\nnonsense\n' })).status, 500);
  assert.deepEqual(await messages(), []);
  assert.equal((await ask(url, { body: '{"message":"good"}' })).status, 200);
  await rmdir(side);
  assert.equal((await ask(url, { body: "nonsense" })).status, 400);
  assert.match(await readFile(side, "utf8"), /nonsense/);
  assert.deepEqual([await messages(), (await health(url)).rejected], [["good"], 1]);
});

test("the kept beginning of a long body contains no part of a secret that continues after it", async (t) => {
  const { info } = await serving(await debugHost(t));
  const start = `{"note":"${"-".repeat(4_076)} ghp_`;
  const body = `${start}${"Ab3Ef6Gh9J".repeat(4).slice(0, 36)} ${"x ".repeat(600_000)}"}`;
  assert.equal((await ask(info.base_url, { body })).status, 413);
  const side = join(dirname(info.log_file), `svc-debug-rejected-${info.session_id}.ndjson`);
  assert.doesNotMatch(await readFile(side, "utf8"), /ghp_|Ab3Ef6/);
});
