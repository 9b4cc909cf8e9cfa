import assert from "node:assert/strict";
import { test } from "node:test";
import type { JournalReader } from "skillctl";
import { memoryLog } from "skillctl/testing";
import { RetiredReaders } from "./segment-reader.ts";

test("a file that was replaced is held open for ten seconds, and of many only the latest four", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const closed: number[] = [];
  const readers = Array.from({ length: 6 }, (_, at) => ({
    path: `/log.${at}`,
    bytes: 0,
    read: async () => new Uint8Array(),
    readAll: async () => [],
    close: async () => void closed.push(at),
  }));
  const retired = new RetiredReaders(memoryLog());
  for (const reader of readers) retired.add(reader satisfies JournalReader);
  assert.deepEqual(closed, [0, 1]);
  t.mock.timers.tick(9_999);
  assert.equal(closed.length, 2);
  t.mock.timers.tick(1);
  assert.deepEqual(closed, [0, 1, 2, 3, 4, 5]);
  await retired.close();
  assert.equal(closed.length, 6);
});
