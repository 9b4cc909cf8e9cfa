import assert from "node:assert/strict";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { watchedProject, type WatchedProject } from "../plugins/runtime-debug/tests/watch-harness.ts";
import { figureRow, ratioRow, type Bench, type Pair, type Row } from "./row.ts";

const FILES = 10_000;
const ROUNDS = 21;
const START_ROUNDS = 3;
/** The budget of the specification, in milliseconds. */
const MOST_MS = 60;

export const bench: Bench = {
  name: "recheck",
  describe: `The code of a project of ${FILES} files, looked at after each tool call of a debug session in which none may change: all of it unchanged, in process.`,
  run,
};

async function run(): Promise<readonly Row[]> {
  const ends: (() => unknown)[] = [];
  try {
    const project = await watchedProject(
      { after: (end) => void ends.push(end as () => unknown) },
      { git: true },
    );
    const paths = Array.from({ length: FILES }, (_, index) => `src/m${index % 100}/f${index}.js`);
    for (const [index, path] of paths.entries()) {
      mkdirSync(dirname(join(project.root, path)), { recursive: true });
      writeFileSync(join(project.root, path), `export const v${index} = ${index};\n`.repeat(50));
    }
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "first");
    const starts = await startTimes(project);
    // Files that were just written are read again; then their marks can be trusted.
    await pause(100);
    for (let warm = 0; warm < 5; warm += 1) await project.look();
    const [looks, stats]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      stats.push(await timeOf(() => paths.map((path) => lstatSync(`${project.root}/${path}`))));
      looks.push(await timeOf(async () => assert.deepEqual((await project.look()).reverted, [])));
    }
    writeFileSync(join(project.root, paths[7] ?? ""), "1\n");
    assert.deepEqual(
      (await project.look()).reverted.map(({ path }) => path),
      [paths[7]],
    );
    return [
      { ...figureRow("look at an unchanged project", "", "ms", looks), limit: MOST_MS },
      ratioRow({ subject: "look", base: "lstat of every file", unit: "ms", bases: stats, candidates: looks }),
      ratioRow({
        subject: "start with the manifest",
        base: "without it",
        unit: "ms",
        ...starts,
        limit: 2,
      }),
    ];
  } finally {
    for (const end of ends) await end();
  }
}

/** Each round anew, so that both find the same in the caches. */
async function startTimes(project: WatchedProject): Promise<Pick<Pair, "bases" | "candidates">> {
  const [bases, candidates]: [number[], number[]] = [[], []];
  await project.begin();
  for (let round = 0; round < START_ROUNDS; round += 1) {
    bases.push(await timeOf(() => project.keep()));
    candidates.push(await timeOf(() => project.begin()));
  }
  return { bases, candidates };
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
