import type { Folded } from "./fold.ts";

const ASCII_WORD = /[a-z0-9]/;
const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;
const SUBSTANCE = /[\p{L}\p{N}\p{So}]/u;

/** Whether a key says anything besides punctuation, so that finding it inside another name means something. */
export function hasSubstance(key: string): boolean {
  return SUBSTANCE.test(key);
}

/** Where a key stands in a text between word limits, as places in the text's key. */
export function* placesOf(key: string, text: Folded): Generator<number> {
  for (let at = text.key.indexOf(key); at !== -1; at = text.key.indexOf(key, at + 1))
    if (isWordLimit(text, at) && isWordLimit(text, at + key.length)) yield at;
}

/** Whether a name holds a key between word limits. */
export function contains(name: Folded, key: string): boolean {
  return placesOf(key, name).next().done !== true;
}

/** For each character of the key, its place in the spaced form. */
export function placesInSpaced({ spaced }: Folded): readonly number[] {
  return Array.from({ length: spaced.length }, (_, at) => at).filter((at) => spaced.charAt(at) !== " ");
}

/**
 * Whether a name may begin or end at a place of a key: Latin words must not be cut, one CJK character is enough
 * (docs/music-analysis.md, Song names 5). Never inside a character.
 */
function isWordLimit(text: Folded, place: number): boolean {
  const { key } = text;
  if (place <= 0 || place >= key.length) return true;
  if (isTail(key, place)) return false;
  const next = String.fromCodePoint(key.codePointAt(place) ?? 0);
  const last = key.slice(isTail(key, place - 1) ? place - 2 : place - 1, place);
  if (!ASCII_WORD.test(next) && MARK.test(next)) return false;
  return !isSpacedWord(next) || !isSpacedWord(last) || hasGap(text, place);
}

function isSpacedWord(character: string): boolean {
  return ASCII_WORD.test(character) || (WORD.test(character) && !UNSPACED.test(character));
}

function isTail(key: string, place: number): boolean {
  const unit = key.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether the spaced form has a space before the character at that place of the key. */
function hasGap({ key, spaced }: Folded, place: number): boolean {
  if (spaced.length === key.length) return false;
  let at = 0;
  for (let seen = 0; seen < place; at += 1) if (spaced.charAt(at) !== " ") seen += 1;
  return spaced.charAt(at) === " ";
}
