import { createServer } from "node:net";

/** Opens a free port on this machine's own address and closes it again. Answers why that fails, or undefined. */
export function loopbackFault(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host: "127.0.0.1", port: 0 }, () => server.close(() => resolve(undefined)));
  });
}
