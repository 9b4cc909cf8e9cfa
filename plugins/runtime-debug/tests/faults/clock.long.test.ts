/** Clocks that jump and processes that are stopped: F23 to F26 of the fault table. */
import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ask, health, load, post } from "../client.ts";
import { FLAWLESS, History } from "../history.ts";
import { debugServer, ends, scratch } from "../server-harness.ts";
import { FAKETIME, needs } from "./needs.ts";

const faked = needs("linux", "libfaketime");

describe("a clock that jumps", { concurrency: true }, () => {
  test(
    "F23 back by an hour changes neither the order of events nor the time-out of idle clients",
    { skip: faked },
    async (t) => {
      const file = join(await scratch(t), "offset");
      await writeFile(file, "+0");
      const variables = {
        LD_PRELOAD: FAKETIME ?? "",
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: "1",
        DONT_FAKE_MONOTONIC: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      };
      const server = await debugServer(t, { variables, words: ["--idle", "8"] });
      const history = new History();
      for (let event = 0; event < 5; event += 1) await post(server.url, history);
      await writeFile(`${file}.new`, "-3600");
      await rename(`${file}.new`, file);
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

  const shifted = ["unshare", "--time", "--monotonic", "864000", "--boottime", "864000"];
  const spaces = needs("linux", "root", "time namespaces");

  test(
    "F25 a monotonic clock that is 10 days ahead ends only idle clients, not new ones",
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
});

test(
  "F26 a process that is stopped for 30 s continues, and has lost no acknowledged event",
  { skip: needs("linux") },
  async (t) => {
    const server = await debugServer(t);
    const history = new History();
    const posting = load(server.url, history, 4);
    await pause(200);
    server.signal("SIGSTOP");
    await pause(30_000);
    server.signal("SIGCONT");
    await pause(1_000);
    await posting.stop();
    assert.equal((await health(server.url)).pid, server.pid);
    assert.equal((await post(server.url, history)).status, 200);
    await server.kill();
    assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
  },
);
