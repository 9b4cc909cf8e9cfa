import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Claim } from "../ports/claim.ts";
import { isListening, listen } from "./claim-socket.ts";

/** Of the path of a socket, on macOS; a path of 103 bytes and the zero behind it. */
const MOST_BYTES = 103;

/**
 * Holds a name by a socket file with the highest number of that name. To remove the file of a dead holder and make it
 * anew would let two take it over at once; so the next holder makes one with the next number, which only one can, and
 * removes the lower ones. The highest is never removed, not even on release: a slow process that still thinks of a
 * lower number as the highest sees it and gives way.
 */
export async function claimBySocketFile(name: string, place: string): Promise<Claim | undefined> {
  const folder = shortened(place, name);
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  refuseShared(folder);
  const first = join(folder, `${name}-${randomBytes(4).toString("hex")}`);
  const presence = await listen(first);
  if (!presence) return undefined;
  try {
    const number = await numbered(first, join(folder, name));
    if (number !== undefined) return { release: () => presence.close() };
  } catch (caught) {
    await presence.close();
    throw caught;
  }
  await presence.close();
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

/** The folder itself, or where its path is too long for a socket one of its own in the temporary folder. */
function shortened(folder: string, name: string): string {
  if (Buffer.byteLength(join(folder, `${name}-00000000`)) <= MOST_BYTES) return folder;
  return join(tmpdir(), `skillctl-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`);
}

/** In a folder of somebody else, or open to others, anybody could take a name away. */
function refuseShared(folder: string): void {
  const { mode, uid } = fs.lstatSync(folder);
  const own = fs.lstatSync(folder).isDirectory() && (mode & 0o077) === 0 && uid === process.getuid?.();
  if (!own) throw new Error(`${folder} is not this user's alone`);
}
