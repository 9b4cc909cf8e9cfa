import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A real server on the loopback. */
export interface OtherSide {
  /** Without a trailing slash. */
  readonly url: string;
  /** Method and path of every request that came in. */
  readonly seen: readonly string[];
}

const IDLE_MS = 120_000;

/** Serves HTTP until the test ends. */
export async function otherSide(t: TestContext, answer: RequestListener): Promise<OtherSide> {
  const seen: string[] = [];
  // A connection that is closed for its idleness while a busy client takes it up again breaks its request.
  const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const url = await listening(server);
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url, seen };
}

/** Takes connections until the test ends; what is done with each is the caller's. Answers the address. */
export async function bareSide(t: TestContext, taken: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy()).resume();
    taken(socket);
  });
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return listening(server);
}

/** The address of a port where nobody listens any more. */
export async function desertedSide(): Promise<string> {
  const server = createTcpServer();
  const url = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
