import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nodePorts } from "skillctl/host";
import { memoryLog } from "skillctl/testing";
import { body, BookHarness, EARLIER, FROM, SESSION } from "../../tests/log-book-harness.ts";
import { FileNames } from "../log/file-names.ts";
import { openCold, rejectedCount } from "./cold-log.ts";

/** What a reader of the files says of a session. */
async function coldly(harness: BookHarness) {
  const { journals, files } = nodePorts();
  const ports = { journals, files, log: memoryLog() };
  const names = new FileNames(harness.folder, SESSION);
  const log = await openCold(ports, names, (paths) => paths, true);
  const segments = log?.sources.map(({ number, view }) => [number, view.lines]);
  await log?.close();
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
