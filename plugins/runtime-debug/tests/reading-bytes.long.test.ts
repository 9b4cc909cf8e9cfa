/** How much of a log an answer reads: never all of it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JournalReader } from "skillctl";
import { nodePorts } from "skillctl/host";
import { coldView } from "../store/index/cold-index.ts";
import { SidecarReader } from "../store/index/sidecar-reader.ts";
import { comparison } from "../store/read/comparison.ts";
import { eventLines, whole } from "../store/read/event-lines.ts";
import type { LogSource } from "../store/read/log-source.ts";
import { select, type Question } from "../store/read/selection.ts";
import { summary } from "../store/read/summary.ts";
import { IndexHarness, type MadeEvent } from "./index-harness.ts";

const EVENTS = 100_000;
const FACTS = { session: "test-session", run: "", rejected: 0 };

const made = (at: number): MadeEvent => ({
  hypothesis: `H${at % 5}`,
  run: at < EVENTS / 2 ? "pre-fix" : "post-fix",
  location: `place-${at % 40}.ts:1`,
  ...(at % 9_973 === 0 && { trace: `t-${at}` }),
  data: { at, filling: "x".repeat(150) },
});

async function filled(harness: IndexHarness) {
  const index = await harness.open();
  for (let from = 0; from < EVENTS; from += 5_000)
    harness.add(
      index,
      Array.from({ length: 5_000 }, (_, at) => made(from + at)),
      from + 1,
    );
  await index.flush();
  return index;
}

/** Counts what is read. */
function counting(reader: JournalReader): { readonly reader: JournalReader; readonly bytes: () => number } {
  let bytes = 0;
  const counted: JournalReader = {
    path: reader.path,
    bytes: reader.bytes,
    read: async (offset, length) => {
      const read = await reader.read(offset, length);
      bytes += read.length;
      return read;
    },
    readAll: async (places) => {
      const all = await reader.readAll(places);
      for (const read of all) bytes += read.length;
      return all;
    },
    close: () => reader.close(),
  };
  return { reader: counted, bytes: () => bytes };
}

async function lastOf(source: LogSource, question: Question): Promise<number> {
  return (await whole(eventLines(await select([source], question), "ndjson"))).split("\n").length - 1;
}

/** What is asked, how many events that finds, and how many bytes of the log may be read for it. */
const QUESTIONS: readonly (readonly [what: string, question: Question, count: number, bytes: number])[] = [
  ["the last 100", { last: 100 }, 100, 64 * 1024],
  ["the last 100 of a hypothesis", { hypothesisId: ["H3"], last: 100 }, 100, 256 * 1024],
  ["those of a run and a place", { runId: ["pre"], location: ["place-7.ts*"], last: 50 }, 50, 1024 * 1024],
  ["those after a number", { since: EVENTS - 10 }, 10, 64 * 1024],
  ["those of a trace", { traceId: ["t-19946"] }, 1, 64 * 1024],
  ["those of no hypothesis that there is", { hypothesisId: ["Z"] }, 0, 0],
];

describe("an answer out of the index", () => {
  test("reads a small part of the log, which stays the same while the log grows", async () => {
    await using harness = new IndexHarness();
    const index = await filled(harness);
    const log = await harness.source(index);
    assert.ok(log.reader.bytes > 25_000_000);
    for (const [what, question, count, most] of QUESTIONS) {
      const { reader, bytes } = counting(log.reader);
      assert.equal(await lastOf({ ...log, reader }, question), count, what);
      assert.ok(bytes() <= most, `${what}: ${bytes()} bytes`);
    }
    for (const answer of [summary, comparison] as const) {
      const { reader, bytes } = counting(log.reader);
      const source = { ...log, reader };
      const text =
        answer === summary
          ? await summary([source], {}, FACTS)
          : await comparison([source], {}, "test-session");
      assert.match(text, answer === summary ? /"events":100000,/ : /"after":"post-fix"/);
      // Sixteen events of each place and run, and what lies between them.
      assert.ok(bytes() < 1024 * 1024, `${answer.name}: ${bytes()} bytes`);
    }
    await index.close();
  });

  test("is the same from the files, of which the index is read only as far as the answer needs it", async () => {
    await using harness = new IndexHarness();
    await (await filled(harness)).close();
    const files = nodePorts().journals;
    const [log, records] = [counting(await harness.reader()), { bytes: 0 }];
    const journals = {
      ...files,
      openToRead: async (path: string) => {
        const reader = await files.openToRead(path);
        if (!reader?.path.endsWith(".idx")) return reader;
        const counted = counting(reader);
        return {
          ...counted.reader,
          read: async (offset: number, length: number) => {
            records.bytes += length;
            return counted.reader.read(offset, length);
          },
        };
      },
    };
    const sidecar = await SidecarReader.open(journals, harness.path);
    assert.ok(sidecar);
    const view = await coldView(sidecar, log.reader);
    assert.ok(view);
    const question: Question = { hypothesisId: ["H3"], runId: ["post-fix"], last: 100 };
    assert.equal(await lastOf({ number: 1, reader: log.reader, view }, question), 100);
    assert.ok(log.bytes() < 256 * 1024, `${log.bytes()} bytes of the log`);
    assert.ok(records.bytes < 128 * 1024, `${records.bytes} bytes of the index`);
    await sidecar.close();
  });

  test("stays as it is while events are added and others read", async () => {
    await using harness = new IndexHarness();
    const index = await filled(harness);
    const before = await harness.source(index);
    const reading = lastOf(before, { hypothesisId: ["H1"], limit: 100_000, last: 0 });
    for (let round = 0; round < 20; round++) {
      harness.add(
        index,
        Array.from({ length: 500 }, (_, at) => made(at)),
        EVENTS + 1 + round * 500,
      );
      await new Promise(setImmediate);
    }
    assert.equal(await reading, EVENTS / 5);
    assert.equal(await lastOf(await harness.source(index), { last: 1 }), 1);
    assert.equal(
      (await select([await harness.source(index)], { limit: 100_000, since: EVENTS })).count,
      10_000,
    );
    await index.close();
  });
});
