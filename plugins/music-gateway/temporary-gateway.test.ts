import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Call, Clock, Environment } from "skillctl";
import { nodePorts } from "skillctl/host";
import { ChatSyncRoute } from "./chat-sync-route.ts";
import { Engine } from "./engine.ts";
import { GatewayKey } from "./gateway-key.ts";
import { Library } from "./library.ts";
import { Quota } from "./quota.ts";
import { Rehearsal } from "./rehearsal.ts";

/** 2026-11-01, 10:00 in Shanghai. */
export const NOW_MS = Date.UTC(2026, 10, 1, 2);

/** A test, or whatever else does things at its end. */
interface CleanUp {
  readonly after: (action: () => Promise<void>) => void;
}

/** The parts of the plugin over real files in a temporary folder, removed after the test. */
export async function gatewayIn(context: CleanUp, shared?: string) {
  const folder = shared ?? (await mkdtemp(join(tmpdir(), "music-gateway-")));
  const time = { nowMs: NOW_MS };
  const clock: Clock = { now: () => time.nowMs, monotonicMs: () => 0 };
  const environment: Environment = {
    variable: () => undefined,
    home: folder,
    workingFolder: folder,
    stateFolder: join(folder, "state"),
    addresses: () => [],
  };
  const { files } = nodePorts();
  const library = new Library(files, environment);
  const engine = new Engine(library);
  const quota = new Quota(files, clock, library);
  const key = new GatewayKey();
  const notices: string[] = [];
  const rehearsal = new Rehearsal({ notice: (line) => void notices.push(line), detail: () => undefined });
  const route = new ChatSyncRoute(engine, quota, key, clock, rehearsal);
  context.after(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, time, environment, library, engine, quota, key, rehearsal, notices, route };
}

/** A call that nobody aborts and whose announcements are kept. */
export function quietCall(signal: AbortSignal = new AbortController().signal) {
  const announced: string[] = [];
  const call: Call = {
    surface: "host",
    signal,
    progress: () => undefined,
    announce: (text) => void announced.push(text),
  };
  return { call, announced };
}

test("a temporary gateway has a folder of its own, which is gone after the test", async (context) => {
  let folder = "";
  await context.test("inside", async (inner) => {
    ({ folder } = await gatewayIn(inner));
    assert.ok((await stat(folder)).isDirectory());
  });
  await assert.rejects(stat(folder), { code: "ENOENT" });
});
