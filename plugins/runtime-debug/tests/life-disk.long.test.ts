import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ask, nameRun } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

describe("POST /run", () => {
  test("that answers an error has not switched the run, and switches it when the cause is gone", async (t) => {
    const host = await debugHost(t);
    const { info, stop } = await serving(host);
    const run = async (): Promise<unknown> =>
      (JSON.parse((await ask(info.base_url)).text) as { readonly run: string }).run;
    await rename(info.env_file, `${info.env_file}.away`);
    await mkdir(info.env_file);
    assert.equal((await nameRun(info.base_url, "post")).status, 500);
    assert.equal(await run(), "pre-fix");
    const record = await readFile(join(info.log_dir, "login-timeout.server.json"), "utf8");
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
});
