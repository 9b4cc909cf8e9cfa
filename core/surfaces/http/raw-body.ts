import type { IncomingMessage, ServerResponse } from "node:http";
import { SkillError } from "../../errors/skill-error.ts";
import type { RawBody } from "../../plugin.ts";
import { BODY_HEAD_BYTES, MAX_BODIES_BYTES, MAX_BODY_BYTES } from "./limits.ts";

const NO_BYTES = Buffer.alloc(0);
const FIRST_BYTES = 4_096;

/** Who waits for a body. One of the two is called, once, unless the body breaks off before its end. */
export interface BodyReader {
  readonly told: (body: RawBody) => void;
  /** `STORAGE_BUSY`: too much of other bodies is held at this moment. */
  readonly refused: (error: SkillError) => void;
}

/** A request whose body is to be read; `announced` is its length as far as known, 0 when it is not. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly announced: number;
}

/** The bodies that are on their way to a raw route, and how much of them is held. */
export class RawBodies {
  #held = 0;

  /**
   * Reads a body. One over the limit is told as soon as its first bytes are there, and the rest is taken in and
   * forgotten.
   */
  read({ request, response, announced }: Incoming, { told, refused }: BodyReader): void {
    const isUnsent = announced > MAX_BODY_BYTES && request.headers.expect !== undefined;
    if (isUnsent) return told({ bytes: NO_BYTES, whole: false });
    // Of what is announced as too long, only the head is kept from the start.
    const most = announced > MAX_BODY_BYTES ? BODY_HEAD_BYTES - 1 : MAX_BODY_BYTES;
    let bytes: Buffer = NO_BYTES;
    let size = 0;
    let isOver = false;
    let counted = 0;
    const count = (now: number): void => {
      // A request whose body breaks off after it was answered is never closed itself.
      if (counted === 0 && now > 0) response.once("close", () => count(0));
      this.#held += now - counted;
      counted = now;
    };
    request.on("data", (chunk: Buffer) => {
      if (isOver) return;
      const before = size;
      size += chunk.length;
      // Most come at once; of the others each piece would keep all that was read with it.
      bytes = size === announced && before === 0 ? chunk : extended(bytes, before, chunk);
      if (bytes !== chunk) count(bytes.length);
      if (size <= most && this.#held <= MAX_BODIES_BYTES) return;
      isOver = true;
      const head = Buffer.from(bytes.subarray(0, BODY_HEAD_BYTES));
      bytes = NO_BYTES;
      count(0);
      if (size > most) told({ bytes: head, whole: false });
      else refused(busy());
    });
    request.on("end", () => {
      if (isOver) return;
      count(0);
      told({ bytes: bytes.subarray(0, size), whole: true });
    });
  }
}

/** A buffer that begins with the first `size` bytes of another one and goes on with a chunk; it may be longer. */
function extended(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  const needed = size + chunk.length;
  let larger = bytes;
  if (needed > bytes.length) {
    larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2, FIRST_BYTES));
    bytes.copy(larger, 0, 0, size);
  }
  chunk.copy(larger, size);
  return larger;
}

function busy(): SkillError {
  return new SkillError("STORAGE_BUSY", "Too many bodies are on their way at once.", {
    hint: "Wait a little and send it again.",
  });
}
