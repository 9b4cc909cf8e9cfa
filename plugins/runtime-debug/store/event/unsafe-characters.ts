/**
 * Characters that a terminal or a model takes for something else than text, or that nobody sees: DEL and C1, line and
 * paragraph separator, marks of annotations, and all that Unicode calls ignorable by default, which are the signs that
 * turn, join or hide text, the tags, and the selectors. `JSON.stringify` leaves all of them raw.
 */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const UNSAFE = new RegExp(
  `[${RANGES.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("")}]`,
  "gu",
);
const ASCII = /^[\0-~]*$/;
/** Replaces every unsafe character by what `name` makes of it. */
export function replaceUnsafe(text: string, name: (character: string) => string): string {
  return text.replace(UNSAFE, name);
}

/** JSON text of the same value in which nothing is unsafe, but escaped. Outside strings JSON has no such character. */
export function escapeUnsafe(json: string): string {
  if (ASCII.test(json)) return json;
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
