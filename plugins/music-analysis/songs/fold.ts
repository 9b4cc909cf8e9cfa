import { simplified } from "skillctl";

/** A piece of a text between marks or quotes. */
export interface MarkedSpan {
  /** The position of the opening mark. */
  readonly start: number;
  /** The position after the closing mark. */
  readonly end: number;
  /** The text between the marks, as written. */
  readonly inner: string;
}

interface Quote {
  readonly opens: string;
  readonly closes: RegExp;
  /** An apostrophe looks like a quote; it only opens one after no letter or digit, and only closes one before none. */
  readonly apostrophe?: true;
}

const WRAPS: ReadonlyMap<string, string> = new Map(
  ["《》", "〈〉", "“”", "‘’", "「」", "『』", "｢｣", '""', "''", "＂＂"].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
);
const TITLE = /《[^《》]+》/u;
const QUOTES: readonly Quote[] = [
  { opens: '“”„‟"＂', closes: /[“”„‟"＂]/gu },
  { opens: "「", closes: /」/gu },
  { opens: "『", closes: /』/gu },
  { opens: "｢", closes: /｣/gu },
  { opens: "‘’'＇", closes: /[‘’'＇](?![\p{Script=Latin}\p{N}])/gu, apostrophe: true },
];
const LETTER_BEFORE = /[\p{Script=Latin}\p{N}]$/u;

/**
 * Removes the marks or quotes that enclose a whole name; marks inside it remain, and so do marks around an empty name
 * (docs/music-analysis.md, Reading songs 4, and Song names 2).
 */
export function bareName(text: string): string {
  let name = text.trim();
  for (;;) {
    const close = WRAPS.get(name.charAt(0));
    if (close === undefined || name.length < 2 || !name.endsWith(close)) return name;
    const inner = name.slice(1, -1);
    if (inner.trim() === "" || closesEarly(inner, name.charAt(0), close)) return name;
    name = inner.trim();
  }
}

/**
 * Inserts a song name into a fixed sentence. A name with its own title marks also replaces the marks of the template,
 * so that no name has double marks (specification, Presentation rule 3).
 */
export function withSongName(template: string, placeholder: string, name: string): string {
  const bare = bareName(name);
  const marked = TITLE.test(bare) ? template.replaceAll(`《${placeholder}》`, () => bare) : template;
  return marked.replaceAll(placeholder, () => bare);
}

/** The maximum number of titles that are read in a text. */
const MOST_TITLES = 10_000;

/** The first 10,000 texts in title marks, outermost marks only; if marks do not pair up, the innermost pairs. */
export function titleSpans(text: string): readonly MarkedSpan[] {
  return outermost(text) ?? innermost(text);
}

/** The texts in quotes of any common kind, from left to right. An opening quote without a closing one is ignored. */
export function quoteSpans(text: string): readonly MarkedSpan[] {
  const spans: MarkedSpan[] = [];
  const exhausted = new Set<Quote>();
  for (let at = 0; at < text.length; at += 1) {
    const quote = QUOTES.find(({ opens }) => opens.includes(text.charAt(at)));
    if (quote === undefined || exhausted.has(quote)) continue;
    if (quote.apostrophe && LETTER_BEFORE.test(text.slice(Math.max(0, at - 2), at))) continue;
    quote.closes.lastIndex = at + 1;
    const close = quote.closes.exec(text)?.index;
    if (close === undefined) exhausted.add(quote);
    else {
      spans.push({ start: at, end: close + 1, inner: text.slice(at + 1, close) });
      at = close;
    }
  }
  return spans;
}

/** Whether the first mark is closed before the end, as in 《A》和《B》. */
function closesEarly(inner: string, open: string, close: string): boolean {
  if (open === close || !inner.includes(close)) return inner.includes(close);
  let depth = 1;
  for (const character of inner) {
    if (character === open) depth += 1;
    else if (character === close && --depth === 0) return true;
  }
  return false;
}

/** The opening marks by their codes; each is followed by its closing mark. */
const [SINGLE, DOUBLE] = ["〈".charCodeAt(0), "《".charCodeAt(0)];

function outermost(text: string): readonly MarkedSpan[] | undefined {
  const spans: MarkedSpan[] = [];
  const awaited: number[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === DOUBLE || mark === SINGLE) {
      if (awaited.length === 0) start = at;
      awaited.push(mark + 1);
    } else if (awaited.length > 0 && mark === awaited.at(-1)) {
      awaited.pop();
      if (awaited.length === 0) spans.push({ start, end: at + 1, inner: text.slice(start + 1, at) });
      if (spans.length === MOST_TITLES) return spans;
    }
  }
  return awaited.length === 0 ? spans : undefined;
}

function innermost(text: string): readonly MarkedSpan[] {
  const spans: MarkedSpan[] = [];
  for (const { 0: whole, 1: title, 2: inside = "", index: start } of text.matchAll(
    /《([^《》]*)》|〈([^〈〉《》]*)〉/gu,
  )) {
    spans.push({ start, end: start + whole.length, inner: title ?? inside });
    if (spans.length === MOST_TITLES) break;
  }
  return spans;
}

const WORD = /[\p{L}\p{N}\p{M}]/u;
const MARK = /\p{M}/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;
const SUBSTANCE = /[\p{L}\p{N}\p{So}]/u;

/** The position of a key in the spaced form of a text. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** Whether a key contains more than punctuation, so that finding it inside another name is significant. */
export function hasSubstance(key: string): boolean {
  return SUBSTANCE.test(key);
}

/** Finds a key in the spaced form of texts, regardless of word gaps. */
export function keyPattern(key: string): RegExp {
  const characters = Array.from(key, (character) => character.replace(/[.*+?^${}()|[\]\\/]/u, "\\$&"));
  return new RegExp(characters.join(" ?"), "gu");
}

/**
 * The positions of a key between word boundaries: Latin words must not be cut, one CJK character is enough
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

/** Whether a name contains a key between word boundaries. */
export function contains(name: Folded, key: string, pattern = keyPattern(key)): boolean {
  return name.key.includes(key) && keySpans(pattern, name.spaced).next().done !== true;
}

/** Whether a name may start or end at a position; never inside a character. */
function isWordLimit(spaced: string, place: number): boolean {
  if (place <= 0 || place >= spaced.length) return true;
  const [before, after] = [spaced.charCodeAt(place - 1), spaced.charCodeAt(place)];
  if (isLowSurrogate(after)) return false;
  const next = String.fromCodePoint(spaced.codePointAt(place) ?? 0);
  if (MARK.test(next)) return false;
  const last = isLowSurrogate(before) ? spaced.slice(place - 2, place) : spaced.charAt(place - 1);
  return !isSpacedWord(last) || !isSpacedWord(next);
}

/** Whether a character belongs to a script that separates words by spaces. */
function isSpacedWord(character: string): boolean {
  return WORD.test(character) && !UNSPACED.test(character);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** A text folded for comparison. */
export interface Folded {
  /** Without any white space. */
  readonly key: string;
  /** The same with single spaces in place of white space, marks or (close form) punctuation. */
  readonly spaced: string;
}

const TITLE_MARKS = /[《》〈〉]/gu;
const GLUE = /\u2060/gu;
const GAPS = /[\s\u200b]+/gu;
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}е])[\u0300-\u036f]+/gu;
const SELECTORS = /\p{Variation_Selector}+/gu;
const NO_LETTERS = /[\p{P}\p{S}\p{Cf}\p{Variation_Selector}\u0300-\u036f]+/gu;
/** Latin letters, digits, CJK, kana and Hangul: the close form only changes their script. */
const PLAIN = /^[a-z0-9 \u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\uac00-\ud7a3]*$/;

/** The exact form with its word gaps kept as single spaces (docs/music-analysis.md, Song names 1 and 5). */
export function foldExact(text: string): Folded {
  return folded(lower(text.normalize("NFC").replace(TITLE_MARKS, " ").replace(GLUE, "")).normalize("NFC"));
}

/** The close form of an exact one; the exact form if the close form would be empty (Song names 4). */
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

/** The close key of a song whose exact key is known: most are plain and need no folding. */
export function closeKeyOf({ name, key }: { readonly name: string; readonly key: string }): string {
  return PLAIN.test(key) ? simplified(key) : closeKey(bareName(name));
}

/** Unicode case folding, as far as titles need it: lower case, ß as ss, one sigma. */
function lower(text: string): string {
  return text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

/** If joining two words would compose two characters into one, the gaps are omitted, not misplaced. */
function folded(text: string): Folded {
  const spaced = text.replace(GAPS, " ").trim();
  const joined = spaced.replaceAll(" ", "");
  const key = joined.normalize("NFC");
  return key.length === joined.length ? { key, spaced } : { key, spaced: key };
}
