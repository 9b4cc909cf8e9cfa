import type { Folded } from "./fold.ts";

const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}々〆ー";
/** Characters of words that are written with spaces between them. */
const SPACED_WORD = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]`;
const IS_SPACED_WORD = new RegExp(SPACED_WORD, "v");
const SUBSTANCE = /[\p{L}\p{N}\p{So}]/u;

/** Whether a key says anything besides punctuation, so that finding it inside another name means something. */
export function hasSubstance(key: string): boolean {
  return SUBSTANCE.test(key);
}

/**
 * Finds a key in the spaced form of texts: Latin words must not be cut, one CJK character is enough
 * (docs/music-analysis.md, Song names 5). Never inside a character.
 */
export function keyPattern(key: string): RegExp {
  const characters = Array.from(key);
  const words = characters.map((character) => character.replace(/[.*+?^${}()|[\]\\/]/u, "\\$&")).join(" ?");
  const before = IS_SPACED_WORD.test(characters[0] ?? "") ? `(?<!${SPACED_WORD})` : "";
  const after = IS_SPACED_WORD.test(characters.at(-1) ?? "") ? `(?!${SPACED_WORD})` : "(?!\\p{M})";
  return new RegExp(before + words + after, "gv");
}

/** Whether a name holds a key between word limits. */
export function contains(name: Folded, key: string): boolean {
  return name.key.includes(key) && keyPattern(key).test(name.spaced);
}
