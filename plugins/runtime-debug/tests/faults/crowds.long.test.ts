/** Too many connections and too few descriptors: F17, F18 and F28 of the fault table. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, health, post, until } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";
import { holding } from "./crowd.ts";
import { needs } from "./needs.ts";
import { descriptors, residentBytes } from "./process-facts.ts";
import { traced } from "./tracing.ts";

const few = ["prlimit", "--nofile=256", "--"];
const limits = needs("linux", "prlimit");
const tracing = needs("linux", "strace", "tracing");

/** How long `/health` takes in milliseconds, the middle of some tries; `Infinity` where one gets no answer. */
async function healthMs(url: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 15; turn += 1) {
    const started = performance.now();
    const told = await ask(url, { patienceMs: 5_000 }).catch(() => undefined);
    times.push(told?.status === 200 ? performance.now() - started : Infinity);
  }
  return times.includes(Infinity) ? Infinity : (times.sort((a, b) => a - b)[7] ?? Infinity);
}

/** What becomes of a server among more connections than it has descriptors. */
async function crowded(t: TestContext, start: DebugStart = {}) {
  const server = await debugServer(t, { ...start, through: few });
  const history = new History();
  await post(server.url, history);
  const crowd = await holding(t, server.port, 600);
  const meanwhile = await healthMs(server.url);
  const told = await post(server.url, history).catch(() => undefined);
  await crowd.leave();
  const after = await until(
    () => healthMs(server.url),
    (ms) => ms < 250,
  );
  await post(server.url, history);
  const { pid } = await health(server.url);
  await server.kill();
  return { meanwhile, told, after, same: pid === server.pid, verdict: await history.verdict(server.folder) };
}

test(
  "F17 F18 with 600 half heads for 256 descriptors it answers health, takes events, and goes on after them",
  { skip: limits },
  async (t) => {
    const { meanwhile, told, same, verdict } = await crowded(t);
    assert.ok(meanwhile < 250, `${meanwhile} ms`);
    assert.deepEqual([told?.status, same, verdict], [200, true, FLAWLESS]);
  },
);

test(
  "F17 control: a collector that refuses connections beyond a number is not reached",
  { skip: limits },
  async (t) => {
    const { meanwhile } = await crowded(t, careless("capped"));
    assert.equal(meanwhile, Infinity);
  },
);

/** What is answered while no file can be opened, and whether the process is there afterwards. */
async function unopened(t: TestContext, start: DebugStart = {}) {
  const server = await debugServer(t, start);
  const history = new History();
  await post(server.url, history);
  const tracer = await traced(t, server.pid, { inject: "openat:error=EMFILE" });
  const told = await ask(server.url).catch(() => undefined);
  const stored = await post(server.url, history).catch(() => undefined);
  await ask(server.url, { path: "/logs" }).catch(() => undefined);
  await ask(server.url, { body: "{" }).catch(() => undefined);
  await tracer.stop();
  const pid = await health(server.url).then(
    (facts) => facts.pid,
    () => undefined,
  );
  await server.kill();
  const verdict = await history.verdict(server.folder);
  return { told: told?.status, stored: stored?.status, same: pid === server.pid, verdict };
}

test("F18 while no file can be opened it answers health and takes events", { skip: tracing }, async (t) => {
  assert.deepEqual(await unopened(t), { told: 200, stored: 200, same: true, verdict: FLAWLESS });
});

const MANY = 18_000;

test(
  `F28 while ${MANY} half-open connections come, of which it holds a quarter at once or more, health answers within 250 ms, with less than 400 MB`,
  { skip: limits },
  async (t) => {
    const server = await debugServer(t, { through: ["prlimit", "--nofile=20000", "--"] });
    const history = new History();
    let held = 0;
    const watch = setInterval(() => (held = Math.max(held, descriptors(server.pid))), 50);
    await holding(t, server.port, MANY);
    clearInterval(watch);
    const ms = await healthMs(server.url);
    const told = await post(server.url, history);
    const resident = residentBytes(server.pid);
    t.diagnostic(`${held} descriptors, health in ${ms.toFixed(1)} ms, ${(resident / 1e6).toFixed(0)} MB`);
    assert.ok(ms < 250 && resident < 400e6 && held > MANY / 4, `${ms} ms, ${resident} bytes, ${held} held`);
    assert.equal(told.status, 200);
    await server.kill();
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  },
);

test(
  "F28 control: a collector that refuses connections beyond a number is not reached",
  { skip: limits },
  async (t) => {
    const server = await debugServer(t, careless("capped"));
    await holding(t, server.port, 200);
    assert.equal(await healthMs(server.url), Infinity);
  },
);
