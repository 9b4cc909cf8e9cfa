import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SkillError } from "skillctl";
import { nodePorts } from "skillctl/host";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { ask, nameRun } from "./client.ts";
import { debugHost, serving } from "./serving.ts";

/** Never settles. */
const never = new Promise<never>(() => undefined);

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

describe("a server told to end while its disk does not answer", () => {
  test("its own record that hangs does not keep it", async (t) => {
    let hangs = false;
    const files: typeof nodeFiles = {
      ...nodeFiles,
      replace: (path, ...rest) =>
        hangs && path.endsWith(".server.json") ? never : nodeFiles.replace(path, ...rest),
    };
    const { stop } = await serving(await debugHost(t, { ports: { files } }));
    hangs = true;
    assert.equal((await stop()).ended, "stopped");
  });
});

test("a start that fails says why, and undoes the rest, when undoing fails too", async (t) => {
  const { journals } = nodePorts();
  const host = await debugHost(t, {
    ports: {
      files: {
        ...nodeFiles,
        replace: async (path, ...rest) => {
          if (path.endsWith(".env")) throw new SkillError("FILE_UNWRITABLE", `${path} cannot be written.`);
          await nodeFiles.replace(path, ...rest);
        },
      },
      journals: {
        ...journals,
        open: async (path, options) => {
          const journal = await journals.open(path, options);
          return new Proxy(journal, {
            get: (whole, name) => {
              const value: unknown = Reflect.get(whole, name, whole);
              if (name === "close") {
                return async () => {
                  await whole.close();
                  throw new Error("It does not close.");
                };
              }
              return typeof value === "function" ? (value.bind(whole) as unknown) : value;
            },
          });
        },
      },
    },
  });
  await assert.rejects(serving(host), { code: "FILE_UNWRITABLE" });
  assert.ok(host.log.notices.some((notice) => notice.includes("It does not close.")));
  await assert.rejects(serving(host), { code: "FILE_UNWRITABLE" });
});
