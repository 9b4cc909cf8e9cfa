import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rename, rm } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ServeInput } from "../contract.ts";
import { recordFile } from "../server/server-files.ts";
import { ask, health, nameRun } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

describe("a start", () => {
  test("[debug.resource.environment-file] announces the block that agents parse, and writes the environment file with the two lines first", async (t) => {
    const host = await debugHost(t);
    const { info, stop } = await serving(host);
    const folder = join(host.environment.workingFolder, ".dbg");
    assert.deepEqual(
      Object.keys(info).sort(),
      "addresses api_url base_url endpoints env_file log_dir log_file pid session_id".split(" "),
    );
    assert.equal(info.api_url, `${info.base_url}/event`);
    assert.deepEqual([info.log_dir, info.pid, info.addresses], [folder, process.pid, []]);
    assert.equal(
      await readFile(info.env_file, "utf8"),
      `DEBUG_SERVER_URL=${info.api_url}\nDEBUG_SESSION_ID=login-timeout\nDEBUG_RUN_ID=pre-fix\n` +
        `DEBUG_LOG_FILE=${info.log_file}\nDEBUG_BASE_URL=${info.base_url}\n`,
    );
    assert.equal((await health(info.base_url)).pid, process.pid);
    const output = await stop();
    assert.deepEqual(
      [output.ended, output.text],
      ["stopped", "The server of login-timeout has ended: stopped."],
    );
    await assert.rejects(ask(info.base_url));
  });

  test("keeps its keys over a start without keys, and announces neither a move nor a key", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host, { requireKey: true });
    await first.stop();
    const open = await serving(host);
    assert.equal(open.info.key_file, undefined);
    assert.equal((await ask(open.info.base_url, { body: "{}" })).status, 200);
    const { search } = new URL(first.info.api_url);
    assert.equal((await ask(open.info.base_url, { path: `/event${search}`, body: "{}" })).status, 200);
    await open.stop();
    assert.deepEqual(host.log.notices, []);
    const again = await serving(host, { requireKey: true });
    assert.equal(again.info.api_url, first.info.api_url);
    assert.equal((await ask(again.info.base_url, { body: "{}" })).status, 401);
    assert.ok(!host.log.notices.join().includes(search.slice(1)), host.log.notices.join());
  });

  test("with --clean begins with an empty log, and earlier events stay for comparison", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host);
    await ask(first.info.base_url, { body: '{"msg":"before"}' });
    await first.stop();
    const kept = await serving(host);
    assert.match((await ask(kept.info.base_url, { path: "/logs" })).text, /before/);
    await kept.stop();
    const { info } = await serving(host, { clean: true });
    assert.equal((await ask(info.base_url, { path: "/logs" })).text.trim(), "[]");
    assert.match((await ask(info.base_url, { path: "/logs?segment=all" })).text, /before/);
  });

  test("on another port than the last one names the old address, and publishes the new one", async (t) => {
    const host = await debugHost(t);
    const first = await serving(host);
    await first.stop();
    const other = createServer().listen(Number(new URL(first.info.base_url).port), "127.0.0.1");
    t.after(() => other.close());
    await once(other, "listening");
    const second = await serving(host);
    assert.notEqual(second.info.api_url, first.info.api_url);
    assert.match(
      await readFile(second.info.env_file, "utf8"),
      new RegExp(`^DEBUG_SERVER_URL=${second.info.api_url}\n`),
    );
    const notice = host.log.notices.find((line) => line.includes(first.info.api_url));
    assert.match(notice ?? "", /no longer arrive/);
    await second.stop();
  });

  test("that cannot listen as it was asked to leaves no log, and does not clear one", async (t) => {
    const host = await debugHost(t);
    const { workingFolder } = host.environment;
    const wrong: readonly (readonly [input: Partial<ServeInput>, code: string])[] = [
      [{ host: "203.0.113.77" }, "ADDRESS_IN_USE"],
      [{ host: "nosuch.invalid" }, "ADDRESS_IN_USE"],
    ];
    const written = async (): Promise<readonly string[]> =>
      (await readdir(join(workingFolder, ".dbg"))).filter((name) => name.includes("login-timeout"));
    for (const [input, code] of wrong) await assert.rejects(serving(host, input), { code });
    assert.deepEqual(await written(), []);
    const first = await serving(host);
    await ask(first.info.base_url, { body: '{"msg":"before"}' });
    await first.stop();
    const before = await written();
    for (const [input, code] of wrong)
      await assert.rejects(serving(host, { clean: true, ...input }), { code });
    assert.deepEqual(await written(), before);
    assert.match(await readFile(first.info.log_file, "utf8"), /before/);
  });
});

test("POST /run does not switch the run after an error, and switches it once the cause is removed", async (t) => {
  const host = await debugHost(t);
  const { info, stop } = await serving(host);
  const run = async (): Promise<unknown> =>
    (JSON.parse((await ask(info.base_url)).text) as { readonly run: string }).run;
  await rename(info.env_file, `${info.env_file}.away`);
  await mkdir(info.env_file);
  assert.equal((await nameRun(info.base_url, "post")).status, 500);
  assert.equal(await run(), "pre-fix");
  const record = await readFile(
    recordFile(host.environment, { folder: info.log_dir }, "login-timeout"),
    "utf8",
  );
  assert.match(record, /"run": "pre-fix"/);
  await ask(info.base_url, { body: "{}" });
  assert.match(await readFile(info.log_file, "utf8"), /"_run":"pre-fix"/);
  await rm(info.env_file, { recursive: true });
  await stop();
  const next = await serving(host);
  assert.match(await readFile(next.info.env_file, "utf8"), /\nDEBUG_RUN_ID=pre-fix\n/);
  assert.equal((await nameRun(next.info.base_url, "post")).status, 200);
  assert.match(await readFile(next.info.env_file, "utf8"), /\nDEBUG_RUN_ID=post-fix\n/);
});
