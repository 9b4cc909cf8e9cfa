import cluster, { type Worker } from "node:cluster";
import { jsonValue } from "../schema/json.ts";

/** A process of this program that shares its listening sockets with its predecessor and successor. */
export interface ServedWorker {
  /** The first JSON document on its standard output; undefined if it ends without one. */
  readonly answer: Promise<unknown>;
  /** Resolves with its exit status. */
  readonly ended: Promise<number>;
  /** Stops new connections to it, and asks it to finish its requests and exit. */
  readonly stop: () => void;
}

/** Starts a Node script with arguments; its standard error goes to `err`. */
export function startWorker(
  script: string,
  words: readonly string[],
  err: (text: string) => void,
): ServedWorker {
  cluster.setupPrimary({ exec: script, args: [...words], silent: true });
  const worker: Worker = cluster.fork();
  worker.process.stderr?.on("data", (chunk: Buffer) => err(chunk.toString("utf8")));
  const ended = new Promise<number>((resolve) => worker.once("exit", (status) => resolve(status ?? 1)));
  let text = "";
  const answer = new Promise<unknown>((resolve) => {
    worker.process.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const value = jsonValue(text);
      if (value !== undefined) resolve(value);
    });
    void ended.then(() => resolve(undefined));
  });
  const stop = (): void => {
    // With the signal alone it would accept connections until it has handled the signal.
    if (worker.isConnected()) worker.disconnect();
    worker.process.kill("SIGTERM");
  };
  return { answer, ended, stop };
}
