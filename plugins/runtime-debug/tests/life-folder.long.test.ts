import assert from "node:assert/strict";
import { mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { debugHost, serving } from "./serving.ts";

const onPosix = { skip: process.platform === "win32" };

describe("what is planted in the folder", onPosix, () => {
  const names = {
    "the environment file": "login-timeout.env",
    "the record of who serves": "login-timeout.server.json",
    "the log": "svc-debug-log-login-timeout.ndjson",
    "the side file": "svc-debug-rejected-login-timeout.ndjson",
    "the server's own log": "login-timeout.serve.log",
  };
  for (const [what, name] of Object.entries(names)) {
    test(`a link in place of ${what} ends the start with its path, and what it leads to stays as it is`, async (t) => {
      const host = await debugHost(t);
      const folder = join(host.environment.workingFolder, ".dbg");
      const victim = join(host.environment.workingFolder, "victim");
      await mkdir(folder, { mode: 0o700 });
      await writeFile(victim, "as it was");
      await symlink(victim, join(folder, name));
      await assert.rejects(serving(host), (error: Error & { code?: string }) => {
        assert.equal(error.code, "STORAGE_UNSAFE");
        assert.ok(error.message.includes(name), error.message);
        return true;
      });
      assert.equal(await readFile(victim, "utf8"), "as it was");
    });
  }

  test("a link or a file in place of the folder ends the start", async (t) => {
    const host = await debugHost(t);
    const { workingFolder } = host.environment;
    await mkdir(join(workingFolder, "elsewhere"));
    await symlink("elsewhere", join(workingFolder, ".dbg"));
    await writeFile(join(workingFolder, "file"), "");
    await assert.rejects(serving(host), { code: "STORAGE_UNSAFE" });
    await assert.rejects(serving(host, { outdir: "file" }), { code: "STORAGE_UNSAFE" });
    assert.deepEqual(await readdir(join(workingFolder, "elsewhere")), []);
  });
});

describe("the folder of a session", () => {
  test("that a start makes is left out of what git adds, and one that was there stays as it is", async (t) => {
    const host = await debugHost(t);
    const made = await serving(host);
    assert.equal(await readFile(join(made.info.log_dir, ".gitignore"), "utf8"), "*\n");
    await made.stop();
    await mkdir(join(host.environment.workingFolder, "there"), { mode: 0o700 });
    const { info } = await serving(host, { outdir: "there" });
    assert.ok(!(await readdir(info.log_dir)).includes(".gitignore"));
  });

  test("is one for two spellings of its name where the disk takes both for one", async (t) => {
    const folded = (path: string): string => path.replace(/\.DBG(?=$|\/)/i, ".dbg");
    const files = {
      ...nodeFiles,
      facts: (path: string) => nodeFiles.facts(folded(path)),
      realPath: (path: string) => nodeFiles.realPath(folded(path)),
      makeFolder: (path: string, mode?: number) => nodeFiles.makeFolder(folded(path), mode),
    };
    const one = await debugHost(t, { ports: { files } });
    const two = await debugHost(t, { ports: { files, environment: one.environment } });
    const { info } = await serving(one);
    const outdir = info.log_dir.replace(/\.dbg$/, ".DBG");
    assert.notEqual(outdir, info.log_dir);
    await assert.rejects(serving(two, { outdir }), { code: "DEBUG_SERVED" });
  });
});
