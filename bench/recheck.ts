import assert from "node:assert/strict";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { nodeFiles } from "../core/adapters/files.ts";
import { nodePrograms } from "../core/adapters/programs.ts";
import { testEnvironment } from "../core/testing/test-environment.ts";
import { Drift } from "../plugins/runtime-debug/drift/drift.ts";
import type { OpenedSession } from "../plugins/runtime-debug/session/sessions.ts";
import { gitIn } from "../plugins/runtime-debug/tests/worktree-harness.ts";
import { Worktree } from "../plugins/runtime-debug/worktree/worktree.ts";
import { figureRow, ratioRow, type Bench, type Row } from "./row.ts";

const FILES = 10_000;
const ROUNDS = 21;
/** In milliseconds. */
const MOST_MS = 100;

export const bench: Bench = {
  name: "recheck",
  describe: `The code of a project of ${FILES} files, compared with the start after each tool call of a debug session: all of it unchanged, in process.`,
  run,
};

async function run(): Promise<readonly Row[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-recheck-")));
  try {
    const root = join(folder, "project");
    const paths = Array.from({ length: FILES }, (_, index) => `src/m${index % 100}/f${index}.js`);
    for (const [index, path] of paths.entries()) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `export const v${index} = ${index};\n`.repeat(50));
    }
    gitIn(root, folder, "init", "--quiet");
    gitIn(root, folder, "add", "--all");
    gitIn(root, folder, "commit", "--quiet", "--message", "first");
    const environment = testEnvironment(folder, { PATH: process.env["PATH"] });
    const worktree = new Worktree(nodeFiles, nodePrograms(environment), environment);
    const baseline = await worktree.begin(root, "sum-is-wrong", new AbortController().signal);
    const drift = new Drift(worktree);
    const opened = { root, entry: entryOf(baseline) };
    // Files that were just written are read again; then their times can be trusted.
    await pause(1_100);
    for (let warm = 0; warm < 5; warm += 1) await drift.of(opened);
    const [looks, stats]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      stats.push(await timeOf(() => paths.map((path) => lstatSync(`${root}/${path}`))));
      looks.push(await timeOf(async () => assert.deepEqual(await drift.of(opened), [])));
    }
    writeFileSync(join(root, paths[7] ?? ""), "1\n");
    assert.equal((await drift.of(opened))[0]?.file, paths[7]);
    return [
      { ...figureRow("check of an unchanged project", "", "ms", looks), limit: MOST_MS },
      ratioRow({
        subject: "check",
        base: "lstat of every file",
        unit: "ms",
        bases: stats,
        candidates: looks,
      }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function entryOf(baseline: OpenedSession["entry"]["baseline"]): OpenedSession["entry"] {
  return {
    id: "sum-is-wrong",
    revision: 0,
    state: "instrumenting",
    issue: "The sum is wrong",
    steps: [],
    createdAt: 0,
    baseline,
    hypotheses: [],
    probes: [],
    runs: { before: "pre-fix" },
    fixes: [],
    iterations: [],
    conclusion: "",
    accepted: {},
    recordText: "",
  };
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
