import { setTimeout as pause } from "node:timers/promises";
import type { DebugServer } from "../server-harness.ts";

/** Whether a server has ended by itself within so many seconds. */
export async function ends({ ended }: DebugServer, seconds: number): Promise<boolean> {
  const halt = new AbortController();
  const late = pause(seconds * 1_000, false, { signal: halt.signal }).catch(() => false);
  const result = await Promise.race([ended.then(() => true), late]);
  halt.abort();
  return result;
}
