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

/** What a line of the side file says. */
export interface RejectedRow {
  /** 1 for a rejection. */
  readonly count: number;
  /** How many found no room until then; 0 where it does not say. */
  readonly more: number;
  readonly purge?: Purge;
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

/** Reads a line; one that says nothing of the kind stands for no rejection. */
export function rejectedRow(line: string): RejectedRow {
  const { code, more, seq, segment } = objectOf(line) ?? {};
  if (typeof code === "string") return { count: 1, more: 0 };
  if (typeof more === "number") return { count: 0, more };
  return typeof seq === "number" && typeof segment === "number"
    ? { count: 0, more: 0, purge: { seq, segment } }
    : { count: 0, more: 0 };
}

function content(bytes: Uint8Array): { text: string } | { bytes_base64: string } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { bytes_base64: Buffer.from(bytes).toString("base64") };
  }
}
