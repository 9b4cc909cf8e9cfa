/**
 * Characters that a terminal or a model takes for something else than text: DEL and C1, soft hyphen, signs that turn
 * or hide text, line and paragraph separator, tags, and the selectors that can carry hidden text. `JSON.stringify`
 * leaves all of them raw.
 */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Replaces every unsafe character by what `name` makes of it. */
export function replaceUnsafe(text: string, name: (character: string) => string): string {
  return text.replace(UNSAFE, name);
}

/** JSON text of the same value in which nothing is unsafe: `\uXXXX` instead. Outside strings JSON has no such character. */
export function escapeUnsafe(json: string): string {
  return replaceUnsafe(json, (character) =>
    Array.from({ length: character.length }, (_, place) => hex(character.charCodeAt(place))).join(""),
  );
}

function hex(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** JSON text of a text, with nothing unsafe in it. */
export function safeJson(text: string): string {
  return escapeUnsafe(JSON.stringify(text));
}

/** Whether an unsafe character begins at a byte of valid UTF-8 that is DEL or above. */
export function unsafeAt(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  switch (bytes[at]) {
    case 0x7f:
      return true;
    case 0xc2:
      return second <= 0x9f || second === 0xad;
    case 0xd8:
      return second === 0x9c;
    case 0xe1:
      return second === 0xa0 && third === 0x8e;
    case 0xe2:
      return second === 0x80
        ? (third >= 0x8b && third <= 0x8f) || (third >= 0xa8 && third <= 0xae)
        : second === 0x81 && third >= 0xa0 && third <= 0xaf;
    case 0xef:
      return second === 0xbb && third === 0xbf;
    case 0xf3:
      return second === 0xa0 && (third <= 0x81 || (third >= 0x84 && third <= 0x87));
    default:
      return false;
  }
}
