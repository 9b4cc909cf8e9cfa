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
    throw misused(`"${collection}" is no name of a collection`);
  if (id.length > MAX_ID) throw misused(`an id in ${collection} has more than ${MAX_ID} characters`);
}

/** @throws SkillError `INTERNAL` */
export function checkKeepMs(keepMs: number): void {
  if (!(Number.isSafeInteger(keepMs) && keepMs > 0 && keepMs <= MAX_KEEP_MS))
    throw misused(`a document cannot be kept for ${keepMs} ms`);
}

/**
 * A document as JSON in one line. Properties that are `undefined` are left out.
 * @throws SkillError `INTERNAL` when it is no JSON value, `FILE_UNWRITABLE` when it is over 16 MiB.
 */
export function jsonOf({ collection }: DocumentName, value: unknown): string {
  const json = textOf(value);
  if (json === undefined) throw misused(`a document of ${collection} is no JSON value`);
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_BYTES) return json;
  throw new SkillError(
    "FILE_UNWRITABLE",
    `A document of ${collection} has ${bytes} bytes, and at most ${MAX_BYTES} are kept.`,
    { hint: "Nothing was written; begin a new one, such as a new conversation." },
  );
}

function textOf(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value);
    return isJson(value) ? text : undefined;
  } catch {
    // A circle, or a number of the kind that JSON does not have.
    return undefined;
  }
}

/** What comes back as it was after it was JSON text. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  // Array.from: every() passes over holes, which would come back as null.
  if (Array.isArray(value)) return Array.from<unknown>(value).every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => part === undefined || isJson(part));
}

function misused(what: string): SkillError {
  return new SkillError("INTERNAL", `The state port was not used as it says: ${what}.`, {
    hint: "This is a fault of the skill: tell its author.",
  });
}
