/** A log that another program removes, cuts or replaces: F20 to F22 of the fault table. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ask, eventually, health, load, post, until } from "../client.ts";
import { FLAWLESS, History, logFiles } from "../history.ts";
import { debugServer, launched, scratch, type DebugServer } from "../server-harness.ts";
import { needs } from "./needs.ts";

/** The promise is 1 s; a busy machine may need more. */
const NOTICED_MS = 4_000;

type Harm = (server: DebugServer) => Promise<unknown>;

/** Harms a log between events, or under load. */
async function harmed(t: TestContext, harm: Harm, underLoad = false) {
  const history = new History();
  const server = await debugServer(t);
  for (let event = 0; event < 10; event += 1) await post(server.url, history);
  const posting = underLoad ? load(server.url, history, 4) : undefined;
  if (underLoad) await eventually(() => history.acknowledged.size > 200);
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
  test(`F20 a log that is ${name} is noticed, and its content is written again`, async (t) => {
    const { verdict, reported } = await harmed(t, harm);
    assert.deepEqual(verdict, FLAWLESS);
    assert.notDeepEqual(reported, []);
  });

  test(`F20 a log that is ${name} under load loses no acknowledged event`, async (t) => {
    const { verdict, reported } = await harmed(t, harm, true);
    assert.deepEqual(verdict, FLAWLESS);
    assert.notDeepEqual(reported, []);
  });
}

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

test(
  "F22 nothing is written through a link in the place of the log's folder, and nothing is acknowledged",
  { skip: needs("linux") },
  async (t) => {
    const home = await scratch(t);
    const [folder, victim, aside] = [join(home, ".dbg"), join(home, "victim"), join(home, "aside")];
    await mkdir(victim);
    const server = await debugServer(t, { folder });
    const history = new History();
    for (let event = 0; event < 5; event += 1) await post(server.url, history);
    const posting = load(server.url, history, 4);
    await rename(folder, aside);
    await symlink(victim, folder);
    await eventually(async () => history.refused.size + (await readdir(victim)).length > 0);
    await posting.stop();
    const told = await post(server.url, history);
    await server.kill();
    assert.deepEqual(await readdir(victim), []);
    assert.ok(told.status >= 400, told.text);
    assert.deepEqual((await history.verdict(aside)).lost, []);
  },
);

/** Places of a session's files, with links to another user's files planted there before the start. */
const PLANTED = ["svc-debug-log-fault-test.ndjson", "svc-debug-rejected-fault-test.ndjson", "fault-test.env"];

test(
  "F22 nothing is written through a link in the place of one of the log's files",
  { skip: needs("linux") },
  async (t) => {
    for (const name of PLANTED) {
      const home = await scratch(t);
      const [folder, victim] = [join(home, ".dbg"), join(home, "victim")];
      await mkdir(folder);
      await writeFile(victim, "precious");
      await symlink(victim, join(folder, name));
      const server = await launched(t, { folder });
      const block = await server.block;
      if (block !== undefined) {
        const url = new URL(block.api_url).origin;
        for (const body of ['{"n":1}', "{"]) await ask(url, { body });
        server.process.kill("SIGTERM");
      }
      await server.ended;
      assert.equal(await readFile(victim, "utf8"), "precious", name);
      if (block === undefined) assert.ok(server.err().includes(name), `${name}: ${server.err()}`);
    }
  },
);
