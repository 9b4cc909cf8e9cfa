/** kill -9 of the observer, the server and the program: the program never stops, and `status` reports its state. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ProgramResult } from "../../../contract-tests/command-line.ts";
import { recordFile } from "../server/server-files.ts";
import { eventually, until } from "./client.ts";
import { needs } from "./faults/needs.ts";
import {
  isThere,
  nodeProgram,
  observedProject,
  pointWords,
  said,
  type ObservedProject,
} from "./observe-harness.ts";
import { OBSERVED } from "./observe-programs.ts";
import { lastly } from "./server-harness.ts";

/** How often each of the three is killed; more often when run by hand. */
const ROUNDS = Number(process.env["OBSERVE_ROUNDS"] ?? 3);
/** The longest time from setting the points to a kill, in milliseconds. */
const MOMENT_MS = 300;
/** The longest pause of a running program on a busy machine, in milliseconds. */
const LONGEST_GAP_MS = 3_000;

const BEAT = `let beats = 0;
let worst = 0;
let last = Date.now();
function beat(item) {
  beats += item.by;
  return beats;
}
setInterval(() => {
  const now = Date.now();
  worst = Math.max(worst, now - last);
  last = now;
  beat({ by: 1 });
}, 5);
process.stdin.on("data", () => console.log(JSON.stringify({ beats, worst })));
console.log("ready");
`;

interface Beats {
  readonly beats: number;
  readonly worst: number;
}

describe("a kill -9", { skip: needs("linux") }, () => {
  let project: ObservedProject;
  let session = "";
  let program: ChildProcess;
  const begin = async (): Promise<void> => {
    program = await nodeProgram(project.folder, "beat.js");
  };
  const beats = async (): Promise<Beats> => JSON.parse(await said(program, "")) as Beats;
  /** Starts to observe, and returns the process that does. */
  const observed = async (...more: readonly string[]): Promise<number> => {
    const words = [
      "--pid",
      String(program.pid),
      "--limit",
      "500",
      ...pointWords("beats", "beat.js:5", "beats"),
    ];
    return (await project.ask("observe", ...words, ...more))["pid"] as number;
  };
  const goesOn = async (): Promise<void> => {
    const first = await beats();
    const { beats: later, worst } = await until(beats, (now) => now.beats > first.beats);
    assert.ok(later > first.beats);
    assert.ok(worst < LONGEST_GAP_MS, `stopped for ${worst} ms`);
  };
  const statusSays = (says: RegExp): Promise<ProgramResult> =>
    until(
      () => project.say("status"),
      ({ out }) => says.test(out),
    );
  const stored = async (): Promise<number> => (await project.log(session)).split("\n").length - 1;
  const recordOf = (): string => {
    const stateFolder = join(project.place, "state");
    return recordFile({ stateFolder }, { folder: join(project.folder, ".dbg") }, session);
  };
  const server = async (): Promise<{ readonly pid: number; readonly port: number }> =>
    JSON.parse(await readFile(recordOf(), "utf8"));

  before(async () => {
    project = await observedProject({ "beat.js": BEAT });
    await begin();
    session = await project.start("beat.js:5");
  });
  after(async () => {
    program.kill("SIGKILL");
    await project.say("answer", "D");
    await project.say("cleanup");
    await project.remove();
  });

  test("of the observer removes its points, and the program continues", async (t) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pid = await observed();
      await pause(Math.random() * MOMENT_MS);
      process.kill(pid, "SIGKILL");
      await goesOn();
      await statusSays(/No point is set now/);
    }
    t.diagnostic(`${ROUNDS} kills, longest gap ${(await beats()).worst} ms`);
  });

  test("of the server loses no event, and the observer continues when it is back", async () => {
    const old = await stored();
    await observed("--most", "1000000");
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await until(stored, (count) => count > old);
      const { pid } = await server();
      await pause(Math.random() * MOMENT_MS);
      process.kill(pid, "SIGKILL");
      await goesOn();
      await statusSays(/The debug server does not answer/);
      assert.ok((await stored()) >= before);
      await project.ask("serve", session, "--detach");
      await until(stored, (count) => count > before);
    }
    // Events that were in transit when the server ended are sent again.
    const told = (await project.events(session)).slice(old).map(({ data }) => data["beats"] as number);
    const values = [...new Set(told)].toSorted((one, other) => one - other);
    for (const [index, value] of values.entries()) assert.equal(value, (values[0] ?? 0) + index);
  });

  // Another session's server accepts the events that it is sent.
  for (const status of [404, 200])
    test(`of the server does not end the observation if another program takes its port and answers ${status}`, async () => {
      await observed();
      const before = await until(stored, (count) => count > 0);
      const { pid, port } = await server();
      process.kill(pid, "SIGKILL");
      const other = createServer((_, reply) => reply.writeHead(status).end());
      const taken = (): Promise<boolean> =>
        new Promise((resolve) => {
          other.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
        });
      try {
        await until(taken, (isTaken) => isTaken);
        await project.ask("serve", session, "--detach");
        await until(stored, (count) => count > before + 100);
      } finally {
        other.closeAllConnections();
        await new Promise((resolve) => other.close(resolve));
      }
    });

  test("of the program ends the observer", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pid = await observed();
      await pause(Math.random() * MOMENT_MS);
      program.kill("SIGKILL");
      await eventually(() => !isThere(pid));
      await statusSays(/No point is set now/);
      await begin();
    }
  });
});

