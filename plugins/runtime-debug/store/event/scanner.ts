import * as B from "./bytes.ts";
import { KeyMemory } from "./key-memory.ts";
import { CAREFUL_KEY, FIELD_COUNT, FIELD_MASK, keyKind, ORDINARY, TWICE } from "./key-names.ts";
import { literalEnd, Noticed, numberEnd, stringEnd, wrong } from "./scalars.ts";
import { sameBytes } from "./same-bytes.ts";
import type { Sheet } from "./sheet.ts";

/** Levels of objects and arrays in an event. */
export const MOST_DEPTH = 32;
/** Keys of an event, on all levels together. */
export const MOST_KEYS = 10_000;
const LONGEST_KNOWN = 256;

/** Why there is no object. */
export type Fault = "none" | "syntax" | "deep";

/**
 * Reads one JSON object (RFC 8259) out of bytes in one pass: checks it, copies it without white space, finds the fields
 * that the server reads, and notices whether anything in it must not be stored as it came. What is then done it does
 * not know: `careful-line.ts` does. UTF-8 is not checked here.
 */
export class Scanner {
  /** Where values of `FIELD` begin and end among the bytes; both 0 where the event has none. */
  readonly starts = new Int32Array(FIELD_COUNT);
  readonly ends = new Int32Array(FIELD_COUNT);
  readonly noticed: Noticed;
  fault: Fault = "none";
  /** Where it stopped: after the object, or at the byte that is wrong. */
  end = 0;
  /** Where the copy ends, its last brace left out. */
  copyEnd = 0;

  readonly #keys: KeyMemory;
  /** Of each open level: whether it is an object, and the node of the latest key. */
  readonly #isObject = new Uint8Array(MOST_DEPTH + 1);
  readonly #nodes = new Int32Array(MOST_DEPTH + 1);
  #allKeys = 0;
  #copied = 0;
  /** What `newKey` found: its node, and what it is when that is 0. */
  #node = 0;
  #kind = ORDINARY;

  constructor(keepSecrets: boolean) {
    this.#keys = new KeyMemory(keepSecrets);
    this.noticed = new Noticed(!keepSecrets);
  }

  /** Called before other bytes are read. */
  begin(): void {
    this.#keys.forgetValues();
  }

  /**
   * Reads the object whose `{` is at `start` and copies it to `copy` in the same sheet, which has room for it before
   * `start`, or is the same place. A byte 0 must follow the text.
   * @returns whether there is an object
   */
  read(sheet: Sheet, start: number, copy: number): boolean {
    this.#reset(start, copy);
    const { bytes, view } = sheet;
    const { noticed } = this;
    const keys = this.#keys;
    let at = start;
    let depth = 0;
    /** Node of the latest key of this level; in an array, of the key that the array belongs to. */
    let node = 0;
    let field = ORDINARY;
    let isObject = false;
    /** Where the next key is looked for, and the key before it; no key follows where it is negative. */
    let link = -1;
    let before = 0;
    for (;;) {
      if (link >= 0) {
        node = keys.find(view, at, link);
        at = node === 0 ? this.#newKey(bytes, at, link, before) : at + (keys.lengths[node] as number);
        if (at < 0) return this.#fail(wrong(at));
        if (node === 0) node = this.#node;
        if (++this.#allKeys > MOST_KEYS) return this.#fail(at, "deep");
        at = this.#skip(bytes, at);
        const kind = node === 0 ? this.#kind : (keys.kinds[node] as number);
        if (kind !== ORDINARY && this.#isField(kind, depth, at)) field = kind & FIELD_MASK;
        link = -1;
      }
      switch (B.TOKEN_CLASS[bytes[at] as number]) {
        case B.TOKEN.string: {
          const known = keys.valueLengths[node] as number;
          if (known !== 0 && sameBytes(view, at, view, keys.valueStarts[node] as number, known)) at += known;
          else at = this.#text(bytes, at, node);
          break;
        }
        case B.TOKEN.number:
          at = numberEnd(bytes, at, noticed);
          break;
        case B.TOKEN.literal:
          at = literalEnd(bytes, at);
          break;
        case B.TOKEN.object:
        case B.TOKEN.array: {
          if (depth === MOST_DEPTH) return this.#fail(at, "deep");
          isObject = bytes[at] === B.OPEN_OBJECT;
          this.#nodes[depth++] = node;
          this.#isObject[depth] = isObject ? 1 : 0;
          at = this.#skip(bytes, at + 1);
          if (bytes[at] === (isObject ? B.CLOSE_OBJECT : B.CLOSE_ARRAY)) break;
          if (isObject) {
            link = 2 * node;
            before = 0;
          }
          continue;
        }
        default:
          at = wrong(at);
      }
      if (at < 0) return this.#fail(wrong(at));
      for (;;) {
        if (depth === 1 && field >= 0) {
          this.ends[field] = at;
          field = ORDINARY;
        }
        at = this.#skip(bytes, at);
        if (bytes[at] === B.COMMA) {
          at = this.#skip(bytes, at + 1);
          if (isObject) {
            link = 2 * node + 1;
            before = node;
          }
          break;
        }
        if (bytes[at] !== (isObject ? B.CLOSE_OBJECT : B.CLOSE_ARRAY)) return this.#fail(at);
        at++;
        if (--depth === 0) {
          this.end = at;
          this.#copy(bytes, at - 1);
          return true;
        }
        node = this.#nodes[depth] as number;
        isObject = this.#isObject[depth] === 1;
      }
    }
  }

  #reset(start: number, copy: number): void {
    for (let field = 0; field < FIELD_COUNT; field++) {
      this.starts[field] = 0;
      this.ends[field] = 0;
    }
    this.noticed.careful = false;
    this.noticed.foreign = false;
    this.fault = "none";
    this.copyEnd = copy;
    this.#copied = start;
    this.#allKeys = 0;
    this.#keys.tidy();
  }

  #fail(at: number, fault: Fault = "syntax"): false {
    this.fault = fault;
    this.end = at;
    return false;
  }

