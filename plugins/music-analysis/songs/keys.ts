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
const SELECTORS = /\p{Variation_Selector}+/gu;
const NO_LETTERS = /[\p{P}\p{S}\p{Cf}\p{Variation_Selector}\u0300-\u036f]+/gu;

/** Latin letters, digits, CJK, kana and Hangul: neither form changes them but for case, gaps and script. */
const PLAIN = /^[a-zA-Z0-9 \u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\uac00-\ud7a3]*$/;
/** With the usual punctuation, which the exact form keeps; nearly every title is made of these. */
const PLAIN_EXACT =
  /^[ -~\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fc\uac00-\ud7a3\u3001\u3002\u300c-\u3011\u2010-\u2026\uff01-\uff5e]*$/;

/** What the close form takes out, as far as PLAIN_EXACT has it. */
const PLAIN_MARKS =
  /[!-/:-@[-`{-~\u2010-\u2026\u3001\u3002\u300c-\u3011\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]+/g;

/** keyA with its word gaps kept as single spaces (docs/music-analysis.md, Song names steps 1 and 5). */
export function foldExact(text: string): Folded {
  if (PLAIN_EXACT.test(text)) return normalized(text.toLowerCase());
  return folded(folding(text.normalize("NFC").replace(TITLE_MARKS, " ").replace(GLUE, "")).normalize("NFC"));
}

/** keyB with its word gaps kept as single spaces; the exact form where nothing else is left (3.3 step 4). */
export function foldClose(exact: Folded): Folded {
  if (PLAIN.test(exact.spaced) && simplified(exact.spaced) === exact.spaced) return exact;
  const close = closeForm(exact.spaced);
  if (close.key === "") return folded(exact.spaced.replace(SELECTORS, ""));
  return close.key === exact.key && close.spaced === exact.spaced ? exact : close;
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

function closeForm(spaced: string): Folded {
  const words = spaced.replace(PLAIN_MARKS, " ");
  if (PLAIN.test(words)) return normalized(simplified(words));
  const plain = folding(spaced.normalize("NFKD").replace(ACCENTS, "$1"));
  return folded(simplified(folding(plain.normalize("NFKC")).replace(NO_LETTERS, " ")));
}

/** For a text in normal form in which no neighbours can be composed, and no white space but spaces. */
function normalized(text: string): Folded {
  if (!text.includes(" ")) return { key: text, spaced: text };
  const spaced = (text.includes("  ") ? text.replace(/ {2,}/g, " ") : text).trim();
  return { key: spaced.replaceAll(" ", ""), spaced };
}

/** Where joining two words would compose two characters into one, the gaps are given up rather than misplaced. */
function folded(text: string): Folded {
  const spaced = text.replace(GAPS, " ").trim();
  const joined = spaced.replaceAll(" ", "");
  const key = joined.normalize("NFC");
  return key.length === joined.length ? { key, spaced } : { key, spaced: key };
}