/** Breakpoints that an adapter keeps without a client would stop the program. */
for (const program of OBSERVED.filter(({ name }) => /debugpy|Delve/.test(name)))
  test(`a kill -9 of the observer leaves ${program.name} running`, { skip: program.skip }, async (t) => {
    const project = await observedProject(program.files);
    lastly(t, project.remove);
    const { target, reproduce, end } = await program.start(project.folder);
    lastly(t, end);
    const session = await project.start(program.at);
    const [, price] = program.data;
    const words = pointWords("price", program.at, price, "nothing=nobody.knows");
    const { pid } = await project.ask("observe", ...target, ...words);
    await reproduce();
    const [event] = await until(
      () => project.events(session),
      (events) => events.length > 0,
    );
    // An unavailable value does not affect the other ones.
    assert.equal(String(event?.data["price"]), "10");
    if (program.at.startsWith("cart.py")) assert.match(String(event?.data["nothing"]), /^! NameError/);
    process.kill(pid as number, "SIGKILL");
    for (let round = 0; round < 3; round += 1) await reproduce();
    await project.ask("answer", "D");
    await project.ask("cleanup");
  });

const TICK = `let ticks = 0;
setInterval(() => {
  ticks += 1;
}, 20);
`;

async function over(project: ObservedProject): Promise<void> {
  await project.say("answer", "D");
  await project.say("cleanup");
}

/** The first signal leaves the process that started it time to clean up. */
for (const signal of ["SIGTERM", "SIGKILL"] as const)
  test(
    `a ${signal} to the process that started a program with --run ends its observer`,
    { skip: needs("linux") },
    async (t) => {
      const project = await observedProject({ "tick.js": TICK });
      lastly(t, project.remove);
      lastly(t, () => over(project));
      const session = await project.start("tick.js:3");
      const words = pointWords("ticks", "tick.js:3", "pid=process.pid");
      const starter = project.begin("observe", "--run", "node tick.js", ...words);
      lastly(t, async () => void starter.kill("SIGKILL"));
      const [event] = await until(
        () => project.events(session),
        (events) => events.length > 0,
      );
      const tick = event?.data["pid"] as number;
      lastly(t, async () => void (isThere(tick) && process.kill(tick, "SIGKILL")));
      const [observer = 0, ...others] = await project.observers();
      assert.deepEqual(others, []);
      starter.kill(signal);
      await until(
        async () => isThere(observer),
        (is) => !is,
        8_000,
      );
      assert.match((await project.say("status")).out, /No point is set now/);
    },
  );

for (const program of OBSERVED.filter(({ name }) => name.includes("debugpy")))
  test(`a SIGTERM to ${program.name} ends its observer at once`, { skip: program.skip }, async (t) => {
    const project = await observedProject(program.files);
    lastly(t, project.remove);
    lastly(t, () => over(project));
    const { target, pid, end } = await program.start(project.folder);
    lastly(t, end);
    await project.start(program.at);
    const words = pointWords("sum", program.at, "sum");
    const { pid: observer } = await project.ask("observe", ...target, ...words);
    process.kill(pid ?? 0, "SIGTERM");
    await until(
      async () => isThere(observer as number),
      (is) => !is,
      5_000,
    );
    assert.match((await project.say("status")).out, /No point is set now/);
  });
