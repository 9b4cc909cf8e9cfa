import assert from "node:assert/strict";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { test, type TestContext } from "node:test";
import { SkillError } from "../errors/skill-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { testEnvironment } from "../testing/test-environment.ts";
import { nodeClaims } from "./claims.ts";
import { nodeFiles } from "./files.ts";
import { folderFor } from "./fixture-folder.ts";
import {
  AN_HOUR_MS,
  COLLECTION,
  NAME,
  STATE_CASES,
  increment,
  type TestStore,
} from "./fixture-store-contract.ts";
import { stateFiles } from "./state-files.ts";

const stateIn = (folder: string, clock: Clock = fixedClock(), files: Files = nodeFiles) =>
  stateFiles(testEnvironment(folder).stateFolder, files, clock);

/** Every file below a folder. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function textBelow(folder: string): Promise<string> {
  return (await Promise.all((await filesBelow(folder)).map((path) => readFile(path, "utf8")))).join("\n");
}

const files = async (t: TestContext): Promise<TestStore> => {
  const { path } = folderFor(t);
  const { stateFolder } = testEnvironment(path);
  return {
    state: (clock) => stateIn(path, clock),
    claims: () => nodeClaims(stateFolder),
    place: stateFolder,
  };
};

for (const [title, holds] of Object.entries(STATE_CASES)) test(title, (t) => holds(() => files(t)));

/** Files of a process that is killed before or after its nth operation; returns whether it reached that operation. */
function mortal(life: number, after: boolean): { readonly files: Files; readonly killed: () => boolean } {
  let left = life;
  const step =
    <In extends readonly unknown[], Out>(operation: (...given: In) => Promise<Out>) =>
    async (...given: In): Promise<Out> => {
      left -= 1;
      if (left < 0 && !(after && left === -1)) throw new Error("killed");
      const answer = await operation(...given);
      if (left < 0) throw new Error("killed");
      return answer;
    };
  const { readText, list, makeFolder, create, remove } = nodeFiles;
  const files: Files = {
    ...nodeFiles,
    readText: step(readText),
    list: step(list),
    makeFolder: step(makeFolder),
    create: step(create),
    remove: step(remove),
  };
  return { files, killed: () => left < 0 };
}

test("a process killed before or after any file operation leaves the old document or the new one, complete", async (t) => {
  for (const after of [false, true]) {
    let killed = true;
    for (let life = 0; killed; life += 1) {
      assert.ok(life < 50);
      const folder = folderFor(t).path;
      for (let count = 0; count < 2; count += 1) await stateIn(folder).update(NAME, AN_HOUR_MS, increment);
      const process = mortal(life, after);
      const outcome = await stateIn(folder, fixedClock(), process.files)
        .update(NAME, AN_HOUR_MS, increment)
        .catch((error: Error) => error.message);
      killed = process.killed();
      assert.equal(outcome, killed ? "killed" : 3);
      const left = (await stateIn(folder).read(NAME)) as number;
      assert.ok(left === 3 || (killed && left === 2), `${left} after ${life} operations`);
      assert.equal(await stateIn(folder).update(NAME, AN_HOUR_MS, increment), left + 1);
      assert.deepEqual((await filesBelow(folder)).length, 1);
    }
  }
});

test("a document is one file that only its owner can read, its path does not reveal the id, and no temporary file remains", async (t) => {
  const folder = folderFor(t).path;
  const state = stateIn(folder);
  for (let count = 0; count < 5; count += 1)
    await state.update({ collection: COLLECTION, id: "s3cret" }, AN_HOUR_MS, increment);
  const [path = "", ...more] = await filesBelow(folder);
  assert.deepEqual(more, []);
  assert.match(
    path.slice(folder.length).replaceAll(sep, "/"),
    /^\/state\/documents\/test-documents\/[0-9a-f]{2}\/5\.txt$/,
  );
  if (process.platform !== "win32") assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("an expired document disappears for readers at once, and from the disk after later updates", async (t) => {
  const folder = folderFor(t).path;
  const clock = fixedClock();
  const state = stateIn(folder, clock);
  await state.update(NAME, AN_HOUR_MS, () => "s3cret words");
  clock.advance(AN_HOUR_MS);
  assert.equal(await state.read(NAME), "s3cret words");
  clock.advance(1);
  assert.equal(await state.read(NAME), undefined);
  assert.match(await textBelow(folder), /s3cret words/);
  const other = { collection: COLLECTION, id: "another" };
  // An update checks a random bucket: here one of two.
  for (let count = 0; count < 60; count += 1) await state.update(other, AN_HOUR_MS, increment);
  assert.doesNotMatch(await textBelow(folder), /s3cret words/);
  assert.equal(await state.read(other), 60);
});

test("a damaged document is ignored, and the next update replaces it", async (t) => {
  const folder = folderFor(t).path;
  await stateIn(folder).update(NAME, AN_HOUR_MS, increment);
  const [path = ""] = await filesBelow(folder);
  const whole = await readFile(path, "utf8");
  for (const broken of ["", "\n", "\0\0\0", whole.slice(0, -2), whole.replace(/\n\d+ /, "\nx "), "{}"]) {
    await writeFile((await filesBelow(folder))[0] as string, broken);
    const state = stateIn(folder);
    assert.equal(await state.read(NAME), undefined, JSON.stringify(broken));
    assert.equal(await state.update(NAME, AN_HOUR_MS, increment), 1, JSON.stringify(broken));
  }
});

/** Files some of which cannot be read or removed. */
const refusing = (refused: Partial<Record<"readText" | "remove", (path: string) => boolean>>): Files => ({
  ...nodeFiles,
  readText: async (path) => {
    if (refused.readText?.(path)) throw new SkillError("FILE_UNREADABLE", `${path} cannot be read.`);
    return nodeFiles.readText(path);
  },
  remove: async (path) => {
    if (refused.remove?.(path)) throw new SkillError("FILE_UNWRITABLE", `${path} cannot be removed.`);
    await nodeFiles.remove(path);
  },
});

test("an update succeeds also if the previous version cannot be removed", async (t) => {
  const folder = folderFor(t).path;
  const state = stateIn(folder, fixedClock(), refusing({ remove: () => true }));
  for (let count = 1; count <= 3; count += 1)
    assert.equal(await state.update(NAME, AN_HOUR_MS, increment), count);
  assert.equal((await filesBelow(folder)).length, 3);
  assert.equal(await stateIn(folder).update(NAME, AN_HOUR_MS, increment), 4);
  assert.equal((await filesBelow(folder)).length, 1);
});
