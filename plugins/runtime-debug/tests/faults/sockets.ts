import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { lastly } from "../server-harness.ts";

/** A connection of which the test sends every byte by itself. */
export interface RawSocket {
  readonly socket: Socket;
  /** The bytes received so far. */
  readonly heard: () => string;
  /** Settles when it is closed, from whichever side. */
  readonly closed: Promise<unknown>;
}

export async function rawSocket(t: TestContext, port: number, first = ""): Promise<RawSocket> {
  const socket = connect(port, "127.0.0.1");
  lastly(t, async () => void socket.destroy());
  let heard = "";
  socket.setEncoding("latin1").on("data", (text: string) => (heard += text));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  if (first !== "") socket.write(first);
  return { socket, heard: () => heard, closed };
}

/** The head of a request that posts this many bytes. */
export function head(length: number | "chunked"): string {
  const framing = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  return `POST /event HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`;
}

/** The status of the first answer on a connection; `undefined` when none came before it was closed. */
export async function statusOn({ socket, heard, closed }: RawSocket): Promise<number | undefined> {
  while (!heard().includes("\r\n") && !socket.closed) await Promise.race([once(socket, "data"), closed]);
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(heard()) ?? [];
  return status === undefined ? undefined : Number(status);
}
