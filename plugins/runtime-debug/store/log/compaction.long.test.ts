import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nodePorts } from "skillctl/host";
import { body, BookHarness, EARLIER, FROM, VISIBLE } from "../../tests/log-book-harness.ts";
import { lineAt } from "./file-scan.ts";
import type { Gap } from "./gap-line.ts";
import { objectOf } from "./line-text.ts";
import type { LogBook } from "./log-book.ts";

const MAX = 64 * 1024;
/** From here on room is made. */
const SOFT = (MAX * 7) / 8;

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

/** What the indexes say is where they say it is. */
async function assertReadable(book: LogBook): Promise<void> {
  for (const { reader, index } of book.segments) {
    const view = index.view();
    for (let line = 0; line < view.lines; line += 1) {
      const { offset, seq } = view.placeAt(line);
      const row = objectOf((await lineAt(reader, offset, 4096)).toString());
      assert.equal(row?.["_seq"] ?? seq, seq);
      assert.notEqual(row, undefined);
    }
  }
}

/** @throws what the first one threw that was not taken, once all are settled */
async function fill(book: LogBook, events: number): Promise<void> {
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
    assert.deepEqual(gap?.counts, [["A", "pre-fix", "", "m", gap?.events]]);
    const at = rows.findIndex((row) => row?.["_gap"]);
    assert.equal(gap?.fromSeq, Number(rows[at - 1]?.["_seq"]) + 1);
    assert.equal(gap?.toSeq, Number(rows[at + 1]?.["_seq"]) - 1);
    assert.equal(book.facts().dropped, gap?.events);
    assert.equal(book.facts().events, rows.length - 1);
    const again = await harness.open({ maxBytes: MAX });
    assert.equal(again.facts().dropped, gap?.events);
    assert.equal((await again.take(body("next"), FROM)).seq, 3001);
  });

  test("is read to its end by who began before, and by its index after", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ maxBytes: MAX });
    await fill(book, 300);
    const before = book.segments.at(-1);
    const content = harness.read(VISIBLE);
    await fill(book, 500);
    const old = Buffer.from((await before?.reader.read(0, content.length)) ?? []);
    assert.equal(old.toString(), content);
    await harness.close(book);
    const view = book.segments.at(-1)?.index.view();
    const rows = harness.rows(VISIBLE);
    assert.equal(view?.lines, rows.length);
    assert.equal(view?.end, Buffer.byteLength(harness.read(VISIBLE)));
  });

  test("is read rightly at the moment in which the shorter file takes its place", async () => {
    await using harness = new BookHarness();
    const { journals } = nodePorts();
    let looks = 0;
    const look = async (): Promise<void> => {
      if (!isOpen) return;
      looks += 1;
      await assertReadable(book);
    };
    const watched: typeof journals = {
      ...journals,
      open: async (path, options) => {
        const journal = await journals.open(path, options);
        if (path === harness.path(VISIBLE)) await look();
        return journal;
      },
      replace: async (from, to) => {
        await journals.replace(from, to);
        await look();
      },
    };
    let isOpen = false;
    const book = await harness.open({ maxBytes: MAX }, { journals: watched });
    isOpen = true;
    await fill(book, 300);
    await book.clear({ purge: false });
    await fill(book, 1000);
    isOpen = false;
    assert.ok(looks > 3, `${looks}`);
  });

  test("goes on taking events while it is copied, as far as that has come", async () => {
    await using harness = new BookHarness();
    const { journals } = nodePorts();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow: typeof journals = {
      ...journals,
      open: async (path, options) => {
        if (path.endsWith(".new")) await released;
        return journals.open(path, options);
      },
    };
    const book = await harness.open({ maxBytes: MAX }, { journals: slow });
    const taking: Promise<unknown>[] = [];
    for (let n = 0; n < 1000; n += 1) {
      taking.push(book.take(body(n), FROM));
      if (n % 5 === 0) await new Promise(setImmediate);
    }
    assert.ok(harness.read(VISIBLE).length > SOFT);
    assert.ok(harness.read(VISIBLE).length < SOFT + (MAX - SOFT) / 4);
    release();
    await Promise.all(taking);
    await harness.close(book);
    assertComplete(harness.rows(VISIBLE), 1000);
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
    const live = book.segments.reduce((sum, { index }) => sum + index.events + index.dropped, 0);
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
