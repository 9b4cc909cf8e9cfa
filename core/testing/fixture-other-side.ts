import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A real server on loopback. */
export interface TestServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Method and path of every received request. */
  readonly seen: readonly string[];
}

const IDLE_MS = 120_000;

/** Serves HTTP until the test ends. */
export async function otherSide(t: TestContext, answer: RequestListener): Promise<TestServer> {
  const seen: string[] = [];
  // If an idle connection were closed while a busy client reuses it, the request would fail.
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

/** Accepts connections until the test ends and passes each to `taken`. Returns the address. */
export async function bareSide(t: TestContext, taken: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy()).resume();
    taken(socket);
  });
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return listening(server);
}

/** The address of a port without a listener. */
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
