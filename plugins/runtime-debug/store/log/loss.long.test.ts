import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { nodePorts } from "skillctl/host";
import { body, BookHarness, EARLIER, FROM, VISIBLE } from "../../tests/log-store-harness.ts";

const names = (harness: BookHarness, file: string): readonly unknown[] =>
  harness.rows(file).map((row) => row?.["n"]);

/** A harness whose book has taken three events. */
async function begun(): Promise<{ harness: BookHarness; book: Awaited<ReturnType<BookHarness["open"]>> }> {
  const harness = new BookHarness();
  const book = await harness.open();
  await book.take(body("a", "b"), FROM);
  await book.take(body("c"), FROM);
  return { harness, book };
}

/** Until the book has noticed by itself. */
async function noticed(book: { facts: () => { findings: readonly string[] } }): Promise<void> {
  while (book.facts().findings.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a log with which somebody else has meddled", () => {
  test("is rescued when it was removed, and the next body is stored all the same", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.rmSync(harness.path(VISIBLE));
    const taken = await Promise.all([book.take(body("d"), FROM), book.take(body("e"), FROM)]);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(harness, VISIBLE), ["d", "e"]);
    assert.ok(taken.every(({ seq }) => seq > 3));
    assert.match(
      book.facts().findings.join(),
      /removed by somebody else; 3 events were rescued into segment 1\./,
    );
    assert.deepEqual(
      book.segments.map(({ facts }) => facts.events),
      [3, 2],
    );
  });

  test("is rescued without a body coming", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.rmSync(harness.path(VISIBLE));
    await noticed(book);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(harness, VISIBLE), []);
  });

  test("is rescued by a clear", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.rmSync(harness.path(VISIBLE));
    await book.clear({ purge: false });
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
  });

  test("is copied when it was given another name, which stays", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.renameSync(harness.path(VISIBLE), harness.path("mine.ndjson"));
    await book.take(body("d"), FROM);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(harness, "mine.ndjson"), ["a", "b", "c"]);
    assert.deepEqual(names(harness, VISIBLE), ["d"]);
  });

  test("keeps what another file in its place says beside it", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    harness.write("other", '{"n":"other"}\n');
    fs.renameSync(harness.path("other"), harness.path(VISIBLE));
    await book.take(body("d"), FROM);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(harness, VISIBLE), ["d"]);
    assert.equal(harness.read("svc-debug-aside-test-session.1.ndjson"), '{"n":"other"}\n');
    assert.match(book.facts().findings.join(), /kept as svc-debug-aside-test-session\.1\.ndjson/);
  });

  test("is not doubled when an editor saved it unchanged", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    harness.write("saved", harness.read(VISIBLE));
    fs.renameSync(harness.path("saved"), harness.path(VISIBLE));
    await book.take(body("d"), FROM);
    assert.deepEqual(
      harness.names().filter((name) => !name.includes("rejected")),
      [EARLIER(1), VISIBLE],
    );
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
  });

  test("says how many events are gone when it was made shorter, and gets no hole", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    const [first = ""] = harness.read(VISIBLE).split("\n");
    fs.truncateSync(harness.path(VISIBLE), first.length + 10);
    await book.take(body("d"), FROM);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", undefined]);
    assert.deepEqual(names(harness, VISIBLE), ["d"]);
    assert.match(
      book.facts().findings.join(),
      /made shorter by somebody else; 1 events were rescued into segment 1; 2 events are gone\./,
    );
    fs.truncateSync(harness.path(VISIBLE), 0);
    await book.take(body("e"), FROM);
    assert.match(book.facts().findings.join(), /0 events were rescued.*; 1 events are gone/);
    assert.equal(harness.read(VISIBLE).includes("\0"), false);
    assert.deepEqual(names(harness, VISIBLE), ["e"]);
  });

  test("keeps a line that somebody else has added", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.appendFileSync(harness.path(VISIBLE), '{"n":"foreign"}\n');
    await book.take(body("d"), FROM);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c", "foreign"]);
    assert.deepEqual(names(harness, VISIBLE), ["d"]);
    assert.deepEqual(
      harness.names().filter((name) => name.includes("aside")),
      [],
    );
  });

  test("keeps bytes of others that are no UTF-8, blank lines and a line without an end as they are", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    const added = Buffer.from('{"n":"caf\xe9"}\n\n\0\xff\n{"n":"end"}', "latin1");
    fs.appendFileSync(harness.path(VISIBLE), added);
    const expected = Buffer.concat([fs.readFileSync(harness.path(VISIBLE)), Buffer.from("\n")]);
    await book.take(body("d"), FROM);
    assert.equal(fs.readFileSync(harness.path(EARLIER(1))).compare(expected), 0);
  });

  test("takes over many lines of others, and a very long one, without a commit for each", async () => {
    await using harness = new BookHarness();
    const { journals } = nodePorts();
    let commits = 0;
    const open: typeof journals.open = async (path, options) => {
      const journal = await journals.open(path, options);
      if (!path.endsWith(".new")) return journal;
      const append: typeof journal.append = (lines) => {
        commits += 1;
        return journal.append(lines);
      };
      return new Proxy(journal, {
        get: (target, name) => {
          const value: unknown = name === "append" ? append : Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    };
    const book = await harness.open({}, { journals: { ...journals, open } });
    await book.take(body("a"), FROM);
    const foreign = `{"n":"b"}\n`.repeat(3_000) + `${"x".repeat(34 * 1024 * 1024)}\n`;
    fs.appendFileSync(harness.path(VISIBLE), foreign);
    const bytes = fs.statSync(harness.path(VISIBLE)).size;
    await book.take(body("c"), FROM);
    assert.equal(fs.statSync(harness.path(EARLIER(1))).size, bytes);
    assert.ok(commits < 100, `${commits} commits`);
    assert.deepEqual(names(harness, VISIBLE), ["c"]);
  });

  test("takes nothing more once its folder is another one", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    const elsewhere = new BookHarness();
    await using __ = elsewhere;
    fs.renameSync(harness.folder, `${harness.folder}-moved`);
    fs.symlinkSync(elsewhere.folder, harness.folder);
    try {
      await assert.rejects(book.take(body("d"), FROM), { code: "STORAGE_UNSAFE" });
      await assert.rejects(book.clear({ purge: true }), { code: "STORAGE_UNSAFE" });
      assert.equal(book.facts().storage?.code, "STORAGE_UNSAFE");
    } finally {
      fs.unlinkSync(harness.folder);
      fs.renameSync(`${harness.folder}-moved`, harness.folder);
    }
    await assert.rejects(book.take(body("d"), FROM), { code: "STORAGE_UNSAFE" });
    assert.deepEqual(elsewhere.names(), []);
    assert.deepEqual(names(harness, VISIBLE), ["a", "b", "c"]);
  });

  test("and a side file that was removed is begun again", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    await book.take(Buffer.from("x"), FROM);
    fs.rmSync(harness.path("svc-debug-rejected-test-session.ndjson"));
    await Promise.all([book.take(Buffer.from("y"), FROM), book.take(Buffer.from("z"), FROM)]);
    assert.deepEqual(
      harness
        .rows("svc-debug-rejected-test-session.ndjson")
        .map((row) => String(row?.["text"]))
        .sort(),
      ["y", "z"],
    );
    assert.equal(book.facts().rejected, 3);
  });
});
