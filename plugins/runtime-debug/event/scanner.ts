import * as B from "./bytes.ts";
import { KeyMemory } from "./key-memory.ts";
import { CAREFUL_KEY, FIELD_COUNT, keyKind, ORDINARY } from "./key-names.ts";
import { faithful } from "./number-text.ts";
import { mayBeSecret } from "./secret-hints.ts";
import { sameBytes } from "./same-bytes.ts";
import type { Sheet } from "./sheet.ts";
import { unsafeAt } from "./unsafe-characters.ts";

/** Levels of objects and arrays in an event. */
export const MOST_DEPTH = 32;
/** Keys of an event, on all levels together. */
export const MOST_KEYS = 10_000;
/** Longest string, in bytes. */
export const MOST_STRING = 65_536;
const LONGEST_KNOWN = 256;
const SAFE_DIGITS = 15;

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
  /** Something must be rewritten, or looked at more closely. */
  careful = false;
  /** There is a byte beyond ASCII. */
  foreign = false;
  fault: Fault = "none";
  /** Where it stopped: after the object, or at the byte that is wrong. */
  end = 0;
  /** Where the copy ends, its last brace left out. */
  copyEnd = 0;

  readonly #keys: KeyMemory;
  readonly #hints: boolean;
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
    this.#hints = !keepSecrets;
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
        if (at < 0) return false;
        if (node === 0) node = this.#node;
        if (++this.#allKeys > MOST_KEYS) return this.#fail(at, "deep") >= 0;
        at = this.#skip(bytes, at);
        const kind = node === 0 ? this.#kind : (keys.kinds[node] as number);
        if (kind !== ORDINARY && (depth === 1 || kind === CAREFUL_KEY)) {
          if (kind < 0) this.careful = true;
          else {
            field = kind;
            this.starts[kind] = at;
          }
        }
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
          at = this.#number(bytes, at);
          break;
        case B.TOKEN.literal:
          at = this.#literal(bytes, at);
          break;
        case B.TOKEN.object:
        case B.TOKEN.array: {
          if (depth === MOST_DEPTH) return this.#fail(at, "deep") >= 0;
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
          at = this.#fail(at);
      }
      if (at < 0) return false;
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
        if (bytes[at] !== (isObject ? B.CLOSE_OBJECT : B.CLOSE_ARRAY)) return this.#fail(at) >= 0;
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
    this.careful = false;
    this.foreign = false;
    this.fault = "none";
    this.copyEnd = copy;
    this.#copied = start;
    this.#allKeys = 0;
    this.#keys.tidy();
  }

  #fail(at: number, fault: Fault = "syntax"): number {
    this.fault = fault;
    this.end = at;
    return -1;
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
    if (bytes[quote] !== B.QUOTE) return this.#fail(quote);
    let end = quote + 1;
    while (B.KEY_CLASS[bytes[end] as number] === 0) end++;
    this.#node = 0;
    if (bytes[end] === B.QUOTE) this.#node = this.#keys.learn(bytes, quote, end + 1, link, before);
    else end = this.#string(bytes, quote);
    if (end < 0) return -1;
    if (this.#node === 0) {
      this.careful = true;
      this.#kind = keyKind(JSON.parse(bytes.toString("utf8", quote, end + 1)) as string, true);
    }
    const at = this.#skip(bytes, end + 1);
    return bytes[at] === B.COLON ? at + 1 : this.#fail(at);
  }

  /** Past a text, which is remembered when it is plain. */
  #text(bytes: Buffer, quote: number, node: number): number {
    const end = this.#string(bytes, quote) + 1;
    if (end === 0) return -1;
    const length = end - quote;
    if (node !== 0 && length >= 4 && length < LONGEST_KNOWN && !this.careful && !this.foreign) {
      this.#keys.valueStarts[node] = quote;
      this.#keys.valueLengths[node] = length;
    }
    return end;
  }

  /** To the quote that ends a string. */
  #string(bytes: Buffer, quote: number): number {
    let at = quote;
    let from = quote;
    let escaped = false;
    for (;;) {
      let kind;
      do kind = B.STRING_CLASS[bytes[++at] as number];
      while (kind === B.IN_STRING.plain);
      switch (kind) {
        case B.IN_STRING.quote:
          if (at - quote > MOST_STRING) this.careful = true;
          return at;
        case B.IN_STRING.hint:
          if (!this.#hints || this.careful) break;
          if (mayBeSecret(bytes, at, from, escaped)) this.careful = true;
          if (bytes[at] === B.AT) from = at;
          break;
        case B.IN_STRING.high:
          if ((bytes[at] as number) > 0x7f) this.foreign = true;
          if (unsafeAt(bytes, at)) this.careful = true;
          break;
        case B.IN_STRING.escape:
          escaped = true;
          at = this.#escape(bytes, at + 1);
          if (at < 0) return -1;
          break;
        default:
          return this.#fail(at);
      }
    }
  }

  /** From what follows a backslash to the end of the escape. */
  #escape(bytes: Buffer, at: number): number {
    const byte = bytes[at] as number;
    if (B.ESCAPABLE[byte] === 1) return at;
    if (byte !== B.SMALL_U) return this.#fail(at);
    for (let place = at + 1; place < at + 5; place++) {
      if (B.HEX[bytes[place] as number] === 0 || place >= bytes.length) return this.#fail(place);
    }
    // An escaped letter can hide a secret from the hints; escaped control characters are common, and cannot.
    if (bytes[at + 1] === B.ZERO && bytes[at + 2] === B.ZERO && (bytes[at + 3] as number) > B.ONE)
      this.careful = true;
    return at + 4;
  }

  #literal(bytes: Buffer, at: number): number {
    const word = bytes[at] === 0x74 ? TRUE : bytes[at] === 0x66 ? FALSE : NULL;
    for (let place = 1; place < word.length; place++) {
      if (bytes[at + place] !== word[place]) return this.#fail(at + place);
    }
    return at + word.length;
  }

  #number(bytes: Buffer, start: number): number {
    let at = bytes[start] === B.MINUS ? start + 1 : start;
    let simple = true;
    const digits = at;
    while (B.isDigit(bytes[at])) at++;
    if (at === digits || (bytes[digits] === B.ZERO && at > digits + 1)) return this.#fail(digits);
    if (bytes[at] === B.DOT) {
      const fraction = ++at;
      while (B.isDigit(bytes[at])) at++;
      if (at === fraction) return this.#fail(at);
    }
    if (((bytes[at] as number) | 0x20) === 0x65) {
      simple = false;
      at++;
      if (bytes[at] === B.PLUS || bytes[at] === B.MINUS) at++;
      const exponent = at;
      while (B.isDigit(bytes[at])) at++;
      if (at === exponent) return this.#fail(at);
    }
    if ((!simple || at - start > SAFE_DIGITS) && !faithful(bytes.toString("latin1", start, at)))
      this.careful = true;
    return at;
  }
}

const [TRUE, FALSE, NULL] = [Buffer.from("true"), Buffer.from("false"), Buffer.from("null")];
