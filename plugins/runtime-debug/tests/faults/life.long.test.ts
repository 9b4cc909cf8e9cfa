/** Time-outs of idle servers, signals, a closed output: F39 to F42 and F46 of the fault table. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { BUILT } from "../../../../contract-tests/command-line.ts";
import { eventually, health, load, nameRun, post } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, ends, lastly, scratch } from "../server-harness.ts";
import { needs } from "./needs.ts";
import { head, rawSocket, statusOn } from "./sockets.ts";

/** A machine that is busy may need seconds for the first request. */
const IDLE_SECONDS = 5;

describe("a server that ends when it is idle", { concurrency: true }, () => {
  test("F39 waits for a request that takes longer than that, and ends after it", async (t) => {
    const server = await debugServer(t, { words: ["--idle", String(IDLE_SECONDS)] });
    const history = new History();
    const event = history.next();
    const one = await rawSocket(t, server.port, head(Buffer.byteLength(event.body)));
    for (const half of [event.body.slice(0, 20), event.body.slice(20)]) {
      await pause(IDLE_SECONDS * 700);
      one.socket.write(half);
    }
    const status = await statusOn(one);
    assert.equal(status, 200);
    history.note(event, status);
    one.socket.end();
    assert.equal(await ends(server, 20), true);
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  });

  /** A fix that waits to be confirmed: the run is a later one, and the record says so, or is missing. */
  async function waiting(t: TestContext, record: string | undefined) {
    const server = await debugServer(t, { words: ["--idle", String(IDLE_SECONDS)] });
    const path = join(dirname(server.folder), "debug-fault-test.md");
    if (record !== undefined) await writeFile(path, record);
    const told = await nameRun(server.url, "post-fix");
    assert.equal(told.status, 200);
    const early = await ends(server, IDLE_SECONDS * 3);
    await writeFile(path, "# Debug Session: fault-test\n\n- **Status**: [FIXED]\n");
    return { early, later: await ends(server, 20) };
  }

  test("F40 keeps running until a fix is confirmed, and ends then", async (t) => {
    const seen = await waiting(t, "# Debug Session: fault-test\n\n- **Status**: [OPEN]\n");
    assert.deepEqual(seen, { early: false, later: true });
  });

  test("F40 control: without an open record it ends", async (t) => {
    assert.equal((await waiting(t, undefined)).early, true);
  });
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal === "SIGTERM" ? "F41" : "F42"} ${signal} under load ends it cleanly within 5 s, with all events that it has acknowledged`, async (t) => {
    const server = await debugServer(t);
    const history = new History();
    const posting = load(server.url, history);
    await eventually(() => history.acknowledged.size > 200);
    const started = performance.now();
    server.signal(signal);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
    const ms = performance.now() - started;
    assert.ok(ms < 5_500, `${ms} ms`);
    await posting.over;
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  });
}

test("F41 is not kept longer than 5 s by a request that hangs, and a second signal ends it at once", async (t) => {
  for (const second of [false, true]) {
    const server = await debugServer(t);
    await rawSocket(t, server.port, head(5_000) + "{");
    await health(server.url);
    server.signal("SIGTERM");
    const started = performance.now();
    if (second) {
      await pause(200);
      server.signal("SIGTERM");
    }
    await server.ended;
    const ms = performance.now() - started;
    assert.ok(ms < (second ? 3_000 : 7_000), `${ms} ms`);
  }
});

test("F42 ends cleanly when its terminal is closed", { skip: needs("linux", "script") }, async (t) => {
  const folder = join(await scratch(t), ".dbg");
  const serve = ["run", "runtime-debug", "serve", "fault-test", "--port", "0", "--outdir", folder];
  const line = [process.execPath, ...BUILT, ...serve].map((word) => `'${word}'`).join(" ");
  const terminal = spawn("script", ["-qfec", line, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    cwd: dirname(folder),
  });
  lastly(t, async () => void terminal.kill("SIGKILL"));
  let out = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await eventually(() => out.includes("@@END_DEBUG_SERVER_INFO"));
  const pid = Number(/"pid":\s*(\d+)/.exec(out)?.[1]);
  lastly(t, async () => void spawn("kill", ["-9", String(pid)], { stdio: "ignore" }));
  const [, url = ""] = /"api_url":\s*"([^"]+)\/event"/.exec(out) ?? [];
  const history = new History();
  const posting = load(url, history);
  await eventually(() => history.acknowledged.size > 100);
  terminal.kill("SIGKILL");
  const isAlive = await Promise.race([posting.over.then(() => false), pause(10_000, true)]);
  await posting.stop();
  assert.equal(isAlive, false);
  assert.deepEqual(await history.verdict(folder), FLAWLESS);
});

test("F42 outlives the process that started it", { skip: needs("linux") }, async (t) => {
  const through = ["sh", "-c", '"$@" & echo started; wait', "sh"];
  const server = await debugServer(t, { through });
  const history = new History();
  await post(server.url, history);
  server.process.kill("SIGKILL");
  await server.ended;
  await post(server.url, history);
  assert.equal((await health(server.url)).pid, server.pid);
  assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
});

test("F46 is not ended by a closed output", async (t) => {
  const server = await debugServer(t);
  const history = new History();
  await post(server.url, history);
  server.process.stdout?.destroy();
  server.process.stderr?.destroy();
  for (let event = 0; event < 20; event += 1) await post(server.url, history);
  assert.equal((await health(server.url)).pid, server.pid);
  server.signal("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
});
