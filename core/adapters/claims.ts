import * as fs from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Claim, Claims } from "../ports/claim.ts";
import { nodeFiles } from "./files.ts";
import { quotedName } from "../quoted-name.ts";
import { sha256 } from "./sha256.ts";

/**
 * Holds names by listening: at a named pipe on Windows, elsewhere at a socket file in the user's state folder, which other
 * users cannot access. Connections are closed at once. A name never has two holders in a state folder.
 */
export function nodeClaims(stateFolder: string): Claims {
  return {
    claim: async (name) => {
      // Truncated, because socket paths are short.
      const hashed = sha256(`${stateFolder}\0${name}`).slice(0, 20);
      try {
        if (process.platform !== "win32") return await claimBySocketFile(hashed, join(stateFolder, "claims"));
        const server = await listen(`\\\\.\\pipe\\skillctl-${hashed}`);
        return server && { release: () => closed(server) };
      } catch (cause) {
        if (cause instanceof SkillError) throw cause;
        const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
        throw new SkillError(
          "CLAIM_FAILED",
          `The holder of the name ${quotedName(name)} cannot be determined (${code}).`,
          {
            cause,
            hint: "Check the limit of open files and the permissions of the state folder.",
          },
        );
      }
    },
  };
}

/** Listens at a path or pipe without keeping the process alive; `undefined` if another process already does. */
async function listen(address: string): Promise<Server | undefined> {
  const { createServer } = await import("node:net");
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    // Exclusive: workers of a cluster would share the address with their siblings.
    server.listen({ path: address, exclusive: true }, () => {
      // A connection that fails for want of descriptors still tells its client that the name is held.
      server.on("error", () => undefined);
      server.unref();
      resolve(server);
    });
  });
}

/** Closes a server. An error means that it is already closed. */
function closed(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (server) server.close(() => resolve());
    else resolve();
  });
}

/** Whether a process listens at a path. @throws the error of net if that is unknown */
async function isListening(path: string): Promise<boolean> {
  const { connect } = await import("node:net");
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
      // A full queue means that a process listens.
      else if (error.code === "EAGAIN" || error.code === "ECONNRESET") resolve(true);
      else reject(error);
    });
  });
}

/** Bytes of the longest socket path: 103 and a terminating zero on macOS. Longer paths need /proc. */
const MOST_BYTES = 103;

/**
 * Holds a name by the socket file with its highest number. Removing the file of a dead holder and creating it again would
 * let two processes take over at once. Therefore the next holder creates the file with the next number, which only one
 * process can, and removes the lower ones. The highest is never removed, not even on release: a slow process that has
 * seen a lower one as the highest then sees it and gives way.
 */
async function claimBySocketFile(name: string, folder: string): Promise<Claim | undefined> {
  await nodeFiles.makeFolder(folder);
  refuseShared(folder);
  const first = `${name}-${process.getBuiltinModule("node:crypto").randomBytes(4).toString("hex")}`;
  const isShort = Buffer.byteLength(join(folder, first)) <= MOST_BYTES;
  const opened = isShort ? undefined : await fs.promises.open(folder, "r");
  const path = opened ? `/proc/self/fd/${opened.fd}` : folder;
  let server: Server | undefined;
  const release = async (): Promise<void> => {
    await closed(server);
    await opened?.close();
  };
  try {
    server = await listen(join(path, first));
    if (server && (await numbered(join(path, first), path, name)) !== undefined) return { release };
  } catch (caught) {
    await release();
    throw caught;
  }
  await release();
  return undefined;
}

/** Gives a listening socket the next number; `undefined` if the highest number has a holder, according to `held`. */
export async function numbered(
  socket: string,
  folder: string,
  name: string,
  held: (path: string) => Promise<boolean> = isListening,
): Promise<number | undefined> {
  const at = (number: number): string => join(folder, `${name}.${number}`);
  const numbers = (): readonly number[] =>
    fs
      .readdirSync(folder)
      .filter((file) => file.startsWith(`${name}.`))
      .map((file) => Number(file.slice(name.length + 1)));
  for (;;) {
    const highest = Math.max(0, ...numbers());
    if (highest > 0 && (await held(at(highest)))) return undefined;
    const number = highest + 1;
    try {
      fs.linkSync(socket, at(number));
    } catch (caught) {
      if ((caught as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw caught;
    }
    const others = numbers().filter((other) => other !== number);
    const isLate = others.some((other) => other > number);
    for (const old of isLate ? [number] : others) fs.rmSync(at(old), { force: true });
    if (isLate) continue;
    fs.rmSync(socket, { force: true });
    return number;
  }
}

/** Refuses a folder that others own or can write to, because they could take a name away. */
function refuseShared(folder: string): void {
  const facts = fs.lstatSync(folder);
  if (!facts.isDirectory() || (facts.mode & 0o077) !== 0 || facts.uid !== process.getuid?.())
    throw new Error(`${quotedName(folder)} is not a private folder`);
}
