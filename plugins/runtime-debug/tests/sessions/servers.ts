import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** What a server writes down about itself. */
export interface ServerNote {
  /** Without `/event`. */
  readonly url: string;
  readonly pid: number;
  readonly instance: string;
}

/** Who serves, or has served, a session in the folder of a project. */
export async function serversIn(project: string): Promise<readonly ServerNote[]> {
  const place = join(project, ".dbg");
  const names = await readdir(place).catch(() => [] as string[]);
  const own = names.filter((name) => name.endsWith(".server.json"));
  return Promise.all(
    own.map(async (name) => JSON.parse(await readFile(join(place, name), "utf8")) as ServerNote),
  );
}

/** Ends what a test that fails has left running, when it is the server that it says it is. */
export async function endServersIn(project: string): Promise<void> {
  for (const { url, pid, instance } of await serversIn(project)) {
    const alive = await fetch(`${url}/health`).then(
      (answer) => answer.json() as Promise<Partial<ServerNote>>,
      () => undefined,
    );
    if (alive?.instance === instance) process.kill(pid, "SIGKILL");
  }
}
