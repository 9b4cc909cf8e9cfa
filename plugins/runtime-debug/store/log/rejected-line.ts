import { Buffer } from "node:buffer";
import type { Rejection } from "../event/stamped.ts";
import { objectOf, ownLine } from "./line-text.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where a session goes on whose events were removed for good. */
export interface Purge {
  /** `_seq` of the last event before it. */
  readonly seq: number;
  /** Earlier segments than this one are removed. */
  readonly segment: number;
}

/** What a side file says. */
export interface RejectedFacts {
  /** Rejections in it. */
  readonly count: number;
  /** Those that found no room. */
  readonly more: number;
  /** The last purge; segment 1 and number 0 where there was none. */
  readonly purge: Purge;
}

/** One line of the side file: docs/runtime-debug.md, section Files. */
export function rejectedLine(
  rejection: Rejection,
  at: number,
  torn?: { log: string; offset: number },
): string {
  const { code, sentence: reason, bytes } = rejection;
  return ownLine({ _at: at, code, reason, ...torn, ...content(bytes) });
}

export function purgeLine({ seq, segment }: Purge, at: number): string {
  return ownLine({ _at: at, reason: "purged", seq, segment });
}

/** The line that says how many found no room until now. */
export function restLine(more: number, at: number): string {
  return ownLine({ _at: at, reason: "full: what was rejected from here on is only counted", more });
}

/** Reads a side file, or its beginning; a line that says nothing of the kind counts for nothing. */
export function rejectedFacts(text: string): RejectedFacts {
  let facts: RejectedFacts = { count: 0, more: 0, purge: { seq: 0, segment: 1 } };
  for (const line of text.split("\n")) {
    const { code, more, seq, segment } = objectOf(line) ?? {};
    if (typeof code === "string") facts = { ...facts, count: facts.count + 1 };
    else if (typeof more === "number") facts = { ...facts, more };
    else if (typeof seq === "number" && typeof segment === "number")
      facts = { ...facts, purge: { seq, segment } };
  }
  return facts;
}

function content(bytes: Uint8Array): { text: string } | { bytes_base64: string } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { bytes_base64: Buffer.from(bytes).toString("base64") };
  }
}
