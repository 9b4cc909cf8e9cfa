import { textHash } from "./hash.ts";
import { WORDS } from "./records.ts";

/**
 * An index on the disk: LOG.idx holds a header and the records as they are in memory, LOG.keys the keys
 * (`sidecar-keys.ts`). Both headers and every check hold one random number, so that what was not written together is not
 * believed together. Words are in the order of the machine; a file from a machine of the other order has no magic.
 */
export const HEADER_BYTES = 32;
const MAGIC = 0x736b6978;
const VERSION = 2;

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
  turnChecks(copy, nonce);
  return copy;
}

/** Takes the checks off, in place; false when one does not hold. */
export function takeChecks(words: Uint32Array, nonce: number): boolean {
  return turnChecks(words, nonce) >>> 16 === 0;
}

/**
 * Puts checks on, or takes them off again: then the upper half of the answer is 0 when all hold. A cold start looks at
 * thousands of records before any of this is compiled, so there are few steps, and no number beyond 31 bits and a sign.
 */
function turnChecks(words: Uint32Array, nonce: number): number {
  const signed = new Int32Array(words.buffer, words.byteOffset, words.length);
  const seed = nonce | 0;
  let all = 0;
  for (let at = 0; at < signed.length; at += WORDS) {
    const number = signed[at + 1] as number;
    const trace = signed[at + 2] as number;
    const last = signed[at + 3] as number;
    const turned = (number << 7) ^ (number >>> 25) ^ (trace << 13) ^ (trace >>> 19);
    const hash = (signed[at] as number) ^ seed ^ turned ^ (last & 0xffff);
    const other = last ^ ((hash ^ (hash >>> 16)) << 16);
    signed[at + 3] = other;
    all |= other;
  }
  return all;
}

function headerCheck(words: Uint32Array): number {
  return textHash(words.subarray(0, 6).join(" "));
}
