/** Clocks that jump and processes that stand still: F23 to F26 of the fault table. */
import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ask, health, load, post } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, scratch, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";
import { ends } from "./ends.ts";
import { FAKETIME, needs } from "./needs.ts";

const faked = needs("linux", "libfaketime");
const HOUR = 3_600;

/** A server whose wall clock the test moves, and no other clock. */
async function clocked(t: TestContext, start: DebugStart = {}) {
  const file = join(await scratch(t), "offset");
  await writeFile(file, "+0");
  const variables = {
    LD_PRELOAD: FAKETIME ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const server = await debugServer(t, { ...start, variables });
  const jump = async (seconds: number): Promise<void> => {
    await writeFile(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}`);
    await rename(`${file}.new`, file);
  };
  return { server, jump };
}

describe("a clock that jumps", { concurrency: true }, () => {
  test(
    "F23 back by an hour changes neither the order of events nor the time-out of who is idle",
    { skip: faked },
    async (t) => {
      const { server, jump } = await clocked(t, { words: ["--idle", "8"] });
      const history = new History();
      for (let event = 0; event < 5; event += 1) await post(server.url, history);
      await jump(-HOUR);
      for (let event = 0; event < 5; event += 1) await post(server.url, history);
      const { text } = await ask(server.url, { path: "/logs" });
      const events = JSON.parse(text) as readonly { readonly n: number; readonly _at: number }[];
      assert.deepEqual(
        events.map(({ n }) => n),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      );
      assert.ok((events[9]?._at ?? 0) < (events[0]?._at ?? 0), "the clock has gone back");
      assert.equal(await ends(server, 30), true);
      assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
    },
  );

  test("F23 control: a time-out by the wall clock never comes", { skip: faked }, async (t) => {
    const { server, jump } = await clocked(t, { ...careless("wallclock"), words: ["--idle", "8"] });
    await post(server.url, new History());
    await jump(-HOUR);
    assert.equal(await ends(server, 16), false);
  });

  const shifted = ["unshare", "--time", "--monotonic", "864000", "--boottime", "864000"];
  const spaces = needs("linux", "root", "time namespaces");

  test(
    "F25 a monotonic clock that is 10 days on does not end who has just begun, only who is idle",
    { skip: spaces },
    async (t) => {
      const server = await debugServer(t, { through: shifted, words: ["--idle", "8"] });
      const history = new History();
      for (let event = 0; event < 5; event += 1) {
        await post(server.url, history);
        await pause(300);
      }
      assert.equal(await ends(server, 30), true);
      assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
    },
  );

  test(
    "F25 control: a time-out from the beginning of the clock comes before the first event",
    { skip: spaces },
    async (t) => {
      const server = await debugServer(t, { ...careless("zero"), through: shifted, words: ["--idle", "8"] });
      assert.equal(await ends(server, 5), true);
    },
  );
});

describe("a process that stands still for 30 s", { concurrency: true }, () => {
  /** Stops it under load and lets it go on. Answers whether it is alive then. */
  async function stopped(t: TestContext, start: DebugStart = {}) {
    const server = await debugServer(t, start);
    const history = new History();
    const posting = load(server.url, history, 4);
    await pause(200);
    server.signal("SIGSTOP");
    await pause(30_000);
    server.signal("SIGCONT");
    await pause(1_000);
    await posting.stop();
    const alive = await health(server.url).then(
      ({ pid }) => pid === server.pid,
      () => false,
    );
    const told = await post(server.url, history).catch(() => undefined);
    await server.kill();
    return { alive, told, verdict: await history.verdict(server.folder) };
  }

  test("F26 goes on, and has lost no acknowledged event", { skip: needs("linux") }, async (t) => {
    const { alive, told, verdict } = await stopped(t);
    assert.deepEqual([alive, told?.status, verdict], [true, 200, FLAWLESS]);
  });

  test(
    "F26 control: one with a watchdog over its own clock does not",
    { skip: needs("linux") },
    async (t) => {
      assert.equal((await stopped(t, careless("watchdog"))).alive, false);
    },
  );
});
