import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { nodePorts } from "skillctl/host";
import { effort } from "../../../../contract-tests/harness.ts";
import { body, BookHarness, EARLIER, FROM, SESSION, VISIBLE } from "../../tests/log-store-harness.ts";
import { select, selected, type Question } from "../read/selection.ts";
import { FileNames, readLog, rejectedCount } from "./log-files.ts";

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
    const large = { code: "BODY_TOO_LARGE", sentence: "Too large." };
    for (let count = 0; count < 110; count += 1) await book.refuse(large, Buffer.alloc(4096, "x"));
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

  /** The texts that answer a question. */
  async function answer(harness: BookHarness, asked: Question): Promise<readonly string[]> {
    const { journals, files } = nodePorts();
    const names = new FileNames(harness.folder, SESSION);
    const texts = await readLog({ journals, files }, names, async ({ sources }) => {
      const found: string[] = [];
      for await (const lines of selected(await select(sources, asked)))
        found.push(...lines.map(({ text }) => text));
      return found;
    });
    return texts ?? [];
  }
});
