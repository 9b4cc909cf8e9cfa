import { once } from "node:events";
import { connect } from "node:net";
import { postHead } from "./socket-client.ts";

const CHUNK = Buffer.alloc(64 * 1024, " ");

/**
 * Posts a body of so many bytes the way simple clients do: all of it is written before a byte of the answer is read.
 * Answers the status line. @throws Error when the connection breaks before.
 */
export async function oversized(url: URL, bytes: number): Promise<string> {
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  const failed = once(socket, "error").then(([error]) => {
    throw error as Error;
  });
  const all = written();
  return Promise.race([failed, all]);

  async function written(): Promise<string> {
    await once(socket, "connect");
    socket.pause();
    socket.write(postHead(url, bytes, true));
    for (let sent = 0; sent < bytes; sent += CHUNK.length)
      if (!socket.write(CHUNK.subarray(0, bytes - sent))) await once(socket, "drain");
    const answer = once(socket.setEncoding("latin1"), "data");
    socket.resume();
    const [text] = (await answer) as [string];
    socket.destroy();
    return text.slice(0, text.indexOf("\r\n"));
  }
}
