/** kill -9 of the observer, the server and the program: the program never stops, and `status` tells how it is. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sayInProcessOfItsOwn, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { until } from "./client.ts";
import { needs } from "./faults/needs.ts";

/** Each of the three is killed so often; by hand more. */
const ROUNDS = Number(process.env["OBSERVE_ROUNDS"] ?? 5);
/** Within how long after the points were set, in milliseconds. */
const MOMENT_MS = 300;
/** What a busy machine may take from a program that is not stopped, in milliseconds. */
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
  let folder = "";
  let session = "";
  let program: ChildProcess;
  const say = (...words: readonly string[]): Promise<ProgramResult> => {
    const variables = { HOME: folder, SKILLCTL_STATE: join(folder, "state") };
    return sayInProcessOfItsOwn(["run", "runtime-debug", ...words], join(folder, "project"), { variables });
  };
  const ask = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { status, out, err } = await say(...words, "--json");
    assert.equal(status, 0, err + out);
    return (JSON.parse(out) as { readonly output: Readonly<Record<string, unknown>> }).output;
  };
  const begin = async (): Promise<void> => {
    program = spawn(process.execPath, ["--inspect-port=0", "beat.js"], {
      cwd: join(folder, "project"),
      stdio: ["pipe", "pipe", "ignore"],
    });
    await new Promise((resolve) => program.stdout?.once("data", resolve));
  };
  const beats = (): Promise<Beats> =>
    new Promise((resolve) => {
      program.stdout?.once("data", (text: Buffer) => resolve(JSON.parse(text.toString()) as Beats));
      program.stdin?.write("\n");
    });
  /** Observes, and answers the process that does. */
  const observed = async (...more: readonly string[]): Promise<number> => {
    const words = [
      "--hypothesis",
      "A",
      "--point",
      "beats",
      "--at",
      "beat.js:5",
      "--data",
      "beats",
      "--limit",
      "500",
    ];
    return (await ask("observe", "--pid", String(program.pid), ...words, ...more))["pid"] as number;
  };
  const goesOn = async (): Promise<void> => {
    const first = await beats();
    const { beats: later, worst } = await until(beats, (now) => now.beats > first.beats);
    assert.ok(later > first.beats);
    assert.ok(worst < LONGEST_GAP_MS, `stopped for ${worst} ms`);
  };
  const statusSays = (says: RegExp): Promise<ProgramResult> =>
    until(
      () => say("status"),
      ({ out }) => says.test(out),
    );
  const log = (): Promise<string> =>
    readFile(join(folder, "project", ".dbg", `svc-debug-log-${session}.ndjson`), "utf8").catch(() => "");
  const stored = async (): Promise<number> => (await log()).split("\n").length - 1;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "skillctl-observed-")));
    await mkdir(join(folder, "project"));
    await writeFile(join(folder, "project", "beat.js"), BEAT);
    await begin();
    const lines = ["It stops", "It jumps", "It is a text"].map(
      (text) => `${text} | refuted by: the log | at beat.js:5`,
    );
    session = (await ask("start", "The beat is wrong", "--hypotheses", lines.join("\n")))[
      "session"
    ] as string;
  });
  after(async () => {
    program.kill("SIGKILL");
    await say("answer", "D");
    await say("cleanup");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test("of the observer takes its points out, and the program runs on", async (t) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pid = await observed();
      await pause(Math.random() * MOMENT_MS);
      process.kill(pid, "SIGKILL");
      await goesOn();
      await statusSays(/Nothing is observed any more/);
    }
    t.diagnostic(`${ROUNDS} kills, longest gap ${(await beats()).worst} ms`);
  });

  test("of the server loses no event, and the observer goes on when it is back", async () => {
    const old = await stored();
    await observed("--most", "1000000");
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await until(stored, (count) => count > old);
      const record = await readFile(join(folder, "project", ".dbg", `${session}.server.json`), "utf8");
      await pause(Math.random() * MOMENT_MS);
      process.kill((JSON.parse(record) as { readonly pid: number }).pid, "SIGKILL");
      await goesOn();
      await statusSays(/The debug server does not answer/);
      assert.ok((await stored()) >= before);
      await ask("serve", session, "--detach");
      await until(stored, (count) => count > before);
    }
    // What was on its way when the server went is sent again.
    const told = (await log())
      .split("\n")
      .slice(old, -1)
      .map((line) => (JSON.parse(line) as { readonly data: { readonly beats: number } }).data.beats);
    const values = [...new Set(told)].toSorted((one, other) => one - other);
    for (const [index, value] of values.entries()) assert.equal(value, (values[0] ?? 0) + index);
  });

  // Another session's server takes what it is sent.
  for (const status of [404, 200])
    test(`of the server whose port somebody takes who answers ${status} does not end the observation`, async () => {
      await observed();
      const before = await until(stored, (count) => count > 0);
      const record = await readFile(join(folder, "project", ".dbg", `${session}.server.json`), "utf8");
      const { pid, port } = JSON.parse(record) as { readonly pid: number; readonly port: number };
      process.kill(pid, "SIGKILL");
      const other = createServer((_, reply) => reply.writeHead(status).end());
      const taken = (): Promise<boolean> =>
        new Promise((resolve) => {
          other.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
        });
      try {
        await until(taken, (isTaken) => isTaken);
        await ask("serve", session, "--detach");
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
      await until(
        async () => {
          try {
            return process.kill(pid, 0);
          } catch {
            return false;
          }
        },
        (isThere) => !isThere,
      );
      await statusSays(/Nothing is observed any more/);
      await begin();
    }
  });
});
