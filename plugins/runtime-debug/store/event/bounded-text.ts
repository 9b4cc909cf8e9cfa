/** Limits for the depth of an event and for its keys on all levels; in addition, the same number of top-level keys is kept. */
const MOST_DEPTH = 32;
const MOST_KEYS = 10_000;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPENED_LIST, CLOSED_LIST, OPENED, CLOSED] = [0x5b, 0x5d, 0x7b, 0x7d];
/** A string that is a key is followed by a colon. */
const SPACED_COLON = /\s*:/y;
/** Line ends, which no backslash may precede. */
const LINE_END = /[\n\r\u2028\u2029]/;

/** The size of an event in a text. */
export interface EventSize {
  /** The number of keys in its text, including duplicates. */
  readonly keys: number;
  /** Whether a part of it was left out. */
  readonly isCut: boolean;
}

export interface BoundedText {
  readonly text: string;
  readonly events: readonly EventSize[];
}

/** The mark in the place of text that was left out. */
export function missing(bytes: number): string {
  return `…(+${bytes} bytes)`;
}

/** A part that is being left out: its start, and the depth at which it ends. */
interface Gap {
  readonly from: number;
  readonly depth: number;
  /** Whether it consists of members of an object, whose bracket stays, and not of one value. */
  readonly isMembers: boolean;
}

/**
 * A JSON text with events within the limits of depth and keys: a value beyond them is replaced by a mark, and so are the members
 * of an object from the first excessive key on. Top-level fields of the event are kept in any case. It is cut before it is
 * parsed, because parsing a megabyte of brackets or of different keys takes a long time.
 */
export function boundedText(json: string): BoundedText {
  const top = /^[ \t\r\n]*\[/.test(json) ? 1 : 0;
  const parts: string[] = [];
  const events: EventSize[] = [];
  let [depth, keys, ownKeys, from, isCut] = [0, 0, 0, 0, false];
  let gap: Gap | undefined;
  const begin = (index: number, end: number, isMembers: boolean): void => {
    parts.push(json.slice(from, index), ...(isMembers ? ['"…":'] : []));
    gap = { from: index, depth: end, isMembers };
    isCut = true;
  };
  /** No string ends before this position, so each character is read only once. */
  let endless = 0;
  for (let index = 0, next = 1; index < json.length; index = next, next += 1) {
    const token = json.charCodeAt(index);
    if (token === QUOTE && index >= endless) {
      const end = endOfString(json, index);
      if (end < 0) endless = -end;
      else next = end;
      if (gap || end < 0 || !isColon(json, end)) continue;
      keys += 1;
      if (depth === top + 1) ownKeys += 1;
      if (depth === top + 1 ? ownKeys > MOST_KEYS : keys > MOST_KEYS) begin(index, depth - 1, true);
    } else if (token === OPENED || token === OPENED_LIST) {
      depth += 1;
      const isTooMuch = depth > MOST_DEPTH + top || (keys > MOST_KEYS && depth > top + 1);
      if (!gap && isTooMuch) begin(index, depth - 1, false);
    } else if (token === CLOSED || token === CLOSED_LIST) {
      depth -= 1;
      if (gap && depth === gap.depth) {
        const end = gap.isMembers ? index : index + 1;
        parts.push(`"${missing(Buffer.byteLength(json.slice(gap.from, end)))}"`);
        [from, gap] = [end, undefined];
      }
      if (token === CLOSED && depth === top) events.push({ keys, isCut });
    } else continue;
    if (depth <= top) [keys, ownKeys, isCut] = [0, 0, false];
  }
  // A value without an end is not JSON.
  return { text: parts.length === 0 ? json : [...parts, gap ? "" : json.slice(from)].join(""), events };
}

/** The position after the closing quote; if there is none, the position where this is known, as a negative number. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code !== BACKSLASH) continue;
    at += 1;
    if (LINE_END.test(json.charAt(at))) return -at;
  }
  return -json.length;
}

function isColon(json: string, at: number): boolean {
  if (json.charCodeAt(at) === COLON) return true;
  SPACED_COLON.lastIndex = at;
  return SPACED_COLON.test(json);
}
