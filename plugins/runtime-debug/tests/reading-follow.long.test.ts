/** Following a log: server-sent events, from what is there on to what comes. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { describe, test, type TestContext } from "node:test";
import { follow } from "../store/read/follow.ts";
import { until } from "./client.ts";
import { readingHarness, type ReadingHarness } from "./reading-harness.ts";

/** A client that follows. */
interface Follower {
  readonly response: IncomingMessage;
  /** All that has come. */
  readonly text: () => string;
  readonly ids: () => readonly number[];
  readonly leave: () => void;
}

async function follower(
  t: TestContext,
  { url }: ReadingHarness,
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<Follower> {
  const request = get(`${url}/logs?follow=true${query}`, { headers });
  t.after(() => request.destroy());
  request.on("error", () => undefined);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (part: string) => (text += part));
  response.on("error", () => undefined);
  const ids = (): readonly number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  return { response, text: () => text, ids, leave: () => void request.destroy() };
}

async function has(one: Follower, ids: readonly number[]): Promise<void> {
  await until(
    async () => one.ids(),
    (seen) => seen.length >= ids.length,
  );
  assert.deepEqual(one.ids(), ids);
}

describe("following a log", () => {
  test("tells what is there, then what comes, each event once and only what fits", async (t) => {
    const harness = await readingHarness(t);
    await harness.send({ hypothesisId: "A" }, { hypothesisId: "B" });
    const all = await follower(t, harness);
    const some = await follower(t, harness, "&hypothesisId=A");
    assert.match(all.response.headers["content-type"] ?? "", /^text\/event-stream/);
    await has(all, [1, 2]);
    await harness.send({ hypothesisId: "B" }, { hypothesisId: "A", msg: "two\nlines" });
    await harness.send({ hypothesisId: "A" });
    await has(all, [1, 2, 3, 4, 5]);
    await has(some, [1, 4, 5]);
    const blocks = all
      .text()
      .split("\n\n")
      .filter((block) => block.startsWith("id: "));
    const events = blocks.map(
      (block) => JSON.parse(block.split("\ndata: ")[1] ?? "") as { readonly _seq: number },
    );
    assert.deepEqual(
      events.map(({ _seq }) => _seq),
      [1, 2, 3, 4, 5],
    );
  });

  test("goes on after Last-Event-ID, also over a cleared log, and begins with the last so many", async (t) => {
    const harness = await readingHarness(t);
    await harness.send({}, {}, {}, {});
    const again = await follower(t, harness, "", { "last-event-id": "2" });
    const last = await follower(t, harness, "&last=1");
    await has(again, [3, 4]);
    await has(last, [4]);
    await harness.clear();
    await harness.send({}, {});
    await has(again, [3, 4, 5, 6]);
    await has(last, [4, 5, 6]);
  });

  test("with a reader that does not read holds up nobody, and tells it all once it does", async (t) => {
    const harness = await readingHarness(t);
    const slow = await follower(t, harness);
    slow.response.pause();
    const message = "x".repeat(60_000);
    const batch = Array.from({ length: 16 }, () => ({ msg: message }));
    const quick = await follower(t, harness);
    for (let round = 0; round < 50; round++) await harness.send(...batch);
    const count = 50 * batch.length;
    await until(
      async () => quick.ids().length,
      (seen) => seen === count,
      30_000,
    );
    // What it has not taken is in the log: 48 MB were written meanwhile.
    assert.ok(slow.ids().length < count);
    slow.response.resume();
    await has(
      slow,
      Array.from({ length: count }, (_, at) => at + 1),
    );
  });

  test("ends with the client and with the server", async (t) => {
    const harness = await readingHarness(t);
    const [gone, stays] = [await follower(t, harness), await follower(t, harness)];
    gone.leave();
    await harness.send({});
    await has(stays, [1]);
    const closed = once(stays.response, "close");
    await harness.server.stop();
    await closed;
  });

  test("says that it waits when nothing comes, and leaves nothing behind when it ends", async (t) => {
    const listeners = new Set<() => void>();
    const log = {
      read: async () => ({ sources: [], close: async () => undefined }),
      facts: () => ({ seq: 0 }),
      onCommit: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const stop = new AbortController();
    const parts = follow(log, { segment: "all" }, stop.signal, 1);
    // Its timer keeps no process alive.
    const awake = setInterval(() => undefined, 1_000);
    t.after(() => clearInterval(awake));
    assert.equal((await parts.next()).value, ": following\n\n");
    assert.equal((await parts.next()).value, ": waiting\n\n");
    assert.equal(listeners.size, 1);
    stop.abort();
    assert.equal((await parts.next()).done, true);
    assert.equal(listeners.size, 0);
  });
});
