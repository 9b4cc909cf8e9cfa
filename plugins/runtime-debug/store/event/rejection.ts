import { redact } from "./redaction.ts";
import type { Rejection } from "./stamped.ts";

/** Why a body, or a part of it, is no event: the code, and how the sentence goes on after "Line 3". */
export const FAULTS = {
  syntax: { code: "DEBUG_BAD_JSON", says: "is no JSON" },
  encoding: { code: "DEBUG_BAD_JSON", says: "is not UTF-8" },
  empty: { code: "DEBUG_BAD_JSON", says: "is empty" },
  hollow: { code: "DEBUG_NOT_OBJECT", says: "is a list without events" },
  object: { code: "DEBUG_NOT_OBJECT", says: "is no object" },
  deep: { code: "DEBUG_TOO_DEEP", says: "is nested deeper than 32 levels, or has more than 10,000 keys" },
  session: { code: "DEBUG_BAD_SESSION", says: "names a session that could be a path" },
  long: { code: "BODY_TOO_LARGE", says: "would be longer than 1 MiB in the log" },
  many: { code: "DEBUG_TOO_MANY", says: "holds more than 1,000 events" },
} as const;

export type FaultName = keyof typeof FAULTS;

const MOST_BYTES = 4096;
/** What is looked at beyond, for a secret that begins before the end. */
const BEYOND = 4096;

/**
 * What is kept of bytes that are no event. Secrets are looked for in them as in events, as far as that can be done in
 * what is no JSON; where one is found, escaped letters become plain ones.
 */
export function rejection(
  code: string,
  sentence: string,
  bytes: Uint8Array,
  keepSecrets: boolean,
): Rejection {
  const head = Buffer.from(bytes.subarray(0, MOST_BYTES + (keepSecrets ? 0 : BEYOND)));
  if (keepSecrets) return { code, sentence, bytes: head };
  const text = head.toString("latin1").replace(/\\u00([2-7][0-9a-f])/gi, (_: string, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  const clean = redact(text);
  const kept = clean === text ? head : Buffer.from(clean, "latin1");
  return { code, sentence, bytes: kept.subarray(0, MOST_BYTES) };
}
