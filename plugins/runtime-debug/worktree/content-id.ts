import { createHash } from "node:crypto";

/** What git calls these bytes: the hash of a header and them, in hex (git-hash-object(1)); as long as `like`, another id. */
export function contentId(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
