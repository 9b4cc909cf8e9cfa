import { createServer } from "node:net";

/** Opens and closes a free loopback port. Returns the reason of a failure, or undefined. */
export function loopbackFault(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host: "127.0.0.1", port: 0 }, () => server.close(() => resolve(undefined)));
  });
}
