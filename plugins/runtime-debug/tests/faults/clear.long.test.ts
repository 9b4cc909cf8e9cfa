/** Clearing while events come and questions are asked: F47 of the fault table. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { test } from "node:test";
import { ask, health, load, post } from "../client.ts";
import { FLAWLESS, History, logFiles } from "../history.ts";
import { debugServer } from "../server-harness.ts";

/** An event that a clear must leave before it or after it, and the number of the clear. */
interface Fence {
  readonly number: number;
  readonly clear: number;
  readonly before: boolean;
}

test("F47 each event is before a clear or after it, as it was acknowledged, and concurrent queries see a consistent order", async (t) => {
  const clears = 25;
  const server = await debugServer(t);
  const history = new History();
  const posting = load(server.url, history, 6);
  const fences: Fence[] = [];
  const fence = async (clear: number, before: boolean): Promise<void> => {
    const event = history.next(100);
    const { status } = await ask(server.url, { body: event.body });
    history.note(event, status);
    fences.push({ number: event.number, clear, before });
  };
  const halt = new AbortController();
  const crooked: string[] = [];
  const reader = (async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!halt.signal.aborted) {
      const { status, text } = await ask(server.url, { path: "/logs?last=50", agent });
      const events = status === 200 ? (JSON.parse(text) as readonly { readonly _seq: number }[]) : [];
      const numbers = events.map(({ _seq }) => _seq);
      if (status !== 200 || numbers.some((seq, index) => index > 0 && seq <= (numbers[index - 1] ?? 0)))
        crooked.push(text);
    }
    agent.destroy();
  })();
  for (let clear = 1; clear <= clears; clear += 1) {
    await fence(clear, true);
    const told = await ask(server.url, { path: "/logs", method: "DELETE" });
    assert.equal(told.status, 200);
    await fence(clear, false);
  }
  await posting.stop();
  halt.abort();
  await reader;
  assert.deepEqual(crooked, []);
  await post(server.url, history);
  assert.equal((await health(server.url)).segment, clears + 1);
  await server.kill();
  const files = await Promise.all((await logFiles(server.folder)).map((path) => readFile(path, "utf8")));
  assert.equal(files.length, clears + 1);
  for (const { number, clear, before } of fences)
    assert.ok(files[before ? clear - 1 : clear]?.includes(`"n":${number},`), `${number} at clear ${clear}`);
  assert.deepEqual(await history.verdict(server.folder), FLAWLESS);
});