  /** Notes a key that is more than ordinary. @returns whether it is a field, whose value begins at `at` */
  #isField(kind: number, depth: number, at: number): boolean {
    if (kind >= TWICE || kind === CAREFUL_KEY || (depth === 1 && kind < 0)) this.noticed.careful = true;
    if (depth !== 1 || kind < 0) return false;
    this.starts[kind & FIELD_MASK] = at;
    return true;
  }

  /** Past white space, which is left out of the copy. */
  #skip(bytes: Buffer, at: number): number {
    if (B.BLANK[bytes[at] as number] === 0) return at;
    this.#copy(bytes, at);
    let next = at + 1;
    while (B.BLANK[bytes[next] as number] === 1) next++;
    this.#copied = next;
    return next;
  }

  #copy(bytes: Buffer, end: number): void {
    bytes.copyWithin(this.copyEnd, this.#copied, end);
    this.copyEnd += end - this.#copied;
  }

  /** Past a key that was not in this place before, and its colon. */
  #newKey(bytes: Buffer, quote: number, link: number, before: number): number {
    if (bytes[quote] !== B.QUOTE) return wrong(quote);
    let end = quote + 1;
    while (B.KEY_CLASS[bytes[end] as number] === 0) end++;
    this.#node = 0;
    if (bytes[end] === B.QUOTE) this.#node = this.#keys.learn(bytes, quote, end + 1, link, before);
    else end = stringEnd(bytes, quote, this.noticed);
    if (end < 0) return end;
    if (this.#node === 0) {
      this.noticed.careful = true;
      this.#kind = keyKind(JSON.parse(bytes.toString("utf8", quote, end + 1)) as string, true);
    }
    const at = this.#skip(bytes, end + 1);
    return bytes[at] === B.COLON ? at + 1 : wrong(at);
  }

  /** Past a text, which is remembered when it is plain. */
  #text(bytes: Buffer, quote: number, node: number): number {
    const { noticed } = this;
    const end = stringEnd(bytes, quote, noticed) + 1;
    if (end <= 0) return end - 1;
    const length = end - quote;
    if (node !== 0 && length >= 4 && length < LONGEST_KNOWN && !noticed.careful && !noticed.foreign) {
      this.#keys.valueStarts[node] = quote;
      this.#keys.valueLengths[node] = length;
    }
    return end;
  }
}
