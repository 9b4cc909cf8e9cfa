/** Clearing while events come and questions are asked: F47 of the fault table. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { test, type TestContext } from "node:test";
import { ask, health, load, post } from "../client.ts";
import { FLAWLESS, History, logFiles } from "../history.ts";
import { debugServer, type DebugStart } from "../server-harness.ts";
import { careless } from "./careless.ts";

interface Seen {
  readonly n?: number;
  readonly _seq?: number;
}

/** An event that a clear has to leave in front of it or behind it, and the number of the clear. */
interface Fence {
  readonly number: number;
  readonly clear: number;
  readonly before: boolean;
}

/** Clears again and again under load, with an acknowledged event right before and right after each. */
async function cleared(t: TestContext, clears: number, start: DebugStart = {}) {
  const server = await debugServer(t, start);
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
      const events = status === 200 ? (JSON.parse(text) as readonly Seen[]) : [];
      const numbers = events.map(({ _seq = 0 }) => _seq);
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
  await post(server.url, history);
  const facts = await health(server.url);
  await server.kill();
  const files = await Promise.all((await logFiles(server.folder)).map((path) => readFile(path, "utf8")));
  const misplaced = fences.filter(({ number, clear, before }) => {
    const file = files[before ? clear - 1 : clear] ?? "";
    return !file.includes(`"n":${number},`);
  });
  return { facts, files: files.length, misplaced, crooked, verdict: await history.verdict(server.folder) };
}

test("F47 each event stands before a clear or after it, as it was acknowledged, and questions meanwhile see an order", async (t) => {
  const { facts, files, misplaced, crooked, verdict } = await cleared(t, 25);
  assert.deepEqual([files, facts.segment, misplaced, crooked], [26, 26, [], []]);
  assert.deepEqual(verdict, FLAWLESS);
});

test("F47 control: a collector that empties the file loses some, and puts others nowhere", async (t) => {
  const { verdict, misplaced } = await cleared(t, 5, careless("naming,emptying"));
  assert.notDeepEqual(verdict.lost, []);
  assert.notDeepEqual(misplaced, []);
});
