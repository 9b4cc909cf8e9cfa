import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { MARKS, marker, stateBelow, type Manner } from "./fixture-state-process.ts";

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-state-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function allTold(folder: string, processes: number, count: number, manner: Manner): Promise<string[]> {
  const markers = Array.from({ length: processes }, (_, index) => marker(folder, `p${index}`, count, manner));
  await Promise.all(markers.map(({ ready }) => ready));
  for (const { begin } of markers) begin();
  return (await Promise.all(markers.map(({ told }) => told))).flat().sort();
}

test("processes that write one document at once lose nothing", async (t) => {
  const folder = await folderFor(t);
  const told = await allTold(folder, 3, 40, "real");
  const written = (await stateBelow(folder).read(MARKS)) as string[];
  assert.equal(told.length, 120);
  assert.deepEqual([...written].sort(), told);
});

test("the same processes lose updates when they read, change and replace a file", async (t) => {
  const folder = await folderFor(t);
  const told = await allTold(folder, 3, 40, "naive");
  const written = JSON.parse(await readFile(join(folder, "naive.json"), "utf8")) as string[];
  assert.ok(written.length < told.length, `${written.length} of ${told.length}`);
});

test("a process killed in the middle of writing leaves the whole document, with all that it told to be in", async (t) => {
  const folder = await folderFor(t);
  for (let round = 0; round < 6; round += 1) {
    const { process, ready, begin, told } = marker(folder, `r${round}`, 1_000_000);
    await ready;
    begin();
    setTimeout(() => process.kill("SIGKILL"), round * 5);
    const marks = await told;
    const written = ((await stateBelow(folder).read(MARKS)) ?? []) as string[];
    const own = written.filter((mark) => mark.startsWith(`r${round}.`));
    assert.deepEqual(own.slice(0, marks.length), marks);
    assert.ok(own.length <= marks.length + 1);
    assert.equal(new Set(written).size, written.length);
  }
});
