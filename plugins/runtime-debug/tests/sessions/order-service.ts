import { spawn } from "node:child_process";
import { once } from "node:events";
import { surroundings } from "../program-run.ts";
import type { Stage } from "./program.ts";

/** Starts the service, orders a mug three times at once, and answers the statuses. */
export async function ordered({ folder, out, arrived }: Stage): Promise<string> {
  const child = spawn(process.execPath, ["service.js"], { cwd: folder, env: surroundings(out) });
  const ended = once(child, "close");
  let failed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (failed += text));
  try {
    const listening = once(child.stdout.setEncoding("utf8"), "data") as Promise<[string]>;
    const died = ended.then(() => Promise.reject(new Error(`The service has ended: ${failed}`)));
    const [port] = await Promise.race([listening, died]);
    const body = JSON.stringify({ article: "mug", count: 1 });
    const order = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port.trim()}/`, { method: "POST", body });
      await answer.text();
      return answer.status;
    };
    const statuses = await Promise.all([order(), order(), order()]);
    await arrived();
    return statuses.toSorted((a, b) => a - b).join(" ");
  } finally {
    child.kill("SIGKILL");
    await ended.catch(() => undefined);
  }
}
