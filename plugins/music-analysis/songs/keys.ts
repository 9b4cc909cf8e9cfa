import { simplified } from "./script.ts";

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
const NO_LETTERS = /[\p{P}\p{S}\p{Cf}\p{Variation_Selector}\u0300-\u036f]+/gu;

/** Texts that no normal form changes; nearly every title is one. */
const PLAIN = /^[a-zA-Z0-9 \u4e00-\u9fff]*$/u;

/** keyA with its word gaps kept as single spaces (docs/music-analysis.md, Song names steps 1 and 5). */
export function foldExact(text: string): Folded {
  if (PLAIN.test(text)) return folded(text.toLowerCase());
  return folded(folding(text.normalize("NFC").replace(TITLE_MARKS, " ").replace(GLUE, "")).normalize("NFC"));
}

/** keyB with its word gaps kept as single spaces; the exact form where nothing else is left (3.3 step 4). */
export function foldClose(exact: Folded): Folded {
  if (PLAIN.test(exact.spaced)) {
    const spaced = simplified(exact.spaced);
    return spaced === exact.spaced ? exact : { key: simplified(exact.key), spaced };
  }
  const plain = folding(exact.spaced.normalize("NFKD").replace(ACCENTS, "$1"));
  const close = folded(simplified(folding(plain.normalize("NFKC")).replace(NO_LETTERS, " ")));
  return close.key === "" ? exact : close;
}

/**
 * The key of tier A: title marks, spaces and case are removed, nothing else. Punctuation, width, accents and
 * script stay (spec music-analysis, States and transitions 3; docs/music-analysis.md, Song names step 1).
 */
export function keyA(text: string): string {
  return foldExact(text).key;
}

/**
 * The key of tier B: compatibility forms, punctuation, symbols, accents of Latin and Greek letters and
 * traditional characters are levelled (docs/music-analysis.md, Song names step 4 and Rulings).
 */
export function keyB(text: string): string {
  return foldClose(foldExact(text)).key;
}

/** Unicode case folding as far as titles need it: lower case, ß as ss, one sigma. */
function folding(text: string): string {
  return text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

/** Where joining two words would compose two characters into one, the gaps are given up rather than misplaced. */
function folded(text: string): Folded {
  const spaced = text.replace(GAPS, " ").trim();
  const joined = spaced.replaceAll(" ", "");
  const key = joined.normalize("NFC");
  return key.length === joined.length ? { key, spaced } : { key, spaced: key };
}
