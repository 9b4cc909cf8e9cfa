/** Too many connections and too few descriptors: F17, F18 and F28 of the fault table. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { ask, health, post, until } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, lastly } from "../server-harness.ts";
import { needs } from "./needs.ts";
import { descriptors, residentBytes } from "./process-facts.ts";
import { traced } from "./tracing.ts";

const PROGRAM = fileURLToPath(new URL("crowd-process.mjs", import.meta.url));
const limits = needs("linux", "prlimit");
const tracing = needs("linux", "strace", "tracing");

/** How long `/health` takes in milliseconds, the median of some tries; `Infinity` if one gets no answer. */
async function healthMs(url: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 15; turn += 1) {
    const started = performance.now();
    const told = await ask(url, { patienceMs: 5_000 }).catch(() => undefined);
    times.push(told?.status === 200 ? performance.now() - started : Infinity);
  }
  return times.includes(Infinity) ? Infinity : (times.sort((a, b) => a - b)[7] ?? Infinity);
}

/** Opens this many connections that send half a head, and holds them until `leave`. */
async function holding(t: TestContext, port: number, count: number) {
  const child = spawn(process.execPath, [PROGRAM, String(port), String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const leave = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  lastly(t, leave);
  await Promise.race([once(child.stdout, "data"), gone]);
  return { leave };
}

test(
  "F17 F18 with 600 incomplete heads for 256 descriptors the server answers health, accepts events, and continues after them",
  { skip: limits },
  async (t) => {
    const server = await debugServer(t, { through: ["prlimit", "--nofile=256", "--"] });
    const history = new History();
    await post(server.url, history);
    const crowd = await holding(t, server.port, 600);
    const meanwhile = await healthMs(server.url);
    assert.ok(meanwhile < 250, `${meanwhile} ms`);
    assert.equal((await post(server.url, history)).status, 200);
    await crowd.leave();
    await until(
      () => healthMs(server.url),
      (ms) => ms < 250,
    );
    await post(server.url, history);
    assert.equal((await health(server.url)).pid, server.pid);
    await server.kill();
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  },
);

test(
  "F18 while no file can be opened the server answers health and accepts events",
  { skip: tracing },
  async (t) => {
    const server = await debugServer(t);
    const history = new History();
    await post(server.url, history);
    const tracer = await traced(t, server.pid, { inject: "openat:error=EMFILE" });
    assert.equal((await ask(server.url)).status, 200);
    assert.equal((await post(server.url, history)).status, 200);
    await ask(server.url, { path: "/logs" }).catch(() => undefined);
    await ask(server.url, { body: "{" }).catch(() => undefined);
    await tracer.stop();
    assert.equal((await health(server.url)).pid, server.pid);
    await server.kill();
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  },
);

const MANY = 18_000;

test(
  `F28 while ${MANY} half-open connections come, and a quarter or more are open at once, health answers within 250 ms, with less than 400 MB`,
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
