import { SkillError } from "../errors/skill-error.ts";
import type { DocumentName } from "../ports/state.ts";

const COLLECTION = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MAX_COLLECTION = 64;
const MAX_ID = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Ten years. */
const MAX_KEEP_MS = 315_360_000_000;

/** @throws SkillError `INTERNAL` for a collection or an id that the port does not allow. */
export function checkName({ collection, id }: DocumentName): void {
  if (!COLLECTION.test(collection) || collection.length > MAX_COLLECTION)
    throw misused(`"${collection}" is not a valid collection name`);
  if (id.length > MAX_ID) throw misused(`an id in ${collection} has more than ${MAX_ID} characters`);
}

/** @throws SkillError `INTERNAL` for a time that the port does not allow. */
export function checkKeepMs(keepMs: number): void {
  const isBounded = Number.isSafeInteger(keepMs) && keepMs > 0 && keepMs <= MAX_KEEP_MS;
  if (!isBounded && keepMs !== Infinity) throw misused(`a document cannot be kept for ${keepMs} ms`);
}

/** The expiry of a document that is written now, in milliseconds since the epoch; an integer even without an end. */
export function expiryOf(now: number, keepMs: number): number {
  return Math.min(now + keepMs, Number.MAX_SAFE_INTEGER);
}

/**
 * A document as JSON on one line. Properties that are `undefined` are dropped.
 * @throws SkillError `INTERNAL` if it is not a JSON value, `FILE_UNWRITABLE` if it is over 16 MiB.
 */
export function jsonOf({ collection }: DocumentName, value: unknown): string {
  const json = textOf(value);
  if (json === undefined) throw misused(`a document of ${collection} is not a JSON value`);
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_BYTES) return json;
  throw new SkillError(
    "FILE_UNWRITABLE",
    `A document of ${collection} has ${bytes} bytes; the limit is ${MAX_BYTES}.`,
    { hint: "Nothing was written; begin a new one, such as a new conversation." },
  );
}

/** The value of a stored document; `undefined` if it is missing or not valid JSON. */
export function valueOf(json: string | null | undefined): unknown {
  try {
    return json === undefined || json === null ? undefined : JSON.parse(json);
  } catch {
    // Damaged by another program; the next update replaces it.
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle or a BigInt.
    return undefined;
  }
}

function misused(what: string): SkillError {
  return new SkillError("INTERNAL", `The state port was used incorrectly: ${what}.`, {
    hint: "This is a bug in the skill; report it to the author.",
  });
}
