import * as fs from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Claim, Claims } from "../ports/claim.ts";
import { nodeFiles } from "./files.ts";
import { quotedName } from "../quoted-name.ts";

/**
 * Names that are held by listening, on Windows at a named pipe, elsewhere at a socket file in the user's state folder,
 * where no other user gets at it. Whoever connects is hung up on. There are never two holders of a name in a state
 * folder.
 */
export function nodeClaims(stateFolder: string): Claims {
  return {
    claim: async (name) => {
      // Not imported: see standard-streams.ts. Short, because the path of a socket is.
      const { createHash } = process.getBuiltinModule("node:crypto");
      const hashed = createHash("sha256").update(`${stateFolder}\0${name}`).digest("hex").slice(0, 20);
      try {
        if (process.platform !== "win32") return await claimBySocketFile(hashed, join(stateFolder, "claims"));
        const server = await listen(`\\\\.\\pipe\\skillctl-${hashed}`);
        return server && { release: () => closed(server) };
      } catch (cause) {
        if (cause instanceof SkillError) throw cause;
        const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
        throw new SkillError(
          "CLAIM_FAILED",
          `It cannot be found out who holds the name ${quotedName(name)} (${code}).`,
          {
            cause,
            hint: "Look at the limit of open files, and at the rights of the state folder.",
          },
        );
      }
    },
  };
}

/** Listens at a path or pipe, without keeping the process alive; `undefined` when somebody does already. */
async function listen(address: string): Promise<Server | undefined> {
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
      resolve(server);
    });
  });
}

/** One that is closed already answers with an error, which is what was wanted. */
function closed(server: Server | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (server) server.close(() => resolve());
    else resolve();
  });
}

/** Whether somebody listens at a path. @throws as net does, for an answer that is neither */
async function isListening(path: string): Promise<boolean> {
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

/** Of the path of a socket: 103 and a zero behind them on macOS. Where there is no /proc, a longer one cannot be had. */
const MOST_BYTES = 103;

/**
 * Holds a name by a socket file with the highest number of that name. To remove the file of a dead holder and make it
 * anew would let two take it over at once; so the next holder makes one with the next number, which only one can, and
 * removes the lower ones. The highest is never removed, not even on release: a slow process that still thinks of a
 * lower number as the highest sees it and gives way.
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

/** Gives a listening socket the next number; `undefined` when the highest one has a holder, as `held` says. */
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

/** In a folder of somebody else, or open to others, anybody could take a name away. */
function refuseShared(folder: string): void {
  const facts = fs.lstatSync(folder);
  if (!facts.isDirectory() || (facts.mode & 0o077) !== 0 || facts.uid !== process.getuid?.())
    throw new Error(`${quotedName(folder)} is not this user's alone`);
}
