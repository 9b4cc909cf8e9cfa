import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { nodePorts } from "skillctl/host";
import { body, BookHouse, EARLIER, FROM, VISIBLE } from "../tests/log-book-harness.ts";

const names = (house: BookHouse, file: string): readonly unknown[] =>
  house.rows(file).map((row) => row?.["n"]);

/** A house whose book has taken three events. */
async function begun(): Promise<{ house: BookHouse; book: Awaited<ReturnType<BookHouse["open"]>> }> {
  const house = new BookHouse();
  const book = await house.open();
  await book.take(body("a", "b"), FROM);
  await book.take(body("c"), FROM);
  return { house, book };
}

/** Until the book has noticed by itself. */
async function noticed(book: { facts: () => { findings: readonly string[] } }): Promise<void> {
  while (book.facts().findings.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a log with which somebody else has meddled", () => {
  test("is rescued when it was removed, and the next body is stored all the same", async () => {
    const { house, book } = await begun();
    await using _ = house;
    fs.rmSync(house.path(VISIBLE));
    const taken = await Promise.all([book.take(body("d"), FROM), book.take(body("e"), FROM)]);
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(house, VISIBLE), ["d", "e"]);
    assert.ok(taken.every(({ seq }) => seq > 3));
    assert.match(
      book.facts().findings.join(),
      /removed by somebody else; 3 events were rescued into segment 1\./,
    );
    assert.deepEqual(
      book.segments.map(({ index }) => index.events),
      [3, 2],
    );
  });

  test("is rescued without a body coming", async () => {
    const { house, book } = await begun();
    await using _ = house;
    fs.rmSync(house.path(VISIBLE));
    await noticed(book);
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(house, VISIBLE), []);
  });

  test("is rescued by a clear", async () => {
    const { house, book } = await begun();
    await using _ = house;
    fs.rmSync(house.path(VISIBLE));
    await book.clear({ purge: false });
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c"]);
  });

  test("is copied when it was given another name, which stays", async () => {
    const { house, book } = await begun();
    await using _ = house;
    fs.renameSync(house.path(VISIBLE), house.path("mine.ndjson"));
    await book.take(body("d"), FROM);
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(house, "mine.ndjson"), ["a", "b", "c"]);
    assert.deepEqual(names(house, VISIBLE), ["d"]);
  });

  test("keeps what another file in its place says beside it", async () => {
    const { house, book } = await begun();
    await using _ = house;
    house.write("other", '{"n":"other"}\n');
    fs.renameSync(house.path("other"), house.path(VISIBLE));
    await book.take(body("d"), FROM);
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(house, VISIBLE), ["d"]);
    assert.equal(house.read("svc-debug-aside-test-session.1.ndjson"), '{"n":"other"}\n');
    assert.match(book.facts().findings.join(), /kept as svc-debug-aside-test-session\.1\.ndjson/);
  });

  test("is not doubled when an editor saved it unchanged", async () => {
    const { house, book } = await begun();
    await using _ = house;
    house.write("saved", house.read(VISIBLE));
    fs.renameSync(house.path("saved"), house.path(VISIBLE));
    await book.take(body("d"), FROM);
    assert.deepEqual(
      house.names().filter((name) => !name.includes("rejected")),
      [EARLIER(1), VISIBLE],
    );
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c"]);
  });

  test("says how many events are gone when it was made shorter, and gets no hole", async () => {
    const { house, book } = await begun();
    await using _ = house;
    const [first = ""] = house.read(VISIBLE).split("\n");
    fs.truncateSync(house.path(VISIBLE), first.length + 10);
    await book.take(body("d"), FROM);
    assert.deepEqual(names(house, EARLIER(1)), ["a", undefined]);
    assert.deepEqual(names(house, VISIBLE), ["d"]);
    assert.match(
      book.facts().findings.join(),
      /made shorter by somebody else; 1 events were rescued into segment 1; 2 events are gone\./,
    );
    fs.truncateSync(house.path(VISIBLE), 0);
    await book.take(body("e"), FROM);
    assert.match(book.facts().findings.join(), /0 events were rescued.*; 1 events are gone/);
    assert.equal(house.read(VISIBLE).includes("\0"), false);
    assert.deepEqual(names(house, VISIBLE), ["e"]);
  });

  test("keeps a line that somebody else has added", async () => {
    const { house, book } = await begun();
    await using _ = house;
    fs.appendFileSync(house.path(VISIBLE), '{"n":"foreign"}\n');
    await book.take(body("d"), FROM);
    assert.deepEqual(names(house, EARLIER(1)), ["a", "b", "c", "foreign"]);
    assert.deepEqual(names(house, VISIBLE), ["d"]);
    assert.deepEqual(
      house.names().filter((name) => name.includes("aside")),
      [],
    );
  });

  test("keeps bytes of others that are no UTF-8, blank lines and a line without an end as they are", async () => {
    const { house, book } = await begun();
    await using _ = house;
    const added = Buffer.from('{"n":"caf\xe9"}\n\n\0\xff\n{"n":"end"}', "latin1");
    fs.appendFileSync(house.path(VISIBLE), added);
    const expected = Buffer.concat([fs.readFileSync(house.path(VISIBLE)), Buffer.from("\n")]);
    await book.take(body("d"), FROM);
    assert.equal(fs.readFileSync(house.path(EARLIER(1))).compare(expected), 0);
  });

  test("takes over many lines of others, and a very long one, without a commit for each", async () => {
    await using house = new BookHouse();
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
    const book = await house.open({}, { journals: { ...journals, open } });
    await book.take(body("a"), FROM);
    const foreign = `{"n":"b"}\n`.repeat(3_000) + `${"x".repeat(34 * 1024 * 1024)}\n`;
    fs.appendFileSync(house.path(VISIBLE), foreign);
    const bytes = fs.statSync(house.path(VISIBLE)).size;
    await book.take(body("c"), FROM);
    assert.equal(fs.statSync(house.path(EARLIER(1))).size, bytes);
    assert.ok(commits < 100, `${commits} commits`);
    assert.deepEqual(names(house, VISIBLE), ["c"]);
  });

  test("takes nothing more once its folder is another one", async () => {
    const { house, book } = await begun();
    await using _ = house;
    const elsewhere = new BookHouse();
    await using __ = elsewhere;
    fs.renameSync(house.folder, `${house.folder}-moved`);
    fs.symlinkSync(elsewhere.folder, house.folder);
    try {
      await assert.rejects(book.take(body("d"), FROM), { code: "STORAGE_UNSAFE" });
      await assert.rejects(book.clear({ purge: true }), { code: "STORAGE_UNSAFE" });
      assert.equal(book.facts().storage?.code, "STORAGE_UNSAFE");
    } finally {
      fs.unlinkSync(house.folder);
      fs.renameSync(`${house.folder}-moved`, house.folder);
    }
    await assert.rejects(book.take(body("d"), FROM), { code: "STORAGE_UNSAFE" });
    assert.deepEqual(elsewhere.names(), []);
    assert.deepEqual(names(house, VISIBLE), ["a", "b", "c"]);
  });

  test("and a side file that was removed is begun again", async () => {
    const { house, book } = await begun();
    await using _ = house;
    await book.take(Buffer.from("x"), FROM);
    fs.rmSync(house.path("svc-debug-rejected-test-session.ndjson"));
    await Promise.all([book.take(Buffer.from("y"), FROM), book.take(Buffer.from("z"), FROM)]);
    assert.deepEqual(
      house
        .rows("svc-debug-rejected-test-session.ndjson")
        .map((row) => String(row?.["text"]))
        .sort(),
      ["y", "z"],
    );
    assert.equal(book.facts().rejected, 3);
  });
});
