/** Remains of a crash or of another program in a log: F07 to F10 of the fault table. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { health, post } from "../client.ts";
import { FLAWLESS, History, type Verdict } from "../history.ts";
import { debugServer, scratch, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";

/** A log with three acknowledged events, and one more that was never answered. */
interface Grown {
  readonly history: History;
  readonly folder: string;
  readonly log: string;
  readonly text: string;
  /** The line of the fourth event, without its end. */
  readonly next: string;
  readonly start: DebugStart;
}

async function grown(t: TestContext, start: DebugStart = {}): Promise<Grown> {
  const folder = join(await scratch(t), ".dbg");
  const history = new History("é€𝄞".repeat(4));
  const server = await debugServer(t, { ...start, folder });
  for (let event = 0; event < 3; event += 1) await post(server.url, history);
  await server.kill();
  const text = await readFile(server.log, "utf8");
  const third = text.trimEnd().split("\n").at(-1) ?? "";
  history.next();
  const next = third.replace('"n":3', '"n":4').replace('"_seq":3', '"_seq":4');
  return { history, folder, log: server.log, text, next, start };
}

/** How a server starts on a damaged log, with one more event. */
interface Mended {
  readonly verdict: Verdict;
  /** The lines before the damage are unchanged. */
  readonly kept: boolean;
  readonly reported: readonly string[];
  readonly rejected: number;
  readonly text: string;
}

async function mended(t: TestContext, grown: Grown, damaged: string | Uint8Array): Promise<Mended> {
  await writeFile(grown.log, damaged);
  const server = await debugServer(t, { ...grown.start, folder: grown.folder });
  const { recovered = [], rejected } = await health(server.url);
  const told = await post(server.url, grown.history);
  assert.equal(told.status, 200);
  await server.kill();
  const text = await readFile(grown.log, "utf8");
  const verdict = await grown.history.verdict(grown.folder);
  return { verdict, kept: text.startsWith(grown.text), reported: recovered, rejected, text };
}

test("F07 a last line that was cut off anywhere is moved to the side file, and all lines before it are kept", async (t) => {
  const log = await grown(t);
  const bytes = Buffer.from(log.next);
  const cuts = Array.from({ length: 12 }, (_, index) => 1 + Math.floor((index * (bytes.length - 2)) / 11));
  let before = 0;
  for (const cut of cuts) {
    const seen = await mended(t, log, Buffer.concat([Buffer.from(log.text), bytes.subarray(0, cut)]));
    // Each round goes back to three events: those of the rounds before are no longer in the log.
    const { lost } = seen.verdict;
    assert.deepEqual([lost.length, { ...seen.verdict, lost: [] }], [before, FLAWLESS], `cut at ${cut}`);
    assert.ok(seen.kept && seen.reported.length > 0 && seen.rejected > before, `cut at ${cut}`);
    before += 1;
  }
});

test("F07 control: a collector that continues after a cut line loses the next event", async (t) => {
  const log = await grown(t, careless("naming"));
  const { verdict } = await mended(t, log, log.text + log.next.slice(0, 20));
  assert.notDeepEqual(verdict.lost, []);
  assert.notDeepEqual(verdict.torn, []);
});

for (const count of [1, 511, 4_096, 70_000]) {
  test(`F08 ${count} NUL bytes at the end are removed and reported`, async (t) => {
    const log = await grown(t);
    const seen = await mended(t, log, log.text + "\0".repeat(count));
    assert.deepEqual(seen.verdict, FLAWLESS);
    assert.deepEqual([seen.kept, seen.reported.length > 0, seen.text.includes("\0")], [true, true, false]);
  });
}

test("F09 a last line without a line end is an event, and the next event has its own line", async (t) => {
  const log = await grown(t);
  const seen = await mended(t, log, log.text + log.next);
  assert.deepEqual(seen.verdict, FLAWLESS);
  assert.deepEqual([seen.kept, seen.text.split("\n").length], [true, 6]);
  assert.ok(seen.text.includes(`${log.next}\n`), seen.text);
});

const MIDDLES = { words: "what is this\n", bytes: "\0\x01\x02ÿþ{\n", "half a line": '{"n":2,"c":0\n' };
for (const [name, middle] of Object.entries(MIDDLES)) {
  test(`F10 garbage in the middle (${name}) is reported, and the lines on both sides of it are kept`, async (t) => {
    const log = await grown(t);
    const [first = "", ...others] = log.text.split("\n");
    const seen = await mended(t, log, `${first}\n${middle}${others.join("\n")}`);
    const { torn, ...verdict } = seen.verdict;
    assert.deepEqual({ ...verdict, torn: [] }, FLAWLESS);
    assert.ok(torn.length <= 1 && seen.reported.length > 0, `${torn.join()}; ${seen.reported.join()}`);
  });
}
