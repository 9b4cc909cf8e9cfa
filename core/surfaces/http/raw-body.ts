import type { IncomingMessage } from "node:http";
import type { RawBody } from "../../plugin.ts";
import { BODY_HEAD_BYTES, MAX_BODY_BYTES } from "./limits.ts";

const NO_BYTES = Buffer.alloc(0);

/**
 * Reads a body and tells it once; what breaks off before its end is never told. A body over the limit is told as soon
 * as its first bytes are there, and the rest is taken in and forgotten. `announced` is its length as far as known.
 */
export function readRawBody(
  request: IncomingMessage,
  announced: number,
  told: (body: RawBody) => void,
): void {
  const isUnsent = announced > MAX_BODY_BYTES && request.headers.expect !== undefined;
  if (isUnsent) return told({ bytes: NO_BYTES, whole: false });
  // Of what is announced as too long, only the head is kept from the start.
  const most = announced > MAX_BODY_BYTES ? BODY_HEAD_BYTES - 1 : MAX_BODY_BYTES;
  let first: Buffer = NO_BYTES;
  let more: Buffer[] | undefined;
  let size = 0;
  let isTold = false;
  request.on("data", (chunk: Buffer) => {
    if (isTold) return;
    size += chunk.length;
    if (first === NO_BYTES) first = chunk;
    else (more ??= [first]).push(chunk);
    if (size <= most) return;
    isTold = true;
    // A copy, so that the rest is not held by it.
    const head = Buffer.from((more ? Buffer.concat(more) : first).subarray(0, BODY_HEAD_BYTES));
    first = NO_BYTES;
    more = undefined;
    told({ bytes: head, whole: false });
  });
  request.on("end", () => {
    if (!isTold) told({ bytes: more ? Buffer.concat(more, size) : first, whole: true });
  });
}
