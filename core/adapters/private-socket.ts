import * as fs from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";

/** A socket file in a folder of this user alone. */
export interface PrivateSocket {
  /** Whether the file is there and still this one. */
  readonly isOurs: () => boolean;
  /** Stops listening and removes the file if it is still ours. Open connections go on. */
  readonly close: () => Promise<void>;
}

/**
 * Listens at a path. The folder is made when it is missing; what stands at the path goes, so
 * that the caller has to see to it that there is one listener only.
 * @throws Error when the folder belongs to somebody else
 */
export async function listenPrivately(path: string, serve: (socket: Socket) => void): Promise<PrivateSocket> {
  const folder = dirname(path);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const facts = fs.lstatSync(folder);
  if (!facts.isDirectory() || facts.uid !== process.getuid?.())
    throw new Error(`${folder} is no folder of this user.`);
  if ((facts.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
  const server = createServer({ allowHalfOpen: true }, serve);
  // When it is closed libuv removes the name that it was given, whatever stands there by then: so it gets another one.
  const first = `${path}.${process.pid}`;
  fs.rmSync(first, { force: true });
  await listening(server, first);
  fs.renameSync(first, path);
  const { ino } = fs.lstatSync(path);
  const isOurs = (): boolean => fs.lstatSync(path, { throwIfNoEntry: false })?.ino === ino;
  return {
    isOurs,
    close: async () => {
      if (isOurs()) fs.rmSync(path, { force: true });
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, backlog: 511, exclusive: true }, () => {
      server.off("error", reject);
      // Who cannot be accepted, for want of descriptors, is answered by the cold program.
      server.on("error", () => undefined);
      resolve();
    });
  });
}
