/** Kills: F01 to F03 of the fault table. */
import assert from "node:assert/strict";
import { appendFile, cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ask, load, post } from "../debug-client.ts";
import { FLAWLESS, History, logFiles, type Verdict } from "../debug-history.ts";
import { debugServer, launched, scratch, type DebugStart } from "../debug-house.ts";
import { careless } from "./careless.ts";
import { needs } from "./needs.ts";
import { CHANGES, straceWords, traced, WRITES } from "./tracing.ts";

const ROUNDS = 200;

/** Starts on one folder again and again, and kills at a moment that differs from round to round. */
async function killedUnderLoad(t: TestContext, rounds: number, start: DebugStart = {}): Promise<Verdict> {
  const folder = join(await scratch(t), ".dbg");
  const history = new History();
  for (let round = 0; round < rounds; round += 1) {
    const server = await debugServer(t, { ...start, folder });
    const posting = load(server.url, history);
    await pause(30 + ((round * 37) % 120));
    await server.kill();
    await posting.over;
  }
  const last = await debugServer(t, { ...start, folder });
  await last.kill();
  assert.ok(history.acknowledged.size > rounds * 10, `${history.acknowledged.size} acknowledged`);
  t.diagnostic(`${rounds} kills, ${history.acknowledged.size} events acknowledged`);
  return history.verdict(folder);
}

test(`F01 ${ROUNDS} kills at random moments under load lose no acknowledged event`, async (t) => {
  assert.deepEqual(await killedUnderLoad(t, ROUNDS), FLAWLESS);
});

test("F01 control: a collector that answers before it writes loses some", async (t) => {
  const { lost } = await killedUnderLoad(t, 5, careless("early"));
  assert.ok(lost.length > 0);
});

/** A session with everything that writes in it. False when the server went away meanwhile. */
async function scripted(url: string, history: History): Promise<boolean> {
  const steps = [
    () => post(url, history),
    () => ask(url, { body: "{" }),
    () => post(url, history),
    () => ask(url, { path: "/run", body: '{"runId":"post-fix"}' }),
    () => post(url, history),
    () => ask(url, { path: "/logs", method: "DELETE" }),
    () => post(url, history),
  ];
  for (const step of steps) {
    const told = await step().catch(() => undefined);
    if (told === undefined) return false;
  }
  return true;
}

/** Calls at which a process is killed. Openings and writes count only where they are about the session. */
const POSITIONS = {
  "write and opening of a file": `${WRITES},openat`,
  "sync, rename and removal": CHANGES,
};

function filesOf(folder: string, calls: string): readonly string[] {
  if (calls === CHANGES) return [];
  const names = ["svc-debug-rejected-fault-test.ndjson", "fault-test.env", "fault-test.server.json"];
  const logs = ["", ".1", ".2"].map((number) => `svc-debug-log-fault-test${number}.ndjson`);
  return [folder, ...[...names, ...logs].map((name) => join(folder, name))];
}

/** Plays the session under a kill at the first, the second, the third ... of these calls, until it is survived. */
async function killedAtEach(t: TestContext, calls: string, start: DebugStart = {}): Promise<Verdict> {
  const folder = join(await scratch(t), ".dbg");
  const history = new History();
  for (let at = 1; ; at += 1) {
    const server = await debugServer(t, { ...start, folder, variables: { UV_THREADPOOL_SIZE: "1" } });
    const tracer = await traced(t, server.pid, {
      inject: `${calls}:signal=KILL:when=${at}`,
      paths: filesOf(folder, calls),
    });
    const survived = await scripted(server.url, history);
    if (survived) server.signal("SIGTERM");
    const { signal } = await server.ended;
    await tracer.stop();
    if (signal !== "SIGKILL") {
      t.diagnostic(`${at - 1} positions of ${calls}`);
      assert.ok(at > 3, `${at} positions`);
      return history.verdict(folder);
    }
  }
}

const skip = needs("linux", "strace", "tracing");

for (const [name, calls] of Object.entries(POSITIONS)) {
  test(
    `F02 killed at every ${name} of a session, it starts again and has lost nothing`,
    { skip },
    async (t) => {
      assert.deepEqual(await killedAtEach(t, calls), FLAWLESS);
    },
  );
}

test("F02 control: a collector that answers before it writes loses some", { skip }, async (t) => {
  const { lost } = await killedAtEach(t, POSITIONS["write and opening of a file"], careless("early"));
  assert.ok(lost.length > 0);
});

/** A log with damage of every kind, as it was before a start. */
async function damaged(t: TestContext, start: DebugStart): Promise<string> {
  const folder = join(await scratch(t), ".dbg");
  const server = await debugServer(t, { ...start, folder });
  const history = new History();
  for (let event = 0; event < 6; event += 1) {
    await post(server.url, history);
    if (event === 2) await ask(server.url, { path: "/logs", method: "DELETE" });
  }
  await server.kill();
  await appendFile(server.log, `garbage\n{"n":7,"c":0}\n{"n":8,"c\0\0\0\0`);
  return folder;
}

async function contents(folder: string): Promise<string> {
  const files = await logFiles(folder);
  return (await Promise.all(files.map((path) => readFile(path, "utf8")))).join("----\n");
}

/** Kills the start at each of these calls; answers the logs of the next start that differ from those of a start unhurt. */
async function recoveries(t: TestContext, calls: string, start: DebugStart = {}): Promise<readonly string[]> {
  const from = await damaged(t, start);
  const place = async (name: string): Promise<string> => {
    const folder = join(await scratch(t), name, ".dbg");
    await cp(from, folder, { recursive: true });
    return folder;
  };
  const whole = await place("whole");
  await (await debugServer(t, { ...start, folder: whole })).kill();
  const expected = await contents(whole);
  const differing: string[] = [];
  for (let at = 1; ; at += 1) {
    const folder = await place("killed");
    const paths = filesOf(folder, calls);
    const through = straceWords({ inject: `${calls}:signal=KILL:when=${at}`, paths });
    const hurt = await launched(t, { ...start, folder, through, variables: { UV_THREADPOOL_SIZE: "1" } });
    const block = await hurt.block;
    const next = block === undefined ? await debugServer(t, { ...start, folder }) : undefined;
    await next?.kill();
    if (next === undefined) hurt.process.kill("SIGKILL");
    const seen = await contents(folder);
    if (seen !== expected) differing.push(`${calls} ${at}: ${seen}`);
    if (block !== undefined) {
      t.diagnostic(`${at - 1} positions of ${calls}`);
      return differing;
    }
  }
}

for (const [name, calls] of Object.entries(POSITIONS)) {
  test(
    `F03 killed at every ${name} of its recovery, the next start ends up the same`,
    { skip },
    async (t) => {
      assert.deepEqual(await recoveries(t, calls), []);
    },
  );
}

test("F03 control: a collector that mends its log in place ends up different", { skip }, async (t) => {
  assert.notDeepEqual(
    await recoveries(t, POSITIONS["write and opening of a file"], careless("rewriting")),
    [],
  );
});
