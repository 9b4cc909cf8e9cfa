import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { nodePorts } from "skillctl/host";
import { body, BookHarness, EARLIER, FROM, VISIBLE } from "../../tests/log-store-harness.ts";
import type { Gap } from "./log-lines.ts";
import type { LogStore } from "./log-store.ts";
import type { OpenLog } from "./log-files.ts";
import { selected } from "../read/selection.ts";
import { EventFilter } from "../read/event-filter.ts";

const MAX = 64 * 1024;

type Row = Readonly<Record<string, unknown>> | undefined;

function gaps(rows: readonly Row[]): readonly Gap[] {
  return rows.flatMap((row) => (row?.["_gap"] ? [row["_gap"] as Gap] : []));
}

/** Every number from 1 to the last is in the file once, or in the gap. */
function assertComplete(rows: readonly Row[], last: number): void {
  const seqs = rows.flatMap((row) => (row?.["_gap"] ? [] : [Number(row?.["_seq"])]));
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(seqs).size, seqs.length);
  assert.equal(seqs.length + gaps(rows).reduce((sum, { events }) => sum + events, 0), last);
  assert.equal(seqs.at(-1), last);
}

/** The numbers of all events that are read from an open log. */
async function numbersOf(log: OpenLog): Promise<readonly number[]> {
  const filter = new EventFilter({});
  const seqs: number[] = [];
  for await (const lines of selected({ sources: log.sources, filter, from: undefined, to: undefined }))
    seqs.push(...lines.flatMap(({ event, seq }) => (event ? [seq] : [])));
  return seqs;
}

/** @throws what the first one threw that was not taken, once all are settled */
async function fill(book: LogStore, events: number): Promise<void> {
  for (let done = 0; done < events; done += 10) {
    const taking = Array.from({ length: 10 }, (_, n) => book.take(body(done + n), FROM));
    await Promise.allSettled(taking);
    await Promise.all(taking);
  }
}

describe("a log that would become too large", () => {
  test("keeps its beginning and its end, and counts what is left out between them", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ maxBytes: MAX });
    await fill(book, 3000);
    assert.ok(harness.read(VISIBLE).length <= MAX);
    // Which waits for a compaction that is still under way.
    await harness.close(book);
    const rows = harness.rows(VISIBLE);
    assertComplete(rows, 3000);
    const [gap, ...others] = gaps(rows);
    assert.deepEqual(others, []);
    assert.equal(rows[0]?.["_seq"], 1);
    const at = rows.findIndex((row) => row?.["_gap"]);
    assert.equal(gap?.fromSeq, Number(rows[at - 1]?.["_seq"]) + 1);
    assert.equal(gap?.toSeq, Number(rows[at + 1]?.["_seq"]) - 1);
    assert.equal(book.facts().dropped, gap?.events);
    assert.equal(book.facts().events, rows.length - 1);
    const again = await harness.open({ maxBytes: MAX });
    assert.equal(again.facts().dropped, gap?.events);
    assert.equal((await again.take(body("next"), FROM)).seq, 3001);
  });

  test("is read to its end by who began before, and holds nothing open that was replaced", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ maxBytes: MAX });
    await fill(book, 300);
    await book.clear({ purge: false });
    await fill(book, 10);
    const before = await book.read((paths) => paths);
    await fill(book, 1000);
    await book.clear({ purge: false });
    const numbers = await numbersOf(before);
    await before.close();
    assert.deepEqual(
      numbers,
      Array.from({ length: 310 }, (_, at) => at + 1),
    );
    if (process.platform === "linux") {
      const open = fs.readdirSync("/proc/self/fd").map((fd) => linkOf(`/proc/self/fd/${fd}`));
      assert.deepEqual(
        open.filter((path) => path.startsWith(harness.folder) && path.endsWith("(deleted)")),
        [],
      );
    }
  });

  test("lets earlier segments give way first, the largest one by half", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ maxBytes: MAX });
    await fill(book, 300);
    await book.clear({ purge: false });
    await fill(book, 100);
    await book.clear({ purge: false });
    await fill(book, 1000);
    await harness.close(book);
    const sizes = harness
      .names()
      .filter((name) => name.includes("-log-"))
      .map((name) => harness.read(name).length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= MAX, sizes.join());
    assertComplete(harness.rows(EARLIER(1)), 300);
    assert.equal(gaps(harness.rows(EARLIER(1))).length, 1);
    assert.equal(gaps(harness.rows(EARLIER(2))).length, 0);
    const live = book.segments.reduce((sum, { facts }) => sum + facts.events + facts.dropped, 0);
    assert.equal(live, 1400);
  });

  test("of a few huge events keeps them all", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ maxBytes: 4096 });
    for (let n = 0; n < 4; n += 1) {
      const huge = { n, parts: Array.from({ length: 5 }, () => "x".repeat(2000)) };
      await book.take(Buffer.from(JSON.stringify(huge)), FROM);
    }
    assertComplete(harness.rows(VISIBLE), 4);
  });

  test("answers that the disk is full when no copy can be made, and goes on when one can", async () => {
    await using harness = new BookHarness();
    const { journals } = nodePorts();
    let full = true;
    const failing: typeof journals = {
      ...journals,
      open: async (path, options) => {
        const journal = await journals.open(path, options);
        if (!full || !path.endsWith(".new")) return journal;
        await journal.close();
        return journal;
      },
    };
    const book = await harness.open({ maxBytes: MAX }, { journals: failing });
    await assert.rejects(fill(book, 3000), { code: "STORAGE_FAILED" });
    await assert.rejects(book.take(body("refused"), FROM), { code: "STORAGE_FAILED" });
    const stored = harness.rows(VISIBLE).length;
    assert.ok(harness.read(VISIBLE).length >= MAX);
    assert.equal(book.facts().storage?.code, "STORAGE_FAILED");
    full = false;
    await book.take(body("next"), FROM);
    const rows = harness.rows(VISIBLE);
    assert.equal(gaps(rows).length, 1);
    assert.equal(rows.length - 1 + (gaps(rows)[0]?.events ?? 0), stored + 1);
    assert.equal(book.facts().storage, undefined);
    assert.deepEqual(
      harness.names().filter((name) => name.endsWith(".new")),
      [],
    );
  });
});

/** Where a descriptor leads; nowhere when it was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch {
    return "";
  }
}
