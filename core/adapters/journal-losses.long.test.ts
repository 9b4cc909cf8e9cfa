import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test } from "node:test";
import { codeOf, folderFor, type TestFolder } from "./fixture-folder.ts";
import { nodeJournals } from "./journals.ts";

/** Windows does not allow removing or renaming an open file. */
const onPosix = { skip: process.platform === "win32" };

/** Changes by another program to the file, and their names in the journal. */
const LOSSES: readonly (readonly [string, (path: string) => void])[] = [
  ["removed", (path) => fs.rmSync(path)],
  ["renamed", (path) => fs.renameSync(path, `${path}.away`)],
  ["replaced", (path) => (fs.renameSync(path, `${path}.away`), fs.writeFileSync(path, "mine\n"))],
  ["replaced", (path) => (fs.renameSync(path, `${path}.away`), fs.symlinkSync(`${path}.away`, path))],
  ["cut", (path) => fs.truncateSync(path, 3)],
  ["cut", (path) => fs.truncateSync(path, 0)],
  ["grown", (path) => fs.appendFileSync(path, "theirs\n")],
];

for (const [row, [loss, harm]] of LOSSES.entries()) {
  test(
    `a file that was ${loss} is noticed before the next line, and durable lines can still be read; row ${row + 1}`,
    onPosix,
    async (t) => {
      const { file } = folderFor(t);
      const path = file("log");
      const journal = await nodeJournals.open(path);
      await journal.append("first\n");
      harm(path);
      const after = fs.existsSync(path) ? fs.readFileSync(path) : undefined;
      assert.equal(await codeOf(journal.append("second\n")), "STORAGE_LOST");
      assert.equal(journal.loss, loss);
      assert.equal(await codeOf(journal.append("third\n")), "STORAGE_LOST");
      assert.equal(await codeOf(journal.cut(0)), "STORAGE_LOST");
      if (after) assert.deepEqual(fs.readFileSync(path), after, "nothing was written there");
      const kept = loss === "cut" ? "first\n".slice(0, after?.length) : "first\n";
      assert.equal(Buffer.from(await journal.read(0, 100)).toString(), kept);
      await journal.close();
    },
  );

  test(
    `a file that was ${loss} during its commit is not acknowledged; row ${row + 1}`,
    onPosix,
    async (t) => {
      const path = folderFor(t).file("log");
      const journal = await nodeJournals.open(path);
      await journal.append("first\n");
      const all = [journal.append("second\n")];
      await turn();
      harm(path);
      all.push(journal.append("third\n"));
      assert.deepEqual(await Promise.all(all.map(codeOf)), ["STORAGE_LOST", "STORAGE_LOST"]);
      assert.deepEqual([journal.loss, journal.bytes, journal.end], [loss, 6, 6]);
      await journal.close();
    },
  );
}

/** Changes by another program to the folder. */
const SWAPS: readonly (readonly [string, (folder: TestFolder, victim: string) => void])[] = [
  ["a link to another folder", ({ path }, victim) => fs.symlinkSync(victim, path)],
  ["another folder", ({ path }) => fs.mkdirSync(path)],
  ["a link to itself elsewhere", ({ path }) => fs.symlinkSync(`${path}.away`, path)],
];

for (const [what, swap] of SWAPS) {
  test(`when the folder has become ${what} writing stops`, onPosix, async (t) => {
    const folder = folderFor(t);
    const victim = folderFor(t);
    const journal = await nodeJournals.open(folder.file("log"));
    await journal.append("first\n");
    fs.writeFileSync(victim.file("log"), "victim\n");
    t.after(() => fs.rmSync(`${folder.path}.away`, { recursive: true }));
    const before = fs.statSync(folder.file("log")).size;
    fs.renameSync(folder.path, `${folder.path}.away`);
    swap(folder, victim.path);
    assert.equal(await codeOf(journal.append("second\n")), "STORAGE_UNSAFE");
    assert.equal(await codeOf(journal.verify()), "STORAGE_UNSAFE");
    assert.equal(fs.readFileSync(victim.file("log"), "utf8"), "victim\n");
    assert.equal(fs.statSync(`${folder.path}.away/log`).size, before);
    assert.equal(journal.loss, undefined);
    await journal.close();
  });
}

test("if the folder is missing the file counts as lost with it", onPosix, async (t) => {
  const folder = folderFor(t);
  const journal = await nodeJournals.open(folder.file("log"));
  await journal.append("first\n");
  fs.rmSync(folder.path, { recursive: true });
  assert.equal(await codeOf(journal.append("second\n")), "STORAGE_LOST");
  assert.equal(journal.loss, "removed");
  await journal.close();
});

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
