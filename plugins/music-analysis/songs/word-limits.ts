import type { Folded } from "./fold.ts";

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;
const SUBSTANCE = /[\p{L}\p{N}\p{So}]/u;

/** Where a key stands in the spaced form of a text. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** Whether a key says anything besides punctuation, so that finding it inside another name means something. */
export function hasSubstance(key: string): boolean {
  return SUBSTANCE.test(key);
}

/** Finds a key in the spaced form of texts, whatever gaps its own words have there. */
export function keyPattern(key: string): RegExp {
  const characters = Array.from(key, (character) => character.replace(/[.*+?^${}()|[\]\\/]/u, "\\$&"));
  return new RegExp(characters.join(" ?"), "gu");
}

/**
 * The places of a key between word limits: Latin words must not be cut, one CJK character is enough
 * (docs/music-analysis.md, Song names 5).
 */
export function* keySpans(pattern: RegExp, spaced: string): Generator<KeySpan> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(spaced); match !== null; match = pattern.exec(spaced)) {
    const [start, end] = [match.index, match.index + match[0].length];
    pattern.lastIndex = start + 1;
    if (isWordLimit(spaced, start) && isWordLimit(spaced, end)) yield { start, end };
  }
}

/** Whether a name holds a key between word limits. */
export function contains(name: Folded, key: string, pattern = keyPattern(key)): boolean {
  return name.key.includes(key) && keySpans(pattern, name.spaced).next().done !== true;
}

/** Whether a name may begin or end at a place; never inside a character. */
function isWordLimit(spaced: string, place: number): boolean {
  if (place <= 0 || place >= spaced.length) return true;
  const [before, after] = [spaced.charCodeAt(place - 1), spaced.charCodeAt(place)];
  if (isLowSurrogate(after)) return false;
  const next = String.fromCodePoint(spaced.codePointAt(place) ?? 0);
  if (MARK.test(next)) return false;
  const last = isLowSurrogate(before) ? spaced.slice(place - 2, place) : spaced.charAt(place - 1);
  return !isSpacedWord(last) || !isSpacedWord(next);
}

/** Whether a character belongs to words that are written with spaces between them. */
function isSpacedWord(character: string): boolean {
  return WORD.test(character) && !UNSPACED.test(character);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
