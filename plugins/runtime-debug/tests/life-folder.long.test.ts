import assert from "node:assert/strict";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { debugHost, serving } from "./serving.ts";

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
