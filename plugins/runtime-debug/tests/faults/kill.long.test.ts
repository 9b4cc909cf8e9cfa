/** Kills: F01 to F03 of the fault table. */
import assert from "node:assert/strict";
import { appendFile, cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { recordFile } from "../../server/server-files.ts";
import { ask, eventually, load, nameRun, post, type Reply } from "../client.ts";
import { FLAWLESS, History, logFiles, type Verdict } from "../history.ts";
import { debugServer, launched, scratch, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";
import { needs } from "./needs.ts";
import { CHANGES, straceWords, traced, WRITES } from "./tracing.ts";

/** The moments of kills differ from run to run. */
const ROUNDS = 20;

/** Starts a server on one folder again and again, and kills it at a random moment. */
async function killedUnderLoad(t: TestContext, rounds: number, start: DebugStart = {}): Promise<Verdict> {
  const folder = join(await scratch(t), ".dbg");
  const history = new History();
  for (let round = 0; round < rounds; round += 1) {
    const server = await debugServer(t, { ...start, folder });
    const before = history.acknowledged.size;
    const posting = load(server.url, history);
    await eventually(() => history.acknowledged.size > before + 10);
    await pause(Math.random() * 120);
    await server.kill();
    await posting.over;
  }
  const last = await debugServer(t, { ...start, folder });
  await last.kill();
  t.diagnostic(`${rounds} kills, ${history.acknowledged.size} events acknowledged`);
  return history.verdict(folder);
}

test(`F01 ${ROUNDS} kills at random moments under load lose no acknowledged event`, async (t) => {
  assert.deepEqual(await killedUnderLoad(t, ROUNDS), FLAWLESS);
});

test("F01 control: a collector that answers before it writes loses some", async (t) => {
  const { lost } = await killedUnderLoad(t, 5, careless("early"));
  assert.notDeepEqual(lost, []);
});

/** A session with every kind of write. False if the server ended meanwhile. */
async function scripted(url: string, history: History): Promise<boolean> {
  const refused = async (): Promise<Reply> => {
    const told = await ask(url, { body: "{" });
    return told.status === 400 ? { ...told, status: 200 } : told;
  };
  const steps = [
    () => post(url, history),
    refused,
    () => post(url, history),
    () => nameRun(url, "post-fix"),
    () => post(url, history),
    () => ask(url, { path: "/logs", method: "DELETE" }),
    () => post(url, history),
  ];
  for (const step of steps) {
    const told = await step().catch(() => undefined);
    if (told === undefined) return false;
    assert.equal(told.status, 200, told.text);
  }
  return true;
}

/** Calls at which a process is killed. Openings and writes count only if they concern the session. */
const POSITIONS = { "write and opening of a file": WRITES, "sync, rename and removal": CHANGES };

function filesOf(folder: string, calls: string): readonly string[] {
  if (CHANGES.includes(calls)) return [];
  const names = ["svc-debug-rejected-fault-test.ndjson", "fault-test.env"];
  const record = recordFile({ stateFolder: join(folder, "..", "state") }, { folder }, "fault-test");
  const logs = ["", ".1", ".2"].map((number) => `svc-debug-log-fault-test${number}.ndjson`);
  return [folder, record, ...[...names, ...logs].map((name) => join(folder, name))];
}

/** Runs an action with a kill at the first, the second, the third ... of each of these calls, until it survives. */
async function atEach(
  t: TestContext,
  kinds: readonly string[],
  survives: (calls: string, at: number) => Promise<boolean>,
): Promise<void> {
  const counts: string[] = [];
  let kills = 0;
  for (const calls of kinds) {
    let at = 1;
    while (!(await survives(calls, at))) at += 1;
    kills += at - 1;
    if (at > 1) counts.push(`${calls} ${at - 1}`);
  }
  t.diagnostic(`killed at ${counts.join("; ")}`);
  assert.ok(kills > 3, `${kills} positions`);
}

/** Plays the session under kills. */
async function killedAtEach(t: TestContext, kinds: readonly string[]): Promise<Verdict> {
  const folder = join(await scratch(t), ".dbg");
  const history = new History();
  await atEach(t, kinds, async (calls, at) => {
    const server = await debugServer(t, { folder, variables: { UV_THREADPOOL_SIZE: "1" } });
    const tracer = await traced(t, server.pid, {
      inject: `${calls}:signal=KILL:when=${at}`,
      paths: filesOf(folder, calls),
    });
    const survived = await scripted(server.url, history);
    if (survived) server.signal("SIGTERM");
    const { signal } = await server.ended;
    await tracer.stop();
    return signal !== "SIGKILL";
  });
  return history.verdict(folder);
}

const skip = needs("linux", "strace", "tracing");

for (const [name, kinds] of Object.entries(POSITIONS)) {
  test(
    `F02 a server killed at every ${name} of a session starts again and has lost nothing`,
    { skip },
    async (t) => {
      assert.deepEqual(await killedAtEach(t, kinds), FLAWLESS);
    },
  );
}

/** A log with damage of every kind, as it was before a start. */
async function damaged(t: TestContext): Promise<string> {
  const folder = join(await scratch(t), ".dbg");
  const server = await debugServer(t, { folder });
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

/** Kills a start; returns the logs of the next start that differ from those of an undisturbed start. */
async function recoveries(t: TestContext, kinds: readonly string[]): Promise<readonly string[]> {
  const from = await damaged(t);
  const place = async (name: string): Promise<string> => {
    const folder = join(await scratch(t), name, ".dbg");
    await cp(from, folder, { recursive: true });
    return folder;
  };
  const whole = await place("whole");
  await (await debugServer(t, { folder: whole })).kill();
  const expected = await contents(whole);
  const differing: string[] = [];
  await atEach(t, kinds, async (calls, at) => {
    const folder = await place("killed");
    const paths = filesOf(folder, calls);
    const through = straceWords({ inject: `${calls}:signal=KILL:when=${at}`, paths });
    const hurt = await launched(t, { folder, through, variables: { UV_THREADPOOL_SIZE: "1" } });
    const block = await hurt.block;
    const next = block === undefined ? await debugServer(t, { folder }) : undefined;
    await next?.kill();
    if (next === undefined) hurt.process.kill("SIGKILL");
    const seen = await contents(folder);
    if (seen !== expected) differing.push(`${calls} ${at}: ${seen}`);
    return block !== undefined;
  });
  return differing;
}

for (const [name, kinds] of Object.entries(POSITIONS)) {
  test(
    `F03 a server killed at every ${name} of its recovery has the same state after the next start`,
    { skip },
    async (t) => {
      assert.deepEqual(await recoveries(t, kinds), []);
    },
  );
}
