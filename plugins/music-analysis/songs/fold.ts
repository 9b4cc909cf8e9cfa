import { bareName } from "./title-marks.ts";
import pairs from "./traditional.json" with { type: "json" };

/** A text folded for comparison: what is compared, and where its words were apart. */
export interface Folded {
  /** Without any white space. */
  readonly key: string;
  /** The same with one space wherever white space, marks or (close form) punctuation stood. */
  readonly spaced: string;
}

const TITLE_MARKS = /[《》〈〉]/gu;
const GLUE = /\u2060/gu;
const GAPS = /[\s\u200b]+/gu;
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}е])[\u0300-\u036f]+/gu;
const SELECTORS = /\p{Variation_Selector}+/gu;
const NO_LETTERS = /[\p{P}\p{S}\p{Cf}\p{Variation_Selector}\u0300-\u036f]+/gu;
/** Latin letters, digits, CJK, kana and Hangul: the close form changes nothing but their script. */
const PLAIN = /^[a-z0-9 \u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\uac00-\ud7a3]*$/;

/** The exact form with its word gaps kept as single spaces (docs/music-analysis.md, Song names 1 and 5). */
export function foldExact(text: string): Folded {
  return folded(lower(text.normalize("NFC").replace(TITLE_MARKS, " ").replace(GLUE, "")).normalize("NFC"));
}

/** The close form of an exact one; the exact one where nothing else is left (Song names 4). */
export function foldClose(exact: Folded): Folded {
  if (PLAIN.test(exact.spaced)) {
    const spaced = simplified(exact.spaced);
    return spaced === exact.spaced ? exact : { spaced, key: simplified(exact.key) };
  }
  const bare = lower(exact.spaced.normalize("NFKD").replace(ACCENTS, "$1"));
  const close = folded(simplified(lower(bare.normalize("NFKC")).replace(NO_LETTERS, " ")));
  return close.key === "" ? folded(exact.spaced.replace(SELECTORS, "")) : close;
}

/** The key of tier A: title marks, spaces and case are removed, nothing else (specification, States and transitions 3). */
export function exactKey(text: string): string {
  return foldExact(text).key;
}

/** The key of tier B: punctuation, symbols, width, accents and traditional characters are levelled (Song names 4). */
export function closeKey(text: string): string {
  return foldClose(foldExact(text)).key;
}

/** The close key of a song whose exact key is known: most are plain, and then nothing has to be folded. */
export function closeKeyOf({ name, key }: { readonly name: string; readonly key: string }): string {
  return PLAIN.test(key) ? simplified(key) : closeKey(bareName(name));
}

/** For each code unit its simplified form, 0 where it is none of the traditional ones. */
const SIMPLIFIED = new Uint16Array(0x1_0000);
for (const line of pairs)
  for (let at = 0; at < line.length; at += 2) SIMPLIFIED[line.charCodeAt(at)] = line.charCodeAt(at + 1);

/**
 * The text with its traditional characters made simplified, one by one, so that both ways of writing one title meet in
 * one key. Words that were never one meet too (後 "after", 后 "queen"): it may offer a candidate, no more.
 */
export function simplified(text: string): string {
  let changed = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = SIMPLIFIED[text.charCodeAt(at)] ?? 0;
    if (unit === 0) continue;
    changed += text.slice(from, at) + String.fromCharCode(unit);
    from = at + 1;
  }
  return from === 0 ? text : changed + text.slice(from);
}

/** Unicode case folding as far as titles need it: lower case, ß as ss, one sigma. */
function lower(text: string): string {
  return text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

/** Where joining two words would compose two characters into one, the gaps are given up rather than misplaced. */
function folded(text: string): Folded {
  const spaced = text.replace(GAPS, " ").trim();
  const joined = spaced.replaceAll(" ", "");
  const key = joined.normalize("NFC");
  return key.length === joined.length ? { key, spaced } : { key, spaced: key };
}
