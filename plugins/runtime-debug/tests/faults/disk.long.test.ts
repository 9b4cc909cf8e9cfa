/** Disks that fail: F11 to F15 and F19 of the fault table. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ask, eventually, health, load, post, until } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, launched, scratch, type DebugStart } from "../server-harness.ts";
import { ballast, memoryDisk, readOnly } from "./disks.ts";
import { needs, NOBODY } from "./needs.ts";
import { residentBytes } from "./process-facts.ts";
import { traced } from "./tracing.ts";

const tracing = needs("linux", "strace", "tracing");
const mounts = needs("linux", "root", "mounts");

function codeOf(text: string): unknown {
  return (JSON.parse(text) as { readonly error?: unknown }).error;
}

test(
  "F11 F12 with a full disk events get 507, reading works, and freed space is used within 2 s",
  { skip: mounts },
  async (t) => {
    const disk = await memoryDisk(t, 4 * 1024 * 1024);
    const history = new History();
    const server = await debugServer(t, { folder: join(disk, ".dbg") });
    const posting = load(server.url, history, 4);
    await eventually(() => history.acknowledged.size > 50);
    const weight = await ballast(disk);
    await eventually(() => history.refused.size > 0);
    await posting.stop();
    // A smaller size than before: an event that does not fit a page may fit half a page.
    for (let event = 0; event < 5; event += 1) await post(server.url, history);
    const refused = await post(server.url, history);
    assert.deepEqual([refused.status, codeOf(refused.text)], [507, "storage_full"]);
    const facts = await health(server.url);
    assert.deepEqual([facts.ok, facts.pid], [false, server.pid]);
    const reading = await ask(server.url, { path: "/logs?last=5" });
    assert.equal((JSON.parse(reading.text) as unknown[]).length, 5);
    await rm(weight);
    await until(
      () => post(server.url, history),
      ({ status }) => status === 200,
      2_000,
    );
    for (let event = 0; event < 20; event += 1) await post(server.url, history);
    await server.kill();
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  },
);

/** Threads of Node that sync. */
const THREADS = 4;

/** Posts while calls on the log fail; returns the answers, and the state of the log afterwards. */
async function failing(t: TestContext, inject: string, start: DebugStart = {}) {
  const history = new History();
  const server = await debugServer(t, start);
  for (let event = 0; event < 3; event += 1) await post(server.url, history);
  const tracer = await traced(t, server.pid, { inject, paths: [server.log] });
  const told = await Promise.all(
    Array.from({ length: 6 }, (_, connection) => post(server.url, history, connection + 1)),
  );
  // strace counts the calls of each thread separately: after this many calls some thread has made two.
  for (let event = 0; event < THREADS + 1; event += 1) told.push(await post(server.url, history));
  const facts = await health(server.url);
  const later = await until(
    () => post(server.url, history),
    ({ status }) => status === 200,
  );
  await tracer.stop();
  const posting = load(server.url, history);
  await eventually(() => history.acknowledged.size > 60);
  await posting.stop();
  await server.kill();
  const statuses = new Set(told.map(({ status }) => status));
  return { told, facts, later, statuses, server, verdict: await history.verdict(server.folder) };
}

for (const [what, inject] of [
  ["a failing write", "write,pwrite64,writev,pwritev:error=EIO:when=1"],
  ["a run of failing writes", "write,pwrite64,writev,pwritev:error=EIO:when=1..4"],
] as const) {
  test(
    `F13 ${what} on the log is answered with 503, and the events after it are stored`,
    { skip: tracing },
    async (t) => {
      const { told, facts, server, verdict } = await failing(t, inject);
      const refused = told.filter(({ status }) => status !== 200);
      assert.deepEqual([refused.length > 0, facts.pid], [true, server.pid]);
      for (const { status, text } of refused)
        assert.deepEqual([status, codeOf(text)], [503, "storage_failed"]);
      assert.deepEqual(verdict, FLAWLESS);
    },
  );
}

