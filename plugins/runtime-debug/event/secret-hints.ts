import { MINUS, NINE, SLASH, SPACE, ZERO } from "./bytes.ts";

/** Fewest digits of a card. */
const CARD = 14;

/**
 * Whether one of the shapes of `secret-shapes.ts` may be around a byte of the class `hint`. Never says no where there
 * is one; asked for a handful of bytes an event, so that ordinary events need no pattern at all.
 * @param from where the string begins, or where the last `@` of it was
 * @param escaped whether the string has escapes so far: what is before the byte may then be something else
 */
export function mayBeSecret(bytes: Uint8Array, at: number, from: number, escaped: boolean): boolean {
  switch (bytes[at]) {
    case 0x4a: // J of eyJ
      return bytes[at - 1] === 0x79 && bytes[at - 2] === 0x65;
    case 0x49: // I of AKIA, ASIA, AIza
      return bytes[at - 1] === 0x41
        ? bytes[at + 1] === 0x7a
        : bytes[at + 1] === 0x41 && bytes[at - 2] === 0x41;
    case 0x5f: // _ of ghp_, pat_, npm_, live_
      return (
        (bytes[at - 2] === 0x68 && bytes[at - 3] === 0x67) ||
        (bytes[at - 1] === 0x74 && bytes[at - 2] === 0x61 && bytes[at - 3] === 0x70) ||
        (bytes[at - 1] === 0x6d && bytes[at - 2] === 0x70 && bytes[at - 3] === 0x6e) ||
        (bytes[at - 1] === 0x65 && bytes[at - 2] === 0x76 && bytes[at - 3] === 0x69)
      );
    case 0x2d: // - of glpat-, xoxb-, sk-, -----BEGIN
      return (
        (bytes[at - 1] === 0x74 && bytes[at - 2] === 0x61 && bytes[at - 3] === 0x70) ||
        (bytes[at - 2] === 0x78 && bytes[at - 3] === 0x6f) ||
        (bytes[at - 1] === 0x6b && bytes[at - 2] === 0x73 && (escaped || !isWord(bytes[at - 3] as number))) ||
        (bytes[at + 1] === 0x42 && bytes[at - 1] === MINUS)
      );
    case 0x40: // @ of ://user:password@
      for (let before = at - 1; before >= from; before--) if (bytes[before] === SLASH) return true;
      return false;
    case 0x42: // Bearer, Basic
    case 0x62:
      return (
        (folded(bytes, at + 1) === 0x65 && folded(bytes, at + 5) === 0x72) ||
        (folded(bytes, at + 1) === 0x61 && folded(bytes, at + 2) === 0x73 && folded(bytes, at + 4) === 0x63)
      );
    default:
      return (escaped || !isDigit(bytes[at - 1] as number)) && manyDigits(bytes, at);
  }
}

function manyDigits(bytes: Uint8Array, start: number): boolean {
  let digits = 1;
  for (let at = start + 1; digits < CARD; at++) {
    const byte = bytes[at] as number;
    if (isDigit(byte)) digits++;
    else if (byte !== MINUS && byte !== SPACE) return false;
    else if (!isDigit(bytes[at - 1] as number)) return false;
  }
  return true;
}

function folded(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | 0x20;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isWord(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
}
