/** A log that somebody else removes, cuts or swaps: F20 to F22 of the fault table. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ask, health, load, post, until } from "../client.ts";
import { FLAWLESS, History, logFiles } from "../history.ts";
import { debugServer, launched, scratch, type DebugServer, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";
import { needs } from "./needs.ts";

/** Promised is 1 s; a machine that is busy may need more. */
const NOTICED_MS = 4_000;

type Harm = (server: DebugServer) => Promise<unknown>;

/** Harms a log between events, or under load. */
async function harmed(t: TestContext, harm: Harm, start: DebugStart = {}, underLoad = false) {
  const history = new History();
  const server = await debugServer(t, start);
  for (let event = 0; event < 10; event += 1) await post(server.url, history);
  const posting = underLoad ? load(server.url, history, 4) : undefined;
  if (underLoad)
    await until(
      async () => history.acknowledged.size,
      (size) => size > 200,
    );
  await harm(server);
  const asked = performance.now();
  await until(
    () => health(server.url),
    ({ recovered = [] }) => recovered.length > 0,
    NOTICED_MS,
  ).catch(() => t.diagnostic("not noticed"));
  t.diagnostic(`${(performance.now() - asked).toFixed(0)} ms`);
  await posting?.stop();
  const { recovered = [], pid } = await health(server.url);
  assert.equal(pid, server.pid);
  for (let event = 0; event < 10; event += 1) await post(server.url, history);
  await server.kill();
  return { reported: recovered, history, server, verdict: await history.verdict(server.folder) };
}

const HARMS: Readonly<Record<string, Harm>> = {
  removed: (server) => rm(server.log),
  renamed: (server) => rename(server.log, `${server.log}.old`),
};

for (const [name, harm] of Object.entries(HARMS)) {
  test(`F20 a log that is ${name} is noticed, and what was in it is written again`, async (t) => {
    const { verdict, reported } = await harmed(t, harm);
    assert.deepEqual(verdict, FLAWLESS);
    assert.notDeepEqual(reported, []);
  });

  test(`F20 a log that is ${name} under load loses no acknowledged event`, async (t) => {
    const { verdict, reported } = await harmed(t, harm, {}, true);
    assert.deepEqual(verdict, FLAWLESS);
    assert.notDeepEqual(reported, []);
  });
}

test("F20 control: a collector that keeps its descriptor loses everything", async (t) => {
  const { verdict } = await harmed(t, (server) => rm(server.log), careless("holding"));
  assert.equal(verdict.lost.length, 20);
});

for (const bytes of [0, 300]) {
  test(`F21 a log that is cut to ${bytes} bytes is noticed and reported, and never has a hole`, async (t) => {
    const { server, verdict, reported } = await harmed(t, ({ log }) => truncate(log, bytes));
    const texts = await Promise.all((await logFiles(server.folder)).map((path) => readFile(path, "utf8")));
    assert.deepEqual([texts.join("").includes("\0"), reported.length > 0], [false, true]);
    const { lost, torn, ...others } = verdict;
    assert.deepEqual({ ...others, lost: [], torn: [] }, FLAWLESS);
    assert.ok(torn.length <= 1 && lost.every((number) => number <= 10), `${torn.join()} ${lost.join()}`);
  });
}

test("F21 control: a collector that counts the bytes by itself leaves a hole", async (t) => {
  const { server } = await harmed(t, ({ log }) => truncate(log, 0), careless("placing"));
  assert.equal((await readFile(server.log, "utf8")).includes("\0"), true);
});

/** Puts a link to another folder in the place of the folder of the log. */
async function swapped(t: TestContext, start: DebugStart = {}) {
  const home = await scratch(t);
  const [folder, victim, aside] = [join(home, ".dbg"), join(home, "victim"), join(home, "aside")];
  await mkdir(victim);
  const server = await debugServer(t, { ...start, folder });
  const history = new History();
  for (let event = 0; event < 5; event += 1) await post(server.url, history);
  const posting = load(server.url, history, 4);
  await rename(folder, aside);
  await symlink(victim, folder);
  await until(
    async () => history.refusals.size + (await readdir(victim)).length,
    (signs) => signs > 0,
  );
  await posting.stop();
  const told = await post(server.url, history);
  await server.kill();
  return { told, verdict: await history.verdict(aside), victim: await readdir(victim) };
}

test(
  "F22 nothing is written through a link in the place of its folder, and nothing acknowledged",
  { skip: needs("linux") },
  async (t) => {
    const { told, verdict, victim } = await swapped(t);
    assert.deepEqual(victim, []);
    assert.ok(told.status >= 400, told.text);
    assert.deepEqual(verdict.lost, []);
  },
);

test(
  "F22 control: a collector that opens by name writes where the link leads",
  { skip: needs("linux") },
  async (t) => {
    const { victim } = await swapped(t, careless("naming"));
    assert.notDeepEqual(victim, []);
  },
);

/** Places of a session's files, with links to somebody else's files planted there before the start. */
const PLANTED = [
  "svc-debug-log-fault-test.ndjson",
  "svc-debug-rejected-fault-test.ndjson",
  "fault-test.env",
  "fault-test.server.json",
];

/** Answers the places through which something was written. */
async function planted(t: TestContext, start: DebugStart = {}): Promise<readonly string[]> {
  const written: string[] = [];
  for (const name of PLANTED) {
    const home = await scratch(t);
    const [folder, victim] = [join(home, ".dbg"), join(home, "victim")];
    await mkdir(folder);
    await writeFile(victim, "precious");
    await symlink(victim, join(folder, name));
    const server = await launched(t, { ...start, folder });
    const block = await server.block;
    if (block !== undefined) {
      const url = new URL(block.api_url).origin;
      for (const body of ['{"n":1}', "{"]) await ask(url, { body });
      server.process.kill("SIGTERM");
    }
    await server.ended;
    if ((await readFile(victim, "utf8")) !== "precious") written.push(name);
    if (block === undefined) assert.ok(server.err().includes(name), `${name}: ${server.err()}`);
  }
  return written;
}

test(
  "F22 nothing is written through a link that lies in the place of one of its files",
  { skip: needs("linux") },
  async (t) => {
    assert.deepEqual(await planted(t), []);
  },
);

test("F22 control: a collector that opens by name writes through it", { skip: needs("linux") }, async (t) => {
  assert.deepEqual(await planted(t, careless("naming")), [PLANTED[0], PLANTED[2]]);
});
