import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createWhole, whileInUse } from "./whole-files.ts";

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-whole-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

for (const code of ["EPERM", "ENOTSUP", "ENOSYS"]) {
  test(`a file system without hard links (${code}) is named as the cause, and nothing is left`, async (t) => {
    const folder = await folderFor(t);
    const path = join(folder, "file");
    await assert.rejects(
      createWhole(path, "text", 0o600, () => Promise.reject(refusal(code))),
      {
        code: "FILE_UNWRITABLE",
        message: `${path} cannot be written: its file system makes no hard links (${code}).`,
        hint: /SKILLCTL_STATE/,
        file: path,
      },
    );
    assert.deepEqual(await readdir(folder), []);
  });
}

test("a file that is created counts, also when its temporary one cannot be removed", async (t) => {
  const path = join(await folderFor(t), "file");
  const linked = async (from: string, to: string): Promise<void> => {
    await link(from, to);
    await rm(from);
    // A folder is never removed as a file.
    await mkdir(from);
  };
  assert.equal(await createWhole(path, "text", 0o600, linked), true);
  assert.equal(await readFile(path, "utf8"), "text");
});

for (const code of ["EPERM", "EACCES", "EBUSY"]) {
  test(`what another program has open on Windows (${code}) is tried again, elsewhere not`, async () => {
    let tries = 0;
    const refusedTwice = async (): Promise<void> => {
      tries += 1;
      if (tries < 3) throw refusal(code);
    };
    await whileInUse(refusedTwice, "win32");
    assert.equal(tries, 3);
    tries = 0;
    await assert.rejects(whileInUse(refusedTwice, "linux"), { code });
    assert.equal(tries, 1);
  });
}

test("another failure than that is not tried again on Windows", async () => {
  let tries = 0;
  const failing = (): Promise<void> => {
    tries += 1;
    return Promise.reject(refusal("ENOSPC"));
  };
  await assert.rejects(whileInUse(failing, "win32"), { code: "ENOSPC" });
  assert.equal(tries, 1);
});
