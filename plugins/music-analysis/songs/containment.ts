import type { Folded } from "./keys.ts";

/** A known name found inside a text, by its place in the text's key. */
export interface Found<Named> {
  readonly start: number;
  readonly end: number;
  readonly named: Named;
}

/** Names by key, with the lengths that occur, so that a text is searched by look-ups alone. */
export interface NameMap<Named> {
  readonly byKey: ReadonlyMap<string, Named>;
  /** Longest first. */
  readonly lengths: readonly number[];
}

const WORD = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;
const SUBSTANCE = /[\p{L}\p{N}\p{So}]/u;

/** Whether a key says anything besides punctuation, so that finding it inside another name means something. */
export function hasSubstance(key: string): boolean {
  return SUBSTANCE.test(key);
}

/**
 * Whether a name may begin or end at a place of a key: Latin words must not be cut, one CJK character is enough
 * (docs/music-analysis.md, Song names step 5). Never inside a character.
 */
export function isWordLimit(text: Folded, place: number): boolean {
  const { key } = text;
  if (place <= 0 || place >= key.length) return true;
  const left = characterBefore(key, place);
  const right = String.fromCodePoint(key.codePointAt(place) ?? 0);
  if (isTail(key.charCodeAt(place)) && isHead(key.charCodeAt(place - 1))) return false;
  if (/\p{M}/u.test(right)) return false;
  if (!isSpacedWord(left) || !isSpacedWord(right)) return true;
  return hasGap(text.spaced, place);
}

/** Every known name inside a text, between word limits, in no promised order; names may overlap. */
export function namesWithin<Named>(text: Folded, names: NameMap<Named>): readonly Found<Named>[] {
  const found: Found<Named>[] = [];
  for (let start = 0; start < text.key.length; start += 1) {
    for (const length of names.lengths) {
      const end = start + length;
      if (end > text.key.length) continue;
      const named = names.byKey.get(text.key.slice(start, end));
      if (named !== undefined && isWordLimit(text, start) && isWordLimit(text, end))
        found.push({ start, end, named });
    }
  }
  return found;
}

function isSpacedWord(character: string): boolean {
  return WORD.test(character) && !UNSPACED.test(character);
}

function characterBefore(key: string, place: number): string {
  const pair = place >= 2 && isTail(key.charCodeAt(place - 1)) && isHead(key.charCodeAt(place - 2));
  return key.slice(pair ? place - 2 : place - 1, place);
}

function isHead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether the spaced form has a space before the character at that place of the key. */
function hasGap(spaced: string, place: number): boolean {
  let seen = 0;
  for (let at = 0; at < spaced.length; at += 1) {
    if (spaced.charAt(at) === " ") {
      if (seen === place) return true;
    } else if (seen++ === place) return false;
  }
  return false;
}
