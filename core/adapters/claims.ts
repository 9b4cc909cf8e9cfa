import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Claim, Claims } from "../ports/claim.ts";

/**
 * Names that are held by listening, on Windows at a named pipe, elsewhere at a socket file in the user's state folder,
 * where no other user gets at it. Whoever connects is hung up on. There are never two holders of a name in a state
 * folder.
 */
export function nodeClaims(stateFolder: string): Claims {
  return {
    claim: async (name) => {
      try {
        const hashed = await hash(`${stateFolder}\0${name}`);
        if (process.platform === "win32") return await claimed(`\\\\.\\pipe\\skillctl-${hashed}`);
        return await claimBySocketFile(hashed, join(stateFolder, "claims"));
      } catch (caught) {
        throw failed(name, caught);
      }
    },
  };
}

async function claimed(address: string): Promise<Claim | undefined> {
  const server = await listen(address);
  return server && { release: () => server.close() };
}

/** Short, because the path of a socket is. */
async function hash(name: string): Promise<string> {
  // On demand: crypto costs every start several milliseconds.
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(name).digest("hex").slice(0, 20);
}

function failed(name: string, cause: unknown): SkillError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new SkillError("CLAIM_FAILED", `It cannot be found out who holds the name ${name} (${code}).`, {
    cause,
    hint: "Look at the limit of open files, and at the rights of the state folder.",
  });
}

/** A place of listening that says only that its process lives. */
interface Presence {
  /** A second call does nothing. */
  readonly close: () => Promise<void>;
}

/** Listens at a path or pipe, without keeping the process alive; `undefined` when somebody does already. */
async function listen(address: string): Promise<Presence | undefined> {
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
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  refuseShared(folder);
  const { path, close } = reachable(folder, name);
  let presence: Presence | undefined;
  const release = async (): Promise<void> => {
    await presence?.close();
    close();
  };
  try {
    const first = join(path, `${name}-${randomBytes(4).toString("hex")}`);
    presence = await listen(first);
    if (presence && (await numbered(first, join(path, name))) !== undefined) return { release };
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
  base: string,
  held: (path: string) => Promise<boolean> = isListening,
): Promise<number | undefined> {
  for (;;) {
    const highest = Math.max(0, ...numbers(base));
    if (highest > 0 && (await held(`${base}.${highest}`))) return undefined;
    const number = highest + 1;
    if (!linked(socket, `${base}.${number}`)) continue;
    const others = numbers(base).filter((other) => other !== number);
    const late = others.some((other) => other > number);
    for (const old of late ? [number] : others) fs.rmSync(`${base}.${old}`, { force: true });
    if (late) continue;
    fs.rmSync(socket, { force: true });
    return number;
  }
}

function numbers(base: string): readonly number[] {
  const folder = join(base, "..");
  const prefix = base.slice(folder.length + 1);
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(`${prefix}.`))
    .map((name) => Number(name.slice(prefix.length + 1)));
}

function linked(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw caught;
  }
}

/** A path of the folder that is short enough for sockets in it: its own, or that of an open descriptor. */
function reachable(folder: string, name: string): { readonly path: string; readonly close: () => void } {
  if (Buffer.byteLength(join(folder, `${name}-00000000`)) <= MOST_BYTES)
    return { path: folder, close: () => {} };
  let descriptor: number | undefined = fs.openSync(folder, "r");
  const close = (): void => {
    if (descriptor !== undefined) fs.closeSync(descriptor);
    descriptor = undefined;
  };
  return { path: `/proc/self/fd/${descriptor}`, close };
}

/** In a folder of somebody else, or open to others, anybody could take a name away. */
function refuseShared(folder: string): void {
  const { mode, uid } = fs.lstatSync(folder);
  const own = fs.lstatSync(folder).isDirectory() && (mode & 0o077) === 0 && uid === process.getuid?.();
  if (!own) throw new Error(`${folder} is not this user's alone`);
}
