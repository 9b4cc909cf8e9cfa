/** Power cuts: F04 to F06 of the fault table. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { eventually, load, post } from "../client.ts";
import { FLAWLESS, History, type Verdict } from "../history.ts";
import { debugServer, type DebugStart } from "../server-harness.ts";
import { powerDisk } from "./disks.ts";
import { needs } from "./needs.ts";

/** Their moments differ from run to run. */
const CUTS = 10;
const skip = needs("linux", "root", "loops", "mkfs.ext4", "perl");

/** Cuts the power under load, again and again on one disk, and starts on the remaining files. */
async function cutUnderLoad(t: TestContext, cuts: number, start: DebugStart = {}): Promise<Verdict> {
  const disk = await powerDisk(t);
  const folder = join(disk.folder, ".dbg");
  const history = new History();
  const unheard = new Set<number>();
  for (let cut = 0; cut < cuts; cut += 1) {
    const server = await debugServer(t, { ...start, folder });
    const before = history.acknowledged.size;
    const posting = load(server.url, history);
    await eventually(() => history.acknowledged.size > before + 5);
    await pause(Math.random() * 100);
    const heard = new Set(history.acknowledged);
    await disk.cut();
    await server.kill();
    await posting.over;
    // Without power no client receives an answer. The kernel lets a sync at the moment of the cut succeed, for any program.
    for (const number of history.acknowledged) if (!heard.has(number)) unheard.add(number);
    await disk.again();
  }
  const last = await debugServer(t, { ...start, folder });
  await last.kill();
  t.diagnostic(`${cuts} cuts, ${history.acknowledged.size} events acknowledged`);
  // Events that were answered with an error while the disk failed may be on it, since they could not be removed.
  const { lost, ...verdict } = await history.verdict(folder);
  return { ...verdict, lost: lost.filter((number) => !unheard.has(number)), refusedAndKept: [] };
}

test(`F04 ${CUTS} power cuts under load lose no acknowledged event`, { skip }, async (t) => {
  assert.deepEqual(await cutUnderLoad(t, CUTS), FLAWLESS);
});

test("F05 a power cut right after the first event of a session does not lose it", { skip }, async (t) => {
  const disk = await powerDisk(t);
  for (const name of ["a", "b", "c"]) {
    const folder = join(disk.folder, name, ".dbg");
    const history = new History();
    const server = await debugServer(t, { folder });
    await post(server.url, history);
    await disk.cut();
    await server.kill();
    await disk.again();
    await (await debugServer(t, { folder })).kill();
    assert.equal(history.acknowledged.size, 1);
    assert.deepEqual(await history.verdict(folder), FLAWLESS);
  }
});

test(
  "F06 control: answers before the sync, as --durability process gives them, are lost",
  { skip },
  async (t) => {
    const { lost } = await cutUnderLoad(t, 3, { words: ["--durability", "process"] });
    assert.notDeepEqual(lost, []);
  },
);
