/** Concurrent writers in every interleaving of their file operations that a scheduler finds. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Files } from "../ports/files.ts";
import type { State } from "../ports/state.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { testEnvironment } from "../testing/test-environment.ts";
import { stateFiles } from "./state-files.ts";

const NAME = { collection: "races", id: "one" };
const KEEP_MS = 1_000_000;

/** A disk in memory with atomic operations, such as link, rename, unlink and the listing of a small folder. */
function memoryFiles(): Files {
  const contents = new Map<string, string>();
  const below = (path: string): readonly string[] =>
    [...contents.keys()]
      .filter((name) => name.startsWith(`${path}/`))
      .map((name) => name.slice(path.length + 1));
  const files: Partial<Files> = {
    readText: async (path) => contents.get(path),
    list: async (path) => [...new Set(below(path).map((name) => name.split("/", 1)[0] as string))].sort(),
    makeFolder: async () => undefined,
    create: async (path, content) => !contents.has(path) && Boolean(contents.set(path, content)),
    remove: async (path) => void contents.delete(path),
  };
  // These tests need no other operation.
  return files as Files;
}

/** The files as one process sees them: others run between its operations, and it is killed after `life` of them. */
function asSeenBy(files: Files, scheduler: fc.Scheduler, life = Number.POSITIVE_INFINITY): Files {
  let left = life;
  const step =
    <In extends readonly unknown[], Out>(operation: (...given: In) => Promise<Out>) =>
    (...given: In): Promise<Out> => {
      left -= 1;
      return left < 0 ? new Promise(() => undefined) : scheduler.schedule(operation(...given));
    };
  const { readText, list, makeFolder, create, remove } = files;
  return {
    ...files,
    readText: step(readText),
    list: step(list),
    makeFolder: step(makeFolder),
    create: step(create),
    remove: step(remove),
  };
}

const CLOCK = fixedClock();
const stateOn = (files: Files): State => stateFiles(testEnvironment("/disk").stateFolder, files, CLOCK);

/** A document that lists its updates. */
const added = (mark: string) => (current: unknown) => [...((current as string[] | undefined) ?? []), mark];

interface Writer {
  readonly updates: number;
  /** Number of file operations before the process is killed. */
  readonly life: number | undefined;
}

/** Runs writers and readers concurrently; returns the errors in the values that they wrote and read. */
async function race(writers: readonly Writer[], scheduler: fc.Scheduler): Promise<string[]> {
  const disk = memoryFiles();
  const told: string[] = [];
  const seen: (readonly string[])[] = [];
  const reader = stateOn(asSeenBy(disk, scheduler));
  const acts = writers.map(async ({ updates, life }, index) => {
    const state = stateOn(asSeenBy(disk, scheduler, life));
    for (let update = 0; update < updates; update += 1) {
      const mark = `${index}.${update}`;
      const document = await state.update(NAME, KEEP_MS, added(mark));
      told.push(mark);
      seen.push(document as string[]);
    }
  });
  const reads = Array.from({ length: 4 }, async () => {
    seen.push(((await reader.read(NAME)) ?? []) as string[]);
  });
  const living = acts.filter((_, index) => writers[index]?.life === undefined);
  await scheduler.waitFor(Promise.all([...living, ...reads]));
  await scheduler.waitIdle();
  const last = ((await stateOn(disk).read(NAME)) ?? []) as string[];
  return [
    ...told.filter((mark) => !last.includes(mark)).map((mark) => `${mark} is lost`),
    ...last.filter((mark, index) => last.indexOf(mark) !== index).map((mark) => `${mark} is there twice`),
    ...seen
      .filter((list) => list.some((mark, index) => last[index] !== mark))
      .map((list) => `${list.join()} never existed`),
  ];
}

const WRITERS = fc.array(
  fc.record({ updates: fc.integer({ min: 1, max: 4 }), life: fc.constant(undefined) }),
  {
    minLength: 2,
    maxLength: 4,
  },
);
const MORTALS = fc.array(
  fc.record({ updates: fc.integer({ min: 1, max: 3 }), life: fc.integer({ min: 0, max: 25 }) }),
  {
    minLength: 1,
    maxLength: 3,
  },
);

const races = (writers: fc.Arbitrary<readonly Writer[]>) =>
  fc.asyncProperty(fc.scheduler(), writers, async (scheduler, chosen) => {
    assert.deepEqual(await race(chosen, scheduler), []);
  });

describe("documents that several processes write at once", () => {
  test("no update is lost or applied twice, and no reader sees a value that was never written, in any interleaving", () =>
    fc.assert(races(WRITERS), { numRuns: 100 }));

  test("a process killed between any two operations does not affect the updates of others", () =>
    fc.assert(races(fc.tuple(WRITERS, MORTALS).map((both) => both.flat())), { numRuns: 60 }));
});
