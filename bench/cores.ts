import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const SERVER_CORE = "0";
const LOAD_CORE = "1";

/** Whether a server and its load can have a core each: two cores, and the program `taskset`. */
const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** Words before a server's own, which put it on the first core. */
export const onServerCore: readonly string[] = canPin ? ["taskset", "-c", SERVER_CORE] : [];

/** What the describing sentence says of the cores. */
export const coresTold = canPin ? "server and load on a core each" : "server and load on shared cores";

/** Runs with this process, which makes the load, on the second core. */
export async function onLoadCore<T>(run: () => Promise<T>): Promise<T> {
  if (!canPin) return run();
  const before = affinity();
  pin(LOAD_CORE);
  try {
    return await run();
  } finally {
    pin(before);
  }
}

function affinity(): string {
  const { stdout } = spawnSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" });
  return stdout.slice(stdout.lastIndexOf(":") + 1).trim();
}

function pin(cores: string): void {
  const { status, stderr } = spawnSync("taskset", ["-acp", cores, String(process.pid)], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The load cannot be put on core ${cores}: ${stderr}`);
}
