/** A place of listening that says only that its process lives. */
export interface Presence {
  /** A second call does nothing. */
  readonly close: () => Promise<void>;
}

/** Listens at a path or pipe, without keeping the process alive; `undefined` when somebody does already. */
export async function listen(address: string): Promise<Presence | undefined> {
  const { createServer } = await import("node:net");
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    // Exclusive: a worker of a cluster would share the place with its siblings.
    server.listen({ path: address, exclusive: true }, () => {
      // Who could not be accepted, for want of descriptors, learns by that too that the place is held.
      server.on("error", () => undefined);
      server.unref();
      resolve({
        close: () =>
          new Promise((closed) => {
            // It answers with an error when it is closed already, which is what was wanted.
            server.close(() => {
              closed();
            });
          }),
      });
    });
  });
}

/** Whether somebody listens at a path. @throws as net does, for an answer that is neither */
export async function isListening(path: string): Promise<boolean> {
  const { connect } = await import("node:net");
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
      // A place whose queue is full is one where somebody listens.
      else if (error.code === "EAGAIN" || error.code === "ECONNRESET") resolve(true);
      else reject(error);
    });
  });
}
