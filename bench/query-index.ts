import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodeJournals } from "../core/adapters/journals.ts";
import type { Log } from "../core/ports/log.ts";
import type { EventKeys } from "../plugins/runtime-debug/store/event/stamped.ts";
import { SegmentIndex } from "../plugins/runtime-debug/store/index/segment-index.ts";
import { quiet } from "./quiet.ts";
import type { FilledLog, Truth } from "./query-oracle.ts";
import { figureRow, type Row } from "./row.ts";
import type { Place } from "./whole-process.ts";

const EVENTS = 1_000_000;
const BYTES_LIMIT = 20;
const NANOS_LIMIT = 150;
const ROUNDS = 5;
const REBUILDS = 3;
const LINE_BYTES = 400;
/** Different hypotheses, runs and places together. */
const KEYS = 400;
const STAMPED = Array.from({ length: KEYS }, (_, key) => {
  const location = `place-${key % 4}.ts:1`;
  const keys: EventKeys = { hypothesis: `H${key % 5}`, run: `run-${key % 20}`, location, probe: location };
  return { count: 1, keys: [keys], lengths: [LINE_BYTES], traces: [0] };
});
/** Faults of the index would be told here; the rows would show them. */
const SILENT: Log = { notice: () => undefined, detail: () => undefined };

/** What the index of a log costs: bytes, processor time, and the time to make it anew. */
export async function indexRows(place: Place, { path: log, truth }: FilledLog): Promise<readonly Row[]> {
  const events = truth.lines.toLocaleString("en");
  const bytes = statSync(`${log}.idx`).size + statSync(`${log}.keys`).size;
  const rebuilt: number[] = [];
  for (let round = 0; round < REBUILDS; round += 1) {
    await quiet();
    rebuilt.push(await rebuild(log, truth));
  }
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await added(place, round));
  return [
    {
      ...figureRow(`index on the disk, ${events} events`, "", "B an event", [bytes / truth.lines]),
      limit: BYTES_LIMIT,
    },
    {
      ...figureRow(
        "index in memory",
        "",
        "B an event",
        costs.map(({ bytes }) => bytes),
      ),
      limit: BYTES_LIMIT,
    },
    {
      ...figureRow(
        "index beside ingest, processor time",
        "",
        "ns an event",
        costs.map(({ nanos }) => nanos),
      ),
      limit: NANOS_LIMIT,
    },
    figureRow(`index deleted and made anew from ${events} events`, "", "ms", rebuilt),
  ];
}

/** Deletes the index and opens the log. Answers the milliseconds. @throws Error when the new one counts otherwise. */
async function rebuild(log: string, truth: Truth): Promise<number> {
  for (const end of [".idx", ".keys"]) rmSync(`${log}${end}`, { force: true });
  const reader = await nodeJournals.openToRead(log);
  if (!reader) throw new Error(`${log} is gone.`);
  const start = performance.now();
  const index = await SegmentIndex.open({ journals: nodeJournals, reader, path: log, log: SILENT });
  const took = performance.now() - start;
  const counted = new Map<string, number>();
  for (const [hypothesis, , , , count] of index.counts(0, reader.bytes))
    counted.set(hypothesis, (counted.get(hypothesis) ?? 0) + count);
  await index.close();
  await reader.close();
  for (const [hypothesis, count] of truth.counts)
    if (counted.get(hypothesis) !== count || counted.size !== truth.counts.size)
      throw new Error(
        `The index made anew counts ${counted.get(hypothesis)} of ${hypothesis}, not ${count}.`,
      );
  return took;
}

interface Cost {
  readonly bytes: number;
  readonly nanos: number;
}

/** Adds events one by one, as requests of one event do, with all that is written to the disk meanwhile. */
async function added({ folder }: Place, round: number): Promise<Cost> {
  const path = join(folder, `index-${round}.ndjson`);
  const journal = await nodeJournals.open(path, { durability: "process" });
  await journal.append(`${"{}".padEnd(LINE_BYTES - 1)}\n`);
  const index = await SegmentIndex.open({ journals: nodeJournals, reader: journal, path, log: SILENT });
  await quiet();
  const before = await usedBytes();
  const cpu = process.cpuUsage();
  for (let event = 0; event < EVENTS; event += 1) {
    const one = STAMPED[(event * 7) % KEYS] as (typeof STAMPED)[number];
    index.add(one, { firstSeq: event + 1, at: event, offset: LINE_BYTES * (event + 1) });
    if (event % 1_000 === 0) await turn();
  }
  await index.flush();
  const { user, system } = process.cpuUsage(cpu);
  const bytes = ((await usedBytes()) - before) / EVENTS;
  if (index.events < EVENTS) throw new Error(`The index counts ${index.events} of ${EVENTS} events.`);
  await index.close();
  await journal.close();
  return { bytes, nanos: ((user + system) * 1_000) / EVENTS };
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** After a collection of all garbage. The second one ends the freeing of buffers that the first has begun. */
async function usedBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await turn();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
