import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import type { Journal, Journals } from "skillctl";
import { nodePorts } from "skillctl/host";
import { body, BookHarness, EARLIER, FROM, REJECTED, VISIBLE } from "../../tests/log-store-harness.ts";

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Journals whose visible log is looked at in another way. */
function lookedAt(verify: (journal: Journal) => Promise<void>): Journals {
  const { journals } = nodePorts();
  return {
    ...journals,
    open: async (path, options) => {
      const journal = await journals.open(path, options);
      if (!path.endsWith(VISIBLE)) return journal;
      return new Proxy(journal, {
        get: (target, name) => {
          if (name === "verify") return () => verify(target);
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
}

describe("a log that is looked at while nothing comes in", () => {
  test("is well again when what was wrong is over, without a body coming", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    await book.take(body(1), FROM);
    harness.write(EARLIER(1), "in the way\n");
    fs.rmSync(harness.path(VISIBLE));
    await until(() => book.facts().storage !== undefined);
    fs.rmSync(harness.path(EARLIER(1)));
    await until(() => book.facts().storage === undefined);
    assert.deepEqual(
      harness.rows(EARLIER(1)).map((row) => row?.["n"]),
      [1],
    );
    assert.equal(book.facts().segment, 2);
  });

  test("is not well as long as nothing is written any more", async () => {
    await using harness = new BookHarness();
    let looks = 0;
    const journals = lookedAt(async (journal) => {
      looks += 1;
      await journal.verify();
    });
    const book = await harness.open({}, { journals });
    await book.take(body(1), FROM);
    fs.rmSync(harness.path(VISIBLE));
    fs.mkdirSync(harness.path(VISIBLE));
    await until(() => book.facts().storage !== undefined);
    fs.rmdirSync(harness.path(VISIBLE));
    // Two looks of another log come after two of this one.
    await using other = new BookHarness();
    await other.open({}, { journals });
    const before = looks;
    await until(() => looks >= before + 2);
    assert.equal(book.facts().storage?.code, "STORAGE_UNSAFE");
  });

  test("does not pile up looks on a disk that hangs", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    await using harness = new BookHarness();
    let looks = 0;
    let goOn = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (goOn = resolve));
    const journals = lookedAt(async () => {
      looks += 1;
      await hanging;
    });
    const book = await harness.open({}, { journals });
    for (let at = 0; at < 50; at += 1) t.mock.timers.tick(400);
    goOn();
    // It comes after all looks.
    await book.clear({ purge: false });
    assert.equal(looks, 2);
  });

  test("closes its side file even when the rest could not be closed", async () => {
    await using harness = new BookHarness();
    let closed = false;
    const { journals } = nodePorts();
    const open: Journals["open"] = async (path, options) => {
      const journal = await journals.open(path, options);
      const close = async (): Promise<void> => {
        await journal.close();
        if (path.endsWith(VISIBLE)) throw new Error("The disk is gone.");
        if (path.endsWith(REJECTED)) closed = true;
      };
      return new Proxy(journal, {
        get: (target, name) => {
          const value: unknown = name === "close" ? close : Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    };
    const book = await harness.open({}, { journals: { ...journals, open } });
    await assert.rejects(harness.close(book), /The disk is gone/);
    assert.equal(closed, true);
  });
});
