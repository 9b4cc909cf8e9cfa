import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a server has spent since it started. */
export interface Usage {
  readonly cpuMicroseconds: number;
  readonly peakKilobytes: number;
}

/** A server in a process of its own, which tells what it spends. */
export interface ServerProcess {
  /** Address of the greeting. */
  readonly url: URL;
  readonly usage: () => Promise<Usage>;
  readonly close: () => Promise<void>;
}

/** Starts a file of servers/. @throws Error when it ends before it listens. */
export async function startServer(file: string, argument: string, folder: string): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(`servers/${file}`, import.meta.url));
  const child = fork(path, [argument], {
    execArgv: [],
    cwd: folder,
    env: { HOME: folder },
    stdio: "inherit",
  });
  const { url } = (await message(child)) as { readonly url: string };
  return {
    url: new URL(url),
    usage: async () => {
      child.send("usage");
      return (await message(child)) as Usage;
    },
    close: async () => {
      const ended = once(child, "exit");
      child.send("close");
      await ended;
    },
  };
}

async function message(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  try {
    const exit = once(child, "exit", stop).then(([status]) => {
      throw new Error(`A server of the bench ended with the status ${status}.`);
    });
    const [received] = (await Promise.race([once(child, "message", stop), exit])) as readonly unknown[];
    return received;
  } finally {
    stop.abort();
  }
}
