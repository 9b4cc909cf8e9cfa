import type { Redaction } from "./redaction.ts";

/** A body, or a line of a followed file, that is no event, or holds one that is none. */
export interface Rejection {
  /**
   * Code of the manifest: `DEBUG_BAD_JSON`, `DEBUG_NOT_OBJECT`, `DEBUG_BAD_SESSION`, `DEBUG_TOO_DEEP`, `DEBUG_TOO_MANY`,
   * `BODY_TOO_LARGE`, `MEDIA_TYPE_REFUSED`.
   */
  readonly code: string;
  /** One sentence, with the number of the line or element where there are several. */
  readonly sentence: string;
  /** The bytes as received, at most 4,096 of them; secrets in them are `[redacted]`. */
  readonly bytes: Uint8Array;
}

const MOST_BYTES = 4096;
/** What is looked at beyond, for a secret that begins before the end. */
const BEYOND = 4096;

/**
 * What is kept of bytes that are no event. Secrets are looked for in them as in events, as far as that can be done in
 * what is no JSON; where one is found, escaped letters become plain ones.
 * @param redaction none where secrets are kept
 */
export function rejection(
  code: string,
  sentence: string,
  bytes: Uint8Array,
  redaction: Redaction | undefined,
): Rejection {
  const head = Buffer.from(bytes.subarray(0, MOST_BYTES + (redaction ? BEYOND : 0)));
  if (!redaction) return { code, sentence, bytes: head };
  const text = head.toString("latin1").replace(/\\u00([2-7][0-9a-f])/gi, (_: string, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  const clean = redaction.text(text);
  const kept = clean === text ? head : Buffer.from(clean, "latin1");
  return { code, sentence, bytes: kept.subarray(0, MOST_BYTES) };
}
