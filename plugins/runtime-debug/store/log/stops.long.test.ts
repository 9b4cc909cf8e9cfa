import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { body, BookHarness, EARLIER, FROM, REJECTED, VISIBLE } from "../../tests/log-store-harness.ts";
import { StoppingPorts } from "../../tests/log-store-stops.ts";
import type { Gap } from "./log-lines.ts";
import type { LogStore } from "./log-store.ts";

const MAX_BYTES = 16 * 1024;
const LINE = '{"n":"old","_seq":7,"_at":1,"_run":"pre-fix"}\n';

/** What a log holds: names in order, and how many were left out. */
interface Content {
  readonly names: readonly string[];
  readonly leftOut: number;
  readonly rejected: number;
}

interface Case {
  /** Puts into the folder what there is before. */
  readonly begin: (harness: BookHarness) => Promise<unknown> | void;
  /** Done with a book whose process may end at any of its changes. Default: it is opened, no more. */
  readonly act?: (book: LogStore, harness: BookHarness) => Promise<unknown>;
  /** What may be there afterwards, of what `begin` and `act` have put there. */
  readonly check: (content: Content, reached: Reached) => void;
}

/** How far it came: the book was not open, `act` had begun, everything was answered. */
type Reached = "opening" | "acting" | "answered";

async function filled(harness: BookHarness, events = 30): Promise<void> {
  const book = await harness.open({ maxBytes: MAX_BYTES });
  for (let n = 1; n <= events; n += 1) await book.take(body(n), FROM);
  await harness.close(book);
}

function content(harness: BookHarness, book: LogStore): Content {
  const rows = book.segments.flatMap(({ path }) => harness.rows(path.slice(harness.folder.length + 1)));
  const leftOut = rows.reduce((sum, row) => sum + ((row?.["_gap"] as Gap | undefined)?.events ?? 0), 0);
  const names = rows.filter((row) => !row?.["_gap"]).map((row) => String(row?.["n"]));
  assert.equal(book.facts().dropped, leftOut);
  return { names, leftOut, rejected: book.facts().rejected };
}

function numbers(to: number): readonly string[] {
  return Array.from({ length: to }, (_, at) => String(at + 1));
}

const holds =
  (events: number, rejected = 0) =>
  (content: Content): void =>
    assert.deepEqual(content, { names: numbers(events), leftOut: 0, rejected });

/** All are there once, in order, or are counted as left out. */
const holdsOrCounts =
  (events: number) =>
  ({ names, leftOut }: Content): void => {
    assert.deepEqual(
      names,
      numbers(events).filter((name) => names.includes(name)),
    );
    assert.equal(names.length + leftOut, events);
  };

const CASES: Readonly<Record<string, Case>> = {
  "the mending of a torn line": {
    begin: async (harness) => {
      await filled(harness, 3);
      fs.appendFileSync(harness.path(VISIBLE), '{"n":4,"hypo');
    },
    check: holds(3, 1),
  },
  "the mending of a line without an end": {
    begin: async (harness) => {
      await filled(harness, 3);
      fs.truncateSync(harness.path(VISIBLE), harness.read(VISIBLE).length - 1);
    },
    check: holds(3),
  },
  "the completion of a purge": {
    begin: (harness) => {
      harness.write(REJECTED, '{"_at":1,"reason":"purged","seq":9,"segment":3}\n');
      for (const name of [EARLIER(1), EARLIER(2)]) harness.write(name, LINE);
    },
    check: holds(0),
  },
  "the completion of a rescue": {
    begin: async (harness) => {
      await filled(harness, 3);
      fs.renameSync(harness.path(VISIBLE), harness.path("svc-debug-aside-test-session.1.ndjson"));
      harness.write(`${EARLIER(1)}.new`, LINE);
    },
    check: holds(3),
  },
  "a clear": {
    begin: (harness) => filled(harness, 3),
    act: (book) => book.clear({ purge: false }),
    check: holds(3),
  },
  "a purge": {
    begin: async (harness) => {
      const book = await harness.open();
      for (const part of [body(1), body(2), Buffer.from("no event")]) {
        await book.take(part, FROM);
        await book.clear({ purge: false });
      }
      await book.take(body(3), FROM);
      await harness.close(book);
    },
    act: (book) => book.clear({ purge: true }),
    check: (content) => (content.names.length > 0 ? holds(3, 1) : holds(0))(content),
  },
  "a compaction": {
    begin: (harness) => filled(harness),
    act: async (book) => {
      for (let n = 31; n <= 100; n += 1) await book.take(body(n), FROM);
    },
    check: ({ names, ...others }) => holdsOrCounts(Number(names.at(-1)))({ names, ...others }),
  },
  "the rescue of a log that is gone": {
    begin: (harness) => filled(harness, 3),
    act: (book, harness) => {
      fs.rmSync(harness.path(VISIBLE));
      return book.take(body(4), FROM);
    },
    // Nobody has the file any more when its process ends: what was not copied by then is gone.
    check: ({ names, leftOut }, reached) => {
      const gone = reached === "acting" && names.length < 3;
      assert.deepEqual(names, gone ? [] : numbers(reached === "answered" ? 4 : Math.max(3, names.length)));
      assert.equal(leftOut, 0);
    },
  },
  "the rescue of a log that has grown": {
    begin: (harness) => filled(harness, 3),
    act: (book, harness) => {
      fs.appendFileSync(harness.path(VISIBLE), '{"n":"4"}\n');
      return book.take(body(5), FROM);
    },
    check: ({ names }, reached) => {
      const least = { opening: 3, acting: 4, answered: 5 }[reached];
      assert.deepEqual(names, numbers(Math.max(least, names.length)));
    },
  },
};

/** Ends the process at a change, and starts again; false when it came to its end before. */
async function stoppedAt(left: number, { begin, act, check }: Case): Promise<boolean> {
  await using harness = new BookHarness();
  await begin(harness);
  const stopping = new StoppingPorts(left);
  let reached: Reached = "opening";
  try {
    const book = await harness.open({ maxBytes: MAX_BYTES }, stopping.ports);
    reached = "acting";
    await act?.(book, harness);
    reached = "answered";
  } catch (caught) {
    assert.equal((caught as { code?: unknown }).code, "STORAGE_FAILED");
  }
  await harness.abandon();
  await stopping.close();
  assert.ok(reached === "answered" || stopping.stopped);
  const book = await harness.open({ maxBytes: 1e6 });
  const found = content(harness, book);
  try {
    check(found, reached);
    await harness.close(book);
    const again = await harness.open({ maxBytes: 1e6 });
    assert.deepEqual(content(harness, again), found);
    assert.deepEqual(again.facts().findings, []);
    assert.deepEqual(
      harness.names().filter((name) => name.endsWith(".new")),
      [],
    );
  } catch (caught) {
    throw new Error(`stopped at change ${left + 1}`, { cause: caught });
  }
  return stopping.stopped;
}

describe("a process that ends at any change of a file", () => {
  for (const [name, one] of Object.entries(CASES)) {
    test(`in ${name} leaves what the next start makes whole`, async () => {
      let left = 0;
      while (await stoppedAt(left, one)) left += 1;
      assert.ok(left > 1);
    });
  }
});
