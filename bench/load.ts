import { Connection, type Exchange } from "./connection.ts";

export interface LoadOptions {
  readonly url: URL;
  readonly exchanges: readonly Exchange[];
  /** A multiple of the connections. */
  readonly requests: number;
  /** Default 50. */
  readonly connections?: number;
}

/** Longer than a server needs for one wave. */
const WAVE_MS = 4;

/**
 * Sends requests over keep-alive connections, in waves of one a connection, and holds every answer against the right
 * one. It sleeps while the server works: a reader that waits at its sockets costs the server several microseconds a
 * write, and a slow server more than a fast one, because the reader waits for it more often.
 * @throws Error for a wrong answer.
 */
export async function load({ url, exchanges, requests, connections = 50 }: LoadOptions): Promise<void> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let wave = 0; wave * connections < requests; wave += 1) {
    const asked = open.map((connection, index) =>
      connection.ask(exchanges[(wave + index) % exchanges.length] as Exchange),
    );
    Atomics.wait(clock, 0, 0, WAVE_MS);
    await Promise.all(asked);
  }
  for (const connection of open) connection.close();
}
