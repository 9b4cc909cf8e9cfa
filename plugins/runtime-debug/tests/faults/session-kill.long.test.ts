/** Processes of `start` and `cleanup` that are killed by the kernel at every second change of the disk; with which one it begins the seed says. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  BUILT,
  sayInProcessOfItsOwn,
  variablesOf,
  type Said,
} from "../../../../contract-tests/command-line.ts";
import { ID, region } from "../cleanup-harness.ts";
import { scratch } from "../server-harness.ts";
import { gitIn } from "../worktree-harness.ts";
import { copied, filesBelow, textAt } from "./kill-harness.ts";
import { needs } from "./needs.ts";
import { CHANGES, straceWords } from "./tracing.ts";

const skip = needs("linux", "strace", "tracing", "git");
const RECORD = `debug-${ID}.md`;
const CODE = "export const sum = (a, b) => a - b;\n";
const PROBED = `${region("A:sum")}${CODE}`;
const START = ["start", "The sum is wrong", "--session", ID];
/** Exit statuses: killed behind its last change, a command has done all of it. */
const TAKEN = 73;
const NO_SESSION = 66;
const CALLS = [...CHANGES.filter((calls) => calls !== "ftruncate"), "rmdir"];

interface Place {
  /** Home, state and working folder of the program. */
  readonly folder: string;
  readonly file: string;
  readonly say: (...words: readonly string[]) => Promise<Said>;
}

async function project(t: TestContext): Promise<Place> {
  const folder = join(await scratch(t), "home");
  await mkdir(folder);
  gitIn(folder, folder, "init", "-q");
  const file = join(folder, "sum.js");
  await writeFile(file, CODE);
  await writeFile(join(folder, ".gitignore"), "state/\ncache/\n");
  gitIn(folder, folder, "add", "-A");
  gitIn(folder, folder, "commit", "-qm", "first");
  const say: Place["say"] = (...more) =>
    sayInProcessOfItsOwn(["run", "runtime-debug", ...more], folder, { start: BUILT });
  return { folder, file, say };
}

const STEP = 2;
const FIRST = 1 + (Number(process.env["TEST_SEED"] ?? 0) % STEP);

/** Runs a command on what is there now, again and again, with a kill at its changes. */
async function killedAtEach(
  t: TestContext,
  place: Place,
  words: readonly string[],
  judge: (where: string) => Promise<void>,
): Promise<void> {
  const saved = join(await scratch(t), "saved");
  await mkdir(saved);
  await copied(place.folder, saved);
  const counts: string[] = [];
  for (const calls of CALLS) {
    let kills = 0;
    for (let wasKilled = true, at = FIRST; wasKilled; at += STEP) {
      await copied(saved, place.folder);
      wasKilled = await killed(place, words, `${calls}:signal=KILL:when=${at}`);
      if (wasKilled) kills += 1;
      await judge(`${words[0] ?? ""} killed at ${calls} ${at}`);
    }
    if (kills > 0) counts.push(`${calls} ${kills}`);
  }
  t.diagnostic(`${words[0] ?? ""} killed at ${counts.join("; ")}`);
  assert.ok(counts.length > 2, counts.join());
}

/** Whether the command was killed before its end. */
async function killed({ folder }: Place, words: readonly string[], inject: string): Promise<boolean> {
  const [strace = "", ...flags] = straceWords({ inject });
  const child = spawn(strace, [...flags, process.execPath, ...BUILT, "run", "runtime-debug", ...words], {
    cwd: folder,
    stdio: "ignore",
    env: { ...variablesOf(folder), UV_THREADPOOL_SIZE: "1" },
  });
  const [status] = (await once(child, "exit")) as [number | null];
  return status !== 0;
}

/** What of a session is in the project and kept beside it. */
async function left({ folder }: Place): Promise<readonly string[]> {
  const files = await filesBelow(folder);
  const exclude = await textAt(join(folder, ".git", "info", "exclude"));
  const own = files.filter((name) =>
    /^debug-|^\.dbg|^[^/]*\.skillctl-new$|^state\/runtime-debug\//.test(name),
  );
  return [...own, ...(exclude.includes(RECORD) ? ["exclude"] : [])];
}

test("start, killed at its changes, is begun again with the same words", { skip }, async (t) => {
  const place = await project(t);
  await killedAtEach(t, place, START, async (where) => {
    assert.equal(await textAt(place.file), CODE, where);
    const again = await place.say(...START);
    assert.ok([0, TAKEN].includes(again.status), `${where}: ${again.err}`);
    assert.ok(await textAt(join(place.folder, RECORD)), where);
  });
});

test("cleanup, killed at its changes, is ended by the next one", { skip }, async (t) => {
  const place = await project(t);
  assert.equal((await place.say(...START)).status, 0);
  await writeFile(place.file, PROBED);
  await mkdir(join(place.folder, ".dbg"));
  await writeFile(join(place.folder, ".dbg", `svc-debug-log-${ID}.ndjson`), "{}\n");
  assert.equal((await place.say("answer", "D")).status, 0);
  await killedAtEach(t, place, ["cleanup"], async (where) => {
    const text = await textAt(place.file);
    assert.ok(text === CODE || text === PROBED, `${where}: ${text}`);
    const again = await place.say("cleanup");
    assert.ok([0, NO_SESSION].includes(again.status), `${where}: ${again.err}`);
    assert.equal(await textAt(place.file), CODE, where);
    assert.deepEqual(await left(place), [], where);
  });
});
