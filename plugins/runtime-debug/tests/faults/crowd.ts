import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { lastly } from "../server-harness.ts";

const PROGRAM = fileURLToPath(new URL("crowd-process.mjs", import.meta.url));

/** Connections from elsewhere. */
export interface Crowd {
  readonly leave: () => Promise<void>;
}

/** Opens so many connections that send half a head, and holds them. */
export async function holding(t: TestContext, port: number, count: number): Promise<Crowd> {
  const child = spawn(process.execPath, [PROGRAM, String(port), String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const leave = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  lastly(t, leave);
  await Promise.race([once(child.stdout, "data"), gone]);
  return { leave };
}
