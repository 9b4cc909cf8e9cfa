import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { SkillError, type Journals } from "skillctl";
import { nodePorts } from "skillctl/host";
import { BookHarness, REJECTED, VISIBLE } from "../../tests/log-store-harness.ts";

const BYTES = Buffer.alloc(4096, "x");
/** More than find room. */
const MANY = 1_300;

describe("a side file that is full", () => {
  test("counts what finds no room, as long as the process runs", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    const refuse = (): Promise<void> =>
      book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
    for (let count = 0; count < MANY; count += 1) await refuse();
    assert.equal(book.facts().rejected, MANY);
    const full = harness.read(REJECTED).length;
    const kept = harness.rows(REJECTED).length;
    assert.ok(full < 4.1 * 1024 * 1024 && kept < MANY, `${full}`);
    await harness.close(book);
    const again = await harness.open();
    assert.equal(again.facts().rejected, kept);
    await again.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
    assert.deepEqual([again.facts().rejected, harness.read(REJECTED).length], [kept + 1, full]);
  });
});

describe("a side file that cannot be written", () => {
  /** Lines of a followed file: good ones around a bad one. */
  const MIXED = Buffer.from('{"n":1}\nnonsense\n{"n":2}\n');
  const FILE = { source: "file" } as const;

  test("does not hide that the log could not be written either", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    for (const name of [REJECTED, VISIBLE]) {
      fs.rmSync(harness.path(name));
      fs.mkdirSync(harness.path(name));
    }
    await assert.rejects(book.take(MIXED, FILE), { code: "STORAGE_UNSAFE" });
    assert.equal(book.facts().storage?.code, "STORAGE_UNSAFE");
  });

  test("after a purge that went wrong half-way is tried again by the next body", async () => {
    await using harness = new BookHarness();
    const { journals } = nodePorts();
    let isFull = false;
    const open: Journals["open"] = (path, options) =>
      isFull && path.endsWith(REJECTED)
        ? Promise.reject(new SkillError("FILE_UNWRITABLE", "Too many files are open.", { hint: "Wait." }))
        : journals.open(path, options);
    const book = await harness.open({}, { journals: { ...journals, open } });
    await book.take(MIXED, FILE);
    isFull = true;
    await book.clear({ purge: true }).catch(() => undefined);
    isFull = false;
    const { accepted, rejected } = await book.take(MIXED, FILE);
    assert.deepEqual([accepted, rejected.length], [2, 1]);
    assert.equal(harness.rows(REJECTED).filter((row) => row?.["text"] === "nonsense\n").length, 1);
    assert.deepEqual(book.facts().findings, []);
  });
});
