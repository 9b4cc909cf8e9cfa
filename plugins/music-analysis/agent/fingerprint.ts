import { sha256 } from "../verbatim-reply-rule.ts";

/** Tells a text again without keeping it: the creator's figures do not lie about in the state folder. */
export interface Fingerprint {
  /** How it begins: at most 16 UTF-16 units. */
  readonly head: string;
  /** In UTF-16 units, at least 1. */
  readonly length: number;
  /** Of its UTF-8, hexadecimal. */
  readonly sha256: string;
}

/** Where a text stands in another; `end` is behind it. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const HEAD_LENGTH = 16;

/** Line feeds at the end do not count: the command line adds one. */
export function fingerprintOf(text: string): Fingerprint {
  const bare = text.replace(/\n+$/, "");
  return { head: bare.slice(0, HEAD_LENGTH), length: bare.length, sha256: sha256(bare) };
}

/** Where the text of a fingerprint stands in an answer, character for character; undefined when it does not. */
export function placeOf({ head, length, sha256: wanted }: Fingerprint, answer: string): Place | undefined {
  for (let start = answer.indexOf(head); start >= 0; start = answer.indexOf(head, start + 1)) {
    const end = start + length;
    if (end > answer.length) return undefined;
    if (sha256(answer.slice(start, end)) === wanted) return { start, end };
  }
  return undefined;
}
