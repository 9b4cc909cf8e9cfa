import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { JournalReader } from "skillctl";
import { nodePorts } from "skillctl/host";
import { effort } from "../../../../contract-tests/harness.ts";
import { body, BookHarness, EARLIER, FROM, SESSION, VISIBLE } from "../../tests/log-store-harness.ts";
import { select, selected, type Question } from "../read/selection.ts";
import { FileNames, readLog, rejectedCount } from "./log-files.ts";
import { markBefore } from "./log-lines.ts";

/** What a reader of the files says of a session. */
async function coldly(harness: BookHarness) {
  const { journals, files } = nodePorts();
  const ports = { journals, files };
  const names = new FileNames(harness.folder, SESSION);
  const segments = await readLog(ports, names, async ({ sources }) =>
    sources.map(({ number, end }) => [number, end > 0]),
  );
  return { segments, rejected: await rejectedCount(ports, names) };
}

describe("a log that is read without its server", () => {
  test("counts segments on after a purge, and what was rejected since, as its server does", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    for (const name of [1, 2, 3]) {
      await book.take(body(name), FROM);
      await book.clear({ purge: name === 3 });
    }
    await book.take(body(4), FROM);
    const large = { code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: Buffer.alloc(4096, "x") };
    for (let count = 0; count < 110; count += 1) await book.refuse(large);
    await harness.close(book);
    const again = await harness.open();
    const { segment, rejected } = again.facts();
    assert.deepEqual(await coldly(harness), { segments: [[segment, true]], rejected });
    assert.equal(rejected, 110);
  });

  test("does not show what was purged by a server that was killed before the files were gone", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    await book.take(body(1), FROM);
    await book.clear({ purge: true });
    await harness.close(book);
    harness.write(EARLIER(1), '{"n":1,"_seq":1}\n');
    assert.deepEqual((await coldly(harness)).segments, [[2, false]]);
  });
});

describe("the end of a log", () => {
  const anyLine = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("A", "B").map((hypothesisId) => ({ hypothesisId })) },
    { weight: 1, arbitrary: fc.constant("no event") },
    { weight: 1, arbitrary: fc.constant({ msg: "of another tool" }) },
    // Longer than what is read at once.
    { weight: 1, arbitrary: fc.constant({ msg: "x".repeat(300_000) }) },
  );
  const anySegments = fc.array(fc.array(anyLine, { maxLength: 12 }), { minLength: 1, maxLength: 3 });

  test("is the same whether it is read from there or from the beginning", async () => {
    const property = fc.asyncProperty(
      anySegments,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async (segments, count, isTorn) => {
        await using harness = new BookHarness();
        let seq = 0;
        for (const [at, lines] of segments.entries()) {
          const texts = lines.map((line) => {
            if (typeof line === "string") return `${line}\n`;
            return `${JSON.stringify("hypothesisId" in line ? { ...line, _seq: (seq += 1) } : line)}\n`;
          });
          const isVisible = at === segments.length - 1;
          harness.write(
            isVisible ? VISIBLE : EARLIER(at + 1),
            texts.join("") + (isVisible && isTorn ? '{"hypothesisId":' : ""),
          );
        }
        for (const asked of [{}, { hypothesisId: ["A"] }]) {
          const all = await answer(harness, asked);
          assert.deepEqual(await answer(harness, { ...asked, last: count }), all.slice(-count));
        }
      },
    );
    await fc.assert(property, { numRuns: effort(20, 300) });
  });

  test("is all that is read of a long one where enough fits there", async () => {
    await using harness = new BookHarness();
    const lines = Array.from({ length: 50_000 }, (_, at) => `{"hypothesisId":"A","_seq":${at + 1}}\n`);
    harness.write(VISIBLE, lines.join(""));
    let bytes = 0;
    const texts = await answer(harness, { last: 2 }, (read) => (bytes += read));
    assert.deepEqual(
      texts,
      lines.slice(-2).map((line) => line.trimEnd()),
    );
    assert.ok(bytes < 600_000, `${bytes} bytes`);
  });

  test("is looked for from a number on without reading what lies before it, by a server", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    for (let at = 0; at < 60; at += 1)
      await book.take(
        Buffer.from(JSON.stringify(Array.from({ length: 100 }, () => ({ msg: "y".repeat(200) })))),
        FROM,
      );
    const log = await book.read((paths) => paths);
    const { count, more } = await select(log.sources, { since: 5_990 });
    const [source] = log.sources;
    assert.deepEqual([count, more], [10, undefined]);
    assert.ok((markBefore(source?.marks ?? [], 5_990).offset ?? 0) > 1_000_000);
    await log.close();
  });

  /** The texts that answer a question. */
  async function answer(
    harness: BookHarness,
    asked: Question,
    counted: (bytes: number) => void = () => undefined,
  ): Promise<readonly string[]> {
    const { journals, files } = nodePorts();
    const names = new FileNames(harness.folder, SESSION);
    const texts = await readLog({ journals, files }, names, async ({ sources }) => {
      const watched = sources.map((source) => ({ ...source, reader: counting(source.reader, counted) }));
      const found: string[] = [];
      for await (const lines of selected(await select(watched, asked)))
        found.push(...lines.map(({ text }) => text));
      return found;
    });
    return texts ?? [];
  }
});

function counting(reader: JournalReader, counted: (bytes: number) => void): JournalReader {
  return {
    path: reader.path,
    bytes: reader.bytes,
    close: () => reader.close(),
    readAll: (places) => reader.readAll(places),
    read: (offset, length) => {
      counted(length);
      return reader.read(offset, length);
    },
  };
}
