/** Documents under many processes and many kills. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { MARKS, marker, stateBelow } from "../../fixture-state-process.ts";

const ROUNDS = 120;
const AT_ONCE = 3;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-state-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test("eight processes that write 200 times each lose nothing and do nothing twice", async (t) => {
  const folder = await folderFor(t);
  const markers = Array.from({ length: 8 }, (_, index) => marker(folder, `p${index}`, 200));
  await Promise.all(markers.map(({ ready }) => ready));
  for (const { begin } of markers) begin();
  const told = (await Promise.all(markers.map((one) => one.told))).flat().sort();
  const written = (await stateBelow(folder).read(MARKS)) as string[];
  assert.equal(told.length, 1600);
  assert.deepEqual([...written].sort(), told);
});

test(`${ROUNDS} processes killed in the middle of writing leave whole documents, with all that they told to be in`, async (t) => {
  const folder = await folderFor(t);
  const told: string[] = [];
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < ROUNDS) {
      const round = next;
      next += 1;
      const one = marker(folder, `r${round}`, 1_000_000);
      await one.ready;
      one.begin();
      await once(one.process.stdout ?? assert.fail(), "data");
      setTimeout(() => one.process.kill("SIGKILL"), (round * 7) % 40);
      told.push(...(await one.told));
      const seen = (await stateBelow(folder).read(MARKS)) as string[] | undefined;
      assert.equal(Array.isArray(seen ?? []), true);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  const written = (await stateBelow(folder).read(MARKS)) as string[];
  assert.deepEqual(
    told.filter((mark) => !written.includes(mark)),
    [],
  );
  assert.equal(new Set(written).size, written.length);
  assert.ok(written.length <= told.length + ROUNDS, `${written.length} written, ${told.length} told`);
  assert.ok(told.length >= ROUNDS, `${told.length} rounds`);
  await stateBelow(folder).update(MARKS, 1e9, () => undefined);
  const [shelf = ""] = await readdir(join(folder, "state", "documents", MARKS.collection));
  const left = await readdir(join(folder, "state", "documents", MARKS.collection, shelf));
  assert.equal(left.filter((name) => name.endsWith(".txt")).length, 1);
});
