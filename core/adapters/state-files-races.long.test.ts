/** Writers at once, in every order a scheduler finds: what each operation on files does, another may do in between. */
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

/** A disk in memory: each operation is one step, as link, rename, unlink and the listing of a small folder are. */
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
  // Nothing else is asked of a disk here.
  return files as Files;
}

/** The same files as one process sees them: others run between its operations; after `life` of them it is dead. */
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

/** A document that is the list of what was done to it. */
const added = (mark: string) => (current: unknown) => [...((current as string[] | undefined) ?? []), mark];

interface Writer {
  readonly updates: number;
  /** Operations on files before the process is killed. */
  readonly life: number | undefined;
}

/** Lets writers and readers run at once; answers what is wrong with what they wrote and saw. */
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
      .map((list) => `${list.join()} never was`),
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
  test("no update is lost or done twice, and nobody sees what never was, in whatever order they take turns", () =>
    fc.assert(races(WRITERS), { numRuns: 100 }));

  test("a process killed between any two operations takes nothing of the others with it", () =>
    fc.assert(races(fc.tuple(WRITERS, MORTALS).map((both) => both.flat())), { numRuns: 60 }));
});
