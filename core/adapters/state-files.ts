import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { DocumentName, State } from "../ports/state.ts";
import { checkKeepMs, checkName, expiryOf, jsonOf, valueOf } from "./documents.ts";
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
      return valueOf(readBucket(await texts.read(bucket), clock.now()).get(key)?.json);
    },
    update: async (name, keepMs, change) => {
      checkName(name);
      checkKeepMs(keepMs);
      const { key, folder, bucket } = place(name);
      let value: unknown;
      await texts.change(bucket, (text) => {
        const now = clock.now();
        const documents = readBucket(text, now);
        const current = valueOf(documents.get(key)?.json);
        value = change(current);
        if (value === current) return text;
        const changed = new Map(documents);
        if (value === undefined) changed.delete(key);
        else changed.set(key, { until: expiryOf(now, keepMs), json: jsonOf(name, value) });
        return bucketText(changed);
      });
      await tidy(folder);
      return value;
    },
  };
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
