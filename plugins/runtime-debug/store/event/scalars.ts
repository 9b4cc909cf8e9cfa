import * as B from "./bytes.ts";
import { faithful } from "./number-text.ts";
import { mayBeSecret } from "./secret-hints.ts";
import { unsafeAt } from "./unsafe-characters.ts";

/** Longest string, in bytes. */
export const MOST_STRING = 65_536;
/** As many digits and signs every reader of JSON keeps. */
const SAFE_LENGTH = 15;
const [TRUE, FALSE, NULL] = [Buffer.from("true"), Buffer.from("false"), Buffer.from("null")];

/** What was noticed in an event on the way. */
export class Noticed {
  /** Something must be rewritten, or looked at more closely. */
  careful = false;
  /** There is a byte beyond ASCII. */
  foreign = false;
  /** Whether secrets are looked for. */
  readonly hints: boolean;

  constructor(hints: boolean) {
    this.hints = hints;
  }
}

/** Where the string whose quote is at `quote` has its other one; when it is none, `wrong` of the byte that is. */
export function stringEnd(bytes: Buffer, quote: number, noticed: Noticed): number {
  let at = quote;
  let from = quote;
  let escaped = false;
  for (;;) {
    let kind;
    do kind = B.STRING_CLASS[bytes[++at] as number];
    while (kind === B.IN_STRING.plain);
    switch (kind) {
      case B.IN_STRING.quote:
        if (at - quote - 1 > MOST_STRING) noticed.careful = true;
        return at;
      case B.IN_STRING.hint:
        if (!noticed.hints || noticed.careful) break;
        if (mayBeSecret(bytes, at, from, escaped)) noticed.careful = true;
        if (bytes[at] === B.AT) from = at;
        break;
      case B.IN_STRING.high:
        if ((bytes[at] as number) > 0x7f) noticed.foreign = true;
        if (unsafeAt(bytes, at)) noticed.careful = true;
        break;
      case B.IN_STRING.escape:
        escaped = true;
        at = escapeEnd(bytes, at + 1, noticed);
        if (at < 0) return at;
        break;
      default:
        return wrong(at);
    }
  }
}

/** The last byte of the escape that goes on at `at`, behind its backslash. */
function escapeEnd(bytes: Buffer, at: number, noticed: Noticed): number {
  const byte = bytes[at] as number;
  if (B.ESCAPABLE[byte] === 1) return at;
  if (byte !== B.SMALL_U) return wrong(at);
  for (let place = at + 1; place < at + 5; place++) {
    if (B.HEX[bytes[place] as number] === 0) return wrong(place);
  }
  // An escaped letter can hide a secret from the hints; escaped control characters are common, and cannot.
  if (bytes[at + 1] === B.ZERO && bytes[at + 2] === B.ZERO && (bytes[at + 3] as number) > B.ONE)
    noticed.careful = true;
  return at + 4;
}

/** Behind `true`, `false` or `null`. */
export function literalEnd(bytes: Buffer, at: number): number {
  const word = bytes[at] === 0x74 ? TRUE : bytes[at] === 0x66 ? FALSE : NULL;
  for (let place = 1; place < word.length; place++) {
    if (bytes[at + place] !== word[place]) return wrong(at + place);
  }
  return at + word.length;
}

/** Behind the number that begins at `start`. */
export function numberEnd(bytes: Buffer, start: number, noticed: Noticed): number {
  const digits = bytes[start] === B.MINUS ? start + 1 : start;
  let at = digitsEnd(bytes, digits);
  if (at === digits || (bytes[digits] === B.ZERO && at > digits + 1)) return wrong(digits);
  if (bytes[at] === B.DOT) {
    const fraction = at + 1;
    at = digitsEnd(bytes, fraction);
    if (at === fraction) return wrong(at);
  }
  const exponential = ((bytes[at] as number) | 0x20) === 0x65;
  if (exponential) {
    const signed = bytes[at + 1] === B.PLUS || bytes[at + 1] === B.MINUS;
    const exponent = at + (signed ? 2 : 1);
    at = digitsEnd(bytes, exponent);
    if (at === exponent) return wrong(at);
  }
  if ((exponential || at - start > SAFE_LENGTH) && !faithful(bytes.toString("latin1", start, at)))
    noticed.careful = true;
  return at;
}

function digitsEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (B.DIGIT[bytes[at] as number] === 1) at++;
  return at;
}

/** A place where something is wrong, as a number below 0; the place again of such a number. */
export function wrong(at: number): number {
  return -1 - at;
}
