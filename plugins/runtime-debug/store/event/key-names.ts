import { redact } from "./redaction.ts";
import { secrecy } from "./secret-names.ts";

/** Fields of an event that the server reads, and the number of each. */
export const FIELD = {
  hypothesisId: 0,
  runId: 1,
  location: 2,
  msg: 3,
  message: 4,
  sessionId: 5,
  ts: 6,
  timestamp: 7,
  traceId: 8,
} as const;

const FIELDS: ReadonlyMap<string, number> = new Map(Object.entries(FIELD));
export const FIELD_COUNT = FIELDS.size;

/** Keys that only the server writes. */
export const RESERVED: ReadonlySet<string> = new Set(["_seq", "_at", "_run", "_src", "_flags", "_gap"]);

/** What a key is: a number of `FIELD`, or one of these. */
export const ORDINARY = -1;
export const RESERVED_KEY = -2;
/** The key or its value may have to be written anew: a secret, a key that is there twice. */
export const CAREFUL_KEY = -3;
/** Added to the number of a `FIELD` that is there twice: careful, and a field all the same. */
export const TWICE = 16;
/** The field without it. */
export const FIELD_MASK = TWICE - 1;

/** What the key of a name is. */
export function keyKind(name: string, keepSecrets: boolean): number {
  if (RESERVED.has(name)) return RESERVED_KEY;
  const field = FIELDS.get(name);
  if (field !== undefined) return field;
  return !keepSecrets && (secrecy(name) > 0 || redact(name) !== name) ? CAREFUL_KEY : ORDINARY;
}
