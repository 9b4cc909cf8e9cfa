import { OTHER, type EventKeys } from "../event/stamped.ts";
import { textHash } from "./hash.ts";
import { WORDS } from "./records.ts";

/**
 * An index on the disk: LOG.idx holds a header and the records as they are in memory, LOG.keys a header line and one
 * line a key. Both headers and every check hold one random number, so that what was not written together is not
 * believed together. Words are in the order of the machine; a file from a machine of the other order has no magic.
 */
export const HEADER_BYTES = 32;
const MAGIC = 0x736b6978;
const VERSION = 1;

export interface SidecarHeader {
  /** 32 random bits. */
  readonly nonce: number;
  /** Tells the log: a hash of its first line. */
  readonly log: number;
  /** What is added to the numbers in the records. */
  readonly base: number;
}

export function headerBytes({ nonce, log, base }: SidecarHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const words = new Uint32Array(bytes.buffer);
  new Float64Array(bytes.buffer)[2] = base;
  words.set([MAGIC, VERSION, nonce, log]);
  words[6] = headerCheck(words);
  return bytes;
}

export function readHeader(bytes: Uint8Array): SidecarHeader | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  // A copy, since what was read may lie anywhere in its buffer.
  const own = new Uint8Array(bytes.subarray(0, HEADER_BYTES));
  const words = new Uint32Array(own.buffer);
  const [magic, version, nonce = 0, log = 0] = words;
  const base = new Float64Array(own.buffer)[2] ?? 0;
  const fits = magic === MAGIC && version === VERSION && words[6] === headerCheck(words);
  return fits ? { nonce, log, base } : undefined;
}

/** Copies records, each with its check in the upper half of its last word. */
export function withChecks(words: Uint32Array, nonce: number): Uint32Array {
  const copy = words.slice();
  for (let at = 0; at < copy.length; at += WORDS) {
    const key = copy[at + 3] ?? 0;
    copy[at + 3] = key + checkOf(copy, at, key, nonce) * 65_536;
  }
  return copy;
}

/** Takes the checks off, in place; false when one does not hold. */
export function takeChecks(words: Uint32Array, nonce: number): boolean {
  for (let at = 0; at < words.length; at += WORDS) {
    const last = words[at + 3] ?? 0;
    const key = last & 0xffff;
    if (last >>> 16 !== checkOf(words, at, key, nonce)) return false;
    words[at + 3] = key;
  }
  return true;
}

/** A line of LOG.keys. */
export function keyLine(keys: EventKeys, nonce: number): string {
  const { hypothesis, run, location, probe } = keys;
  const parts = JSON.stringify(keys === OTHER ? [] : [hypothesis, run, location, probe]);
  return `${(textHash(parts) ^ nonce) >>> 0} ${parts}\n`;
}

export function keysHeader(nonce: number): string {
  return keyLine(OTHER, nonce);
}

/** What a line of LOG.keys, without its line feed, holds. */
export function readKeyLine(line: string, nonce: number): EventKeys | undefined {
  const space = line.indexOf(" ");
  const parts = line.slice(space + 1);
  if (line.slice(0, space) !== String((textHash(parts) ^ nonce) >>> 0)) return undefined;
  const [hypothesis, run = "", location = "", probe = ""] = JSON.parse(parts) as readonly string[];
  return hypothesis === undefined ? OTHER : { hypothesis, run, location, probe };
}

function checkOf(words: Uint32Array, at: number, key: number, nonce: number): number {
  let hash = Math.imul((words[at] ?? 0) ^ nonce, 0x9e3779b1);
  hash = Math.imul((hash ^ (hash >>> 15)) + (words[at + 1] ?? 0), 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 13)) + (words[at + 2] ?? 0), 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 16)) + key, 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 16;
}

function headerCheck(words: Uint32Array): number {
  return textHash(words.subarray(0, 6).join(" "));
}
