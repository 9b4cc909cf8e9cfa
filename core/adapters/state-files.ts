import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { DocumentName, State } from "../ports/state.ts";
import { collectionFolder } from "./state-folder.ts";
import { VersionedTexts } from "./versioned-texts.ts";

/**
 * Documents in files of the state folder: `documents/<collection>/<bucket>/<version>.txt`. A hash of the id selects one of
 * 256 buckets, so that folders never have to be removed. Expired documents are removed by the next write to their bucket;
 * each update also checks one more bucket of the collection.
 */
export function stateFiles(stateFolder: string, files: Files, clock: Clock): State {
  const texts = new VersionedTexts(files);

  const folderOf = ({ collection }: DocumentName) => collectionFolder(stateFolder, collection);
  const place = (name: DocumentName) => {
    const folder = folderOf(name);
    return { key: name.id, folder, bucket: join(folder, bucketOf(name.id)) };
  };

  const tidy = async (folder: string): Promise<void> => {
    try {
      const buckets = ((await files.list(folder)) ?? []).filter((name) => /^[0-9a-f]{2}$/.test(name));
      const chosen = buckets[Math.floor(Math.random() * buckets.length)];
      if (chosen === undefined) return;
      await texts.change(join(folder, chosen), (text) => bucketText(readBucket(text, clock.now())));
    } catch (caught) {
      // The error belongs to the other bucket and is reported to its users; this document is still written.
      if (!(caught instanceof SkillError)) throw caught;
    }
  };

  return {
    read: async (name) => {
      checkName(name);
      const { key, bucket } = place(name);
      return valueOf(readBucket(await texts.read(bucket), clock.now()), key);
    },
    update: async (name, keepMs, change) => {
      checkName(name);
      checkKeepMs(keepMs);
      const { key, folder, bucket } = place(name);
      let value: unknown;
      await texts.change(bucket, (text) => {
        const now = clock.now();
        const documents = readBucket(text, now);
        const current = valueOf(documents, key);
        value = change(current);
        if (value === current) return text;
        const changed = new Map(documents);
        if (value === undefined) changed.delete(key);
        else
          changed.set(key, {
            until: Math.min(now + keepMs, Number.MAX_SAFE_INTEGER),
            json: jsonOf(name, value),
          });
        return bucketText(changed);
      });
      await tidy(folder);
      return value;
    },
  };
}

const COLLECTION = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MAX_COLLECTION = 64;
const MAX_ID = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Ten years. */
const MAX_KEEP_MS = 315_360_000_000;

/** @throws SkillError `INTERNAL` for a collection or an id that the port does not allow. */
function checkName({ collection, id }: DocumentName): void {
  if (!COLLECTION.test(collection) || collection.length > MAX_COLLECTION)
    throw misused(`"${collection}" is not a valid collection name`);
  if (id.length > MAX_ID) throw misused(`an id in ${collection} has more than ${MAX_ID} characters`);
}

function checkKeepMs(keepMs: number): void {
  const isBounded = Number.isSafeInteger(keepMs) && keepMs > 0 && keepMs <= MAX_KEEP_MS;
  if (!isBounded && keepMs !== Infinity) throw misused(`a document cannot be kept for ${keepMs} ms`);
}

/**
 * A document as JSON on one line. Properties that are `undefined` are dropped.
 * @throws SkillError `INTERNAL` if it is not a JSON value, `FILE_UNWRITABLE` if it is over 16 MiB.
 */
function jsonOf({ collection }: DocumentName, value: unknown): string {
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

/** A document in its bucket. */
interface StoredDocument {
  /** Expiry, inclusive, in milliseconds since the epoch. */
  readonly until: number;
  readonly json: string;
}

/** The documents that share a text, by id. */
type Bucket = ReadonlyMap<string, StoredDocument>;

/** FNV-1a of the id in two hexadecimal digits: evenly distributed, and no module is loaded for it. */
function bucketOf(id: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return ((hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & 0xff).toString(16).padStart(2, "0");
}

const LINE = /^(\d{1,16}) ("(?:[^"\\]|\\.)*") /;

/** Parses the documents of a text that have not expired. One line each: `<until> <id as JSON> <JSON>`. Ignores damaged lines. */
function readBucket(text: string, now: number): Bucket {
  const bucket = new Map<string, StoredDocument>();
  for (const line of text.split("\n")) {
    const [head, until, id] = LINE.exec(line) ?? [];
    if (head === undefined || id === undefined || Number(until) < now) continue;
    bucket.set(JSON.parse(id) as string, { until: Number(until), json: line.slice(head.length) });
  }
  return bucket;
}

/** Formats a bucket. JSON contains no line feed, so that each document stays on one line. */
function bucketText(bucket: Bucket): string {
  return [...bucket].map(([key, { until, json }]) => `${until} ${JSON.stringify(key)} ${json}\n`).join("");
}

/** The value of a document; `undefined` if it is missing or not valid JSON. */
function valueOf(bucket: Bucket, key: string): unknown {
  const json = bucket.get(key)?.json;
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    // Damaged by another program; the next update replaces it.
    return undefined;
  }
}
