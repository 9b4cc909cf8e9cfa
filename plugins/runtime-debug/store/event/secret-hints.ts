import { BACKSLASH, DOT, MINUS, NINE, QUOTE, SLASH, SPACE, ZERO } from "./bytes.ts";
import { mayEndSecretName } from "./secret-names.ts";

const APOSTROPHE = 0x27;
/** Fewest digits of a card. */
const CARD = 14;

/**
 * Whether one of the shapes of `secret-shapes.ts`, or a pair of `secret-pairs.ts`, may be around a byte of the class `hint`. Never says no where there
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
    case 0x5f: // _ of ghp_, pat_, npm_, hf_, whsec_, k_live_, k_test_
      return (
        (bytes[at - 2] === 0x68 && bytes[at - 3] === 0x67) ||
        (bytes[at - 1] === 0x74 && bytes[at - 2] === 0x61 && bytes[at - 3] === 0x70) ||
        (bytes[at - 1] === 0x6d && bytes[at - 2] === 0x70 && bytes[at - 3] === 0x6e) ||
        (bytes[at - 1] === 0x66 && bytes[at - 2] === 0x68) ||
        (bytes[at - 1] === 0x63 && bytes[at - 2] === 0x65 && bytes[at - 3] === 0x73) ||
        (bytes[at - 5] === 0x5f && bytes[at - 6] === 0x6b)
      );
    case 0x2d: // - of glpat-, xoxb-, xapp-, sk-, -----BEGIN
      return (
        (bytes[at - 1] === 0x74 && bytes[at - 2] === 0x61 && bytes[at - 3] === 0x70) ||
        (bytes[at - 2] === 0x78 && bytes[at - 3] === 0x6f) ||
        (bytes[at - 1] === 0x70 && bytes[at - 3] === 0x61 && bytes[at - 4] === 0x78) ||
        (bytes[at - 1] === 0x6b && bytes[at - 2] === 0x73 && (escaped || !isWord(bytes[at - 3] as number))) ||
        (bytes[at + 1] === 0x42 && bytes[at - 1] === MINUS)
      );
    case 0x47: // G of SG.
      return bytes[at + 1] === DOT && bytes[at - 1] === 0x53;
    case 0x3d: // = of token=
      return endsSecretName(bytes, at);
    case 0x3a: // : of "token":, and of Cookie:
      return isWord(bytes[at - 1] as number)
        ? "neyt".includes(String.fromCharCode(folded(bytes, at - 1))) && endsSecretName(bytes, at)
        : endsSecretName(bytes, at);
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

/** Whether the name of a secret may end before a sign; a quote and white space may be between. */
function endsSecretName(bytes: Uint8Array, sign: number): boolean {
  let at = sign - 1;
  while (isBetween(bytes[at] as number)) at--;
  return mayEndSecretName(bytes[at - 1] as number, bytes[at] as number);
}

function isBetween(byte: number): boolean {
  return byte === SPACE || byte === QUOTE || byte === APOSTROPHE || byte === BACKSLASH;
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
