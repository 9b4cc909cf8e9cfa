import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import type { Claim } from "../ports/claim.ts";
import { isListening, listen, type Presence } from "./claim-socket.ts";

/** Of the path of a socket: 103 and a zero behind them on macOS. Where there is no /proc, a longer one cannot be had. */
const MOST_BYTES = 103;

/**
 * Holds a name by a socket file with the highest number of that name. To remove the file of a dead holder and make it
 * anew would let two take it over at once; so the next holder makes one with the next number, which only one can, and
 * removes the lower ones. The highest is never removed, not even on release: a slow process that still thinks of a
 * lower number as the highest sees it and gives way.
 */
export async function claimBySocketFile(name: string, folder: string): Promise<Claim | undefined> {
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
