import { joined, tidied } from "./paths.ts";
import type { Facts, Folders } from "./facts.ts";

/** The files that a descriptor is open with; `undefined` when that is not known. Those that are no files are left out. */
export type Descriptors = ReadonlyMap<number, readonly string[] | undefined>;

/** Descriptors that a variable stands for begin here (Bash manual 3.6). */
export const FIRST_NAMED = 10;
/** Stands for every descriptor that is not named. */
const ANY = -1;
const STANDARD: Readonly<Record<string, number>> = { stdin: 0, stdout: 1, stderr: 2 };
const OWN = /^\/(?:dev|proc\/(?:self|thread-self)(?:\/task\/\d+)?)\/fd\/(\d+)$/;
const OF_ANOTHER = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/fd\//;

/** At some other time: what the descriptors lead to is not known. */
export const ANY_DESCRIPTOR: Descriptors = new Map([[ANY, undefined]]);

/** A file that is opened by its path; a path such as `/dev/fd/5` opens anew what the descriptor is open with. */
export function filesBehind(
  path: string,
  cwds: Folders,
  descriptors: Descriptors,
): readonly string[] | undefined {
  const files: string[] = [];
  for (const cwd of cwds ?? [undefined]) {
    const whole = joined(path, cwd);
    if (whole === undefined) return undefined;
    const number = descriptorOf(tidied(whole));
    const found = number === undefined ? [whole] : openWith(number, descriptors);
    if (!found) return undefined;
    files.push(...found);
  }
  return files;
}

/** What is written by way of `/dev/fd/5` and its kin. */
export function reopened(path: string, cwds: Folders, descriptors: Descriptors, facts: Facts): void {
  for (const cwd of cwds ?? [undefined]) {
    const whole = joined(path, cwd);
    const number = whole === undefined ? undefined : descriptorOf(tidied(whole));
    if (number === undefined) continue;
    const files = openWith(number, descriptors);
    if (!files) facts.unknown("write");
    for (const file of files ?? []) facts.write(file, undefined);
  }
}

function descriptorOf(path: string): number | undefined {
  const own = STANDARD[path.replace(/^\/dev\//, "")] ?? OWN.exec(path)?.[1];
  if (own !== undefined) return Number(own);
  return OF_ANOTHER.test(path) ? Number.NaN : undefined;
}

function openWith(number: number, descriptors: Descriptors): readonly string[] | undefined {
  if (Number.isNaN(number)) return undefined;
  const found =
    descriptors.has(number) || number === 1 || number === 2 ? [number] : descriptors.has(ANY) ? [ANY] : [];
  if (number >= FIRST_NAMED && number !== FIRST_NAMED && descriptors.has(FIRST_NAMED))
    found.push(FIRST_NAMED);
  const all: string[] = [];
  for (const each of found) {
    const files = descriptors.has(each) ? descriptors.get(each) : [];
    if (!files) return undefined;
    all.push(...files);
  }
  return all;
}

/** Either the one or the other. */
export function eitherDescriptors(one: Descriptors, other: Descriptors): Descriptors {
  if (one === other) return one;
  const both = new Map(one);
  for (const [number, files] of other) {
    const mine = both.has(number) ? both.get(number) : [];
    both.set(number, mine && files && [...new Set([...mine, ...files])]);
  }
  return both;
}
