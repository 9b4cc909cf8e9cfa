import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { SkillError, type Journals } from "skillctl";
import { nodePorts } from "skillctl/host";
import { BookHarness, FROM, REJECTED, VISIBLE } from "../../tests/log-book-harness.ts";

const BYTES = Buffer.alloc(4096, "x");
/** More than find room. */
const MANY = 1_300;

describe("a side file that is full", () => {
  test("counts what finds no room, over restarts", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    const refuse = (): Promise<void> =>
      book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
    for (let count = 0; count < MANY; count += 1) await refuse();
    assert.equal(book.facts().rejected, MANY);
    const full = harness.read(REJECTED).length;
    assert.ok(full < 4.1 * 1024 * 1024 && harness.rows(REJECTED).length < MANY, `${full}`);
    await harness.close(book);
    for (let start = 0; start < 3; start += 1) {
      const again = await harness.open();
      assert.equal(again.facts().rejected, MANY + start);
      await again.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
      await harness.close(again);
    }
    assert.ok(harness.read(REJECTED).length < full + 1_000);
  });

  test("has told nearly all of them when its process is killed", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    const refuse = (): Promise<void> =>
      book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
    for (let count = 0; count < MANY; count += 1) await refuse();
    const lines = (): number => harness.rows(REJECTED).filter((row) => "more" in (row ?? {})).length;
    while (lines() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await using copy = new BookHarness(harness);
    const again = await copy.open();
    assert.equal(again.facts().rejected, MANY);
  });
});

describe("a side file that cannot be written", () => {
  /** Lines of a followed file: good ones around a bad one. */
  const MIXED = Buffer.from('{"n":1}\nnonsense\n{"n":2}\n');
  const FILE = { source: "file" } as const;

  test("does not keep the good lines of a followed file out of the log", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    fs.rmSync(harness.path(REJECTED));
    fs.mkdirSync(harness.path(REJECTED));
    const { accepted, rejected } = await book.take(MIXED, FILE);
    assert.deepEqual([accepted, rejected.length, harness.rows(VISIBLE).length], [2, 1, 2]);
    assert.equal(book.facts().rejected, 1);
    assert.match(book.facts().findings.join(), /What is rejected is counted, but not kept: .*rejected/);
    await assert.rejects(book.take(Buffer.from("nonsense"), FROM), { code: "STORAGE_UNSAFE" });
    fs.rmdirSync(harness.path(REJECTED));
    await book.take(MIXED, FILE);
    assert.deepEqual(
      harness.rows(REJECTED).map((row) => row?.["text"]),
      ["nonsense\n"],
    );
  });

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