for (const [which, when] of [
  ["the first", "1"],
  ["the second", "2"],
  ["the first three", "1..3"],
] as const) {
  test(
    `F14 a sync of the log that fails (${which}) acknowledges nothing that it covered`,
    { skip: tracing },
    async (t) => {
      const { told, facts, server, verdict } = await failing(t, `fdatasync,fsync:error=EIO:when=${when}`);
      const refused = told.filter(({ status }) => status !== 200);
      assert.deepEqual([refused.length > 0, facts.pid], [true, server.pid]);
      for (const { status, text } of refused)
        assert.deepEqual([status, codeOf(text)], [503, "storage_failed"]);
      assert.deepEqual(verdict, FLAWLESS);
    },
  );
}

test(
  "F14 control: without a sync before the answer all events are acknowledged",
  { skip: tracing },
  async (t) => {
    const { statuses } = await failing(t, "fdatasync,fsync:error=EIO:when=1", {
      words: ["--durability", "process"],
    });
    assert.deepEqual([...statuses], [200]);
  },
);

test(
  "F15 with syncs of 2 s requests wait up to a bound, and get 503 beyond it",
  { skip: tracing },
  async (t) => {
    // The amount of uncollected garbage differs from one server to the next.
    let least = Infinity;
    for (let time = 0; time < 3; time += 1) {
      // Bodies of nearly a megabyte, of strings that are short enough to be kept whole.
      const history = new History(Array.from({ length: 20 }, () => "x".repeat(50_000)));
      const server = await debugServer(t, { words: ["--max-mib", "1024"] });
      await post(server.url, history);
      const before = residentBytes(server.pid);
      const tracer = await traced(t, server.pid, { inject: "fdatasync:delay_exit=2000000" });
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, residentBytes(server.pid) - before)), 20);
      const answers = await Promise.all(
        Array.from({ length: 120 }, (_, connection) => post(server.url, history, connection + 1)),
      );
      clearInterval(watch);
      await tracer.stop();
      await until(
        () => post(server.url, history),
        ({ status }) => status === 200,
      );
      await server.kill();
      const statuses = answers.map(({ status }) => status);
      assert.ok(statuses.includes(200) && statuses.includes(503), statuses.join());
      const { refusedAndKept, ...verdict } = await history.verdict(server.folder);
      assert.deepEqual({ ...verdict, refusedAndKept }, FLAWLESS);
      least = Math.min(least, most);
    }
    assert.ok(least < 250e6, `${least} bytes more`);
  },
);

/** How a start ends in a folder that cannot be written. */
async function refusedStart(t: TestContext, start: DebugStart) {
  const one = await launched(t, start);
  const block = await one.block;
  const { code } = block === undefined ? await one.ended : { code: null };
  return { block, code, said: one.err() + one.out() };
}

test(
  "F19 a folder on a read-only disk is refused at the start with its path",
  { skip: mounts },
  async (t) => {
    const folder = join(await scratch(t), ".dbg");
    await mkdir(folder, { mode: 0o700 });
    await readOnly(t, folder);
    const { block, code, said } = await refusedStart(t, { folder });
    assert.equal(block, undefined);
    assert.ok(code !== 0 && said.includes(folder) && !said.includes("    at "), said);
  },
);

test(
  "F19 a folder of another user is refused at the start with its path",
  { skip: needs("linux", "root") },
  async (t) => {
    const home = await scratch(t);
    const folder = join(home, ".dbg");
    await mkdir(folder, { mode: 0o755 });
    await chmod(home, 0o755);
    const { block, code, said } = await refusedStart(t, { folder, user: NOBODY });
    assert.equal(block, undefined);
    assert.ok(code !== 0 && said.includes(folder) && !said.includes("    at "), said);
    assert.equal(existsSync(join(folder, "svc-debug-log-fault-test.ndjson")), false);
  },
);
