import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { nodePorts } from "skillctl/host";
import { effort } from "../../../../contract-tests/effort.ts";
import { body, BookHarness, EARLIER, FROM, SESSION, VISIBLE } from "../../tests/log-book-harness.ts";
import { FileNames } from "../log/file-names.ts";
import { readLog, rejectedCount } from "./cold-log.ts";
import { select, type Question } from "./selection.ts";

/** What a reader of the files says of a session. */
async function coldly(harness: BookHarness) {
  const { journals, files } = nodePorts();
  const ports = { journals, files };
  const names = new FileNames(harness.folder, SESSION);
  const segments = await readLog(ports, names, async ({ sources }) =>
    sources.map(({ number, view }) => [number, view.lines]),
  );
  return { segments, rejected: await rejectedCount(ports, names) };
}

describe("a log that is read without its server", () => {
  test("counts segments on after a purge, and what was rejected without being kept, as its server does", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    for (const name of [1, 2, 3]) {
      await book.take(body(name), FROM);
      await book.clear({ purge: name === 3 });
    }
    await book.take(body(4), FROM);
    const large = { code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: Buffer.alloc(4096, "x") };
    for (let count = 0; count < 1_100; count += 1) await book.refuse(large);
    await harness.close(book);
    const again = await harness.open();
    const { segment, rejected } = again.facts();
    assert.deepEqual(await coldly(harness), { segments: [[segment, 1]], rejected });
    assert.equal(rejected, 1_100);
  });

  test("does not show what was purged by a server that was killed before the files were gone", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    await book.take(body(1), FROM);
    await book.clear({ purge: true });
    await harness.close(book);
    harness.write(EARLIER(1), '{"n":1,"_seq":1}\n');
    assert.deepEqual((await coldly(harness)).segments, [[2, 0]]);
  });
});

describe("the end of a log", () => {
  /** The numbers of the last so many events, out of the last so many bytes; `undefined` where that does not tell. */
  async function last(harness: BookHarness, asked: Question, lastBytes: number) {
    const { journals, files } = nodePorts();
    const names = new FileNames(harness.folder, SESSION);
    return readLog(
      { journals, files },
      names,
      async ({ sources, isWhole }) => {
        const { parts, isFull } = await select(sources, asked);
        const told = parts.flatMap(({ source, places }) => places.map(({ seq }) => [source.number, seq]));
        return isWhole || isFull ? told : undefined;
      },
      { lastBytes },
    );
  }

  const anyLine = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("A", "B").map((hypothesisId) => ({ hypothesisId })) },
    { weight: 1, arbitrary: fc.constant("no event") },
    { weight: 1, arbitrary: fc.constant({ msg: "of another tool" }) },
  );
  const anySegments = fc.array(fc.array(anyLine, { maxLength: 12 }), { minLength: 1, maxLength: 3 });

  test("tells the same as all of it, or says that it does not tell", async () => {
    const property = fc.asyncProperty(
      anySegments,
      fc.integer({ min: 1, max: 4 }),
      fc.nat(900),
      async (segments, count, bytes) => {
        await using harness = new BookHarness();
        let seq = 0;
        for (const [at, lines] of segments.entries()) {
          const texts = lines.map((line) => {
            if (typeof line === "string") return `${line}\n`;
            return `${JSON.stringify("msg" in line ? line : { ...line, _seq: (seq += 1) })}\n`;
          });
          harness.write(at === segments.length - 1 ? VISIBLE : EARLIER(at + 1), texts.join(""));
        }
        for (const asked of [{ last: count }, { last: count, hypothesisId: ["A"] }]) {
          const question = { ...asked, segment: "all" };
          const told = await last(harness, question, bytes);
          if (told) assert.deepEqual(told, await last(harness, question, Infinity));
        }
      },
    );
    await fc.assert(property, { numRuns: effort(40, 600) });
  });

  test("is all that is read of a long one where enough fits there", async () => {
    await using harness = new BookHarness();
    const lines = Array.from({ length: 5_000 }, (_, at) => `{"hypothesisId":"A","_seq":${at + 1}}\n`);
    harness.write(VISIBLE, lines.join(""));
    assert.deepEqual(await last(harness, { last: 2 }, 4_096), [
      [1, 4_999],
      [1, 5_000],
    ]);
    assert.equal(await last(harness, { last: 200 }, 4_096), undefined);
    fs.appendFileSync(harness.path(VISIBLE), '{"hypothesisId":');
    assert.deepEqual(await last(harness, { last: 1 }, 4_096), [[1, 5_000]]);
  });
});
