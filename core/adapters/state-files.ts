import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { DocumentName, State } from "../ports/state.ts";
import { collectionFolder } from "./state-folder.ts";
import { VersionedTexts } from "./versioned-texts.ts";

/**
 * Documents in files of the state folder: `documents/<collection>/<bucket>/<version>.txt`. A hash of the id says in which
 * of 256 buckets a document is, so that no folder is ever removed. One whose time has passed goes with the next
 * write to its bucket, and each update looks through one further bucket of the collection for such.
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
      // Whoever needs that bucket is told; this document is not in it, and is written.
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
        else changed.set(key, { until: now + keepMs, json: jsonOf(name, value) });
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
    throw misused(`"${collection}" is no name of a collection`);
  if (id.length > MAX_ID) throw misused(`an id in ${collection} has more than ${MAX_ID} characters`);
}

/** @throws SkillError `INTERNAL` */
function checkKeepMs(keepMs: number): void {
  if (!(Number.isSafeInteger(keepMs) && keepMs > 0 && keepMs <= MAX_KEEP_MS))
    throw misused(`a document cannot be kept for ${keepMs} ms`);
}

/**
 * A document as JSON in one line. Properties that are `undefined` are left out.
 * @throws SkillError `INTERNAL` when it is no JSON value, `FILE_UNWRITABLE` when it is over 16 MiB.
 */
function jsonOf({ collection }: DocumentName, value: unknown): string {
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
    return JSON.stringify(value);
  } catch {
    // A circle, or a number of the kind that JSON does not have.
    return undefined;
  }
}

function misused(what: string): SkillError {
  return new SkillError("INTERNAL", `The state port was not used as it says: ${what}.`, {
    hint: "This is a fault of the skill: tell its author.",
  });
}

/** A document in its bucket. */
interface StoredDocument {
  /** Wall-clock time in milliseconds since the epoch; the document is kept up to and with it. */
  readonly until: number;
  readonly json: string;
}

/** The documents that share a text, by their ids. */
type Bucket = ReadonlyMap<string, StoredDocument>;

/** FNV-1a of the id in two hexadecimal digits: an even spread is enough, and no module is loaded for it. */
function bucketOf(id: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return ((hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & 0xff).toString(16).padStart(2, "0");
}

const LINE = /^(\d{1,16}) ("(?:[^"\\]|\\.)*") /;

/**
 * The documents of a text that have not expired. A line is a document: `<until> <id as JSON> <JSON>`; a damaged line is ignored.
 */
function readBucket(text: string, now: number): Bucket {
  const bucket = new Map<string, StoredDocument>();
  for (const line of text.split("\n")) {
    const [head, until, id] = LINE.exec(line) ?? [];
    if (head === undefined || id === undefined || Number(until) < now) continue;
    bucket.set(JSON.parse(id) as string, { until: Number(until), json: line.slice(head.length) });
  }
  return bucket;
}

/** JSON holds no line feed, so that a line stays one. */
function bucketText(bucket: Bucket): string {
  return [...bucket].map(([key, { until, json }]) => `${until} ${JSON.stringify(key)} ${json}\n`).join("");
}

/** `undefined` when there is no such document, or what stands there is no JSON. */
function valueOf(bucket: Bucket, key: string): unknown {
  const json = bucket.get(key)?.json;
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    // Not written by us: the next update writes it anew.
    return undefined;
  }
}
