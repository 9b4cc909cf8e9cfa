import { comparable } from "skillctl";
import places from "./places.json" with { type: "json" };
import calendar from "./calendar.json" with { type: "json" };
import cityNames from "./cities.json" with { type: "json" };
import type { Catalog } from "../store/catalog.ts";
import { fixedWords, type FixedWords, type WordKind } from "./fixed-words.ts";

/** The marked names in a question, and the question with a placeholder for each. */
interface NamedText {
  readonly text: string;
  readonly names: readonly string[];
  /** The names in quotes, which may also contain plain words. */
  readonly quoted: ReadonlySet<number>;
}

/** The number of characters of a question that are read. */
const READ_SIGNS = 2000;
/** Placeholders are characters from the private use area, which cannot be typed. */
const FIRST_HOLDER = 0xe000;

/** Text that folding changes only in case: this makes one of 100,000 titles almost free. */
const PLAIN = /^(?:[\x21-\x5f\x61-\x7e\u3041-\u30ff\u4e00-\u9fff]| (?! ))*$/;
const NAMES =
  /《([^《》]{0,200})》|〈([^〈〉]{0,200})〉|“([^“”]{1,80})”|「([^「」]{1,80})」|『([^『』]{1,80})』|"([^"]{1,80})"|‘([^‘’]{1,80})’|(?<![\p{L}\p{N}])'([^']{1,80})'(?![\p{L}\p{N}])/gu;
const COUNTED =
  /(?<![周期拜])[零〇一二两三四五六七八九十百]{1,9}(?=\s*(?:个|天|日|周|月|年|季|号|星期|礼拜|首|名|条|国|位|支|大|座|家|种|半年))/gu;
const UNITS = "days?|weeks?|months?|quarters?|years?|weekends?";
const WORD = new RegExp(`\\b(${calendar.words.join("|")})(?=\\s+(?:${UNITS})\\b)`, "g");
const WORDS: readonly string[] = calendar.words;
const ABBREVIATIONS: Readonly<Record<string, string>> = calendar.abbreviations;
const spaced = (word: string): boolean => /[a-z]/.test(word);
/** Chinese is written without spaces. The classes of letters occur once, because they take milliseconds to compile. */
const ABBREVIATED = new RegExp(
  [
    `(?<![\\p{L}\\p{N}'])(?:${Object.keys(ABBREVIATIONS).filter(spaced).join("|")})(?![\\p{L}\\p{N}'])`,
    ...Object.keys(ABBREVIATIONS).filter((word) => !spaced(word)),
  ].join("|"),
  "gu",
);
const CALENDAR_WORDS = [calendar.months, calendar.weekdays]
  .flatMap((names) => Object.values(names).flat())
  .filter((name) => /^[a-z]+$/.test(name));
const CALENDAR_NAMES = [...new Set(CALENDAR_WORDS.flatMap((name) => [name, name.slice(0, 3)]))].join("|");
/** The hyphen in "jan-mar" and "mon-fri". */
const FROM_TO = new RegExp(`(?<=\\b(?:${CALENDAR_NAMES}))-(?=(?:${CALENDAR_NAMES})\\b)`, "g");

/** Replaces names in title marks or quotes by placeholders, and levels the rest. */
export function withoutNames(question: string): NamedText {
  const names: string[] = [];
  const quoted = new Set<number>();
  const text = question
    .slice(0, READ_SIGNS)
    .replaceAll(/\p{Co}/gu, " ")
    // Years of two digits: "Oct '26", 26年10月, 26年收入; 20年来 is a length.
    .replaceAll(/(?<![\p{L}\p{N}])['’‘](?=[12]\d(?![\p{L}\p{N}'’]))/gu, " 20")
    .replaceAll(
      /(?<![\d近去前后第每])(?=[12]\d年的?(?:1[0-2]|[1-9])月|2[0-9]年(?![来前后内间以之的]|\d))/gu,
      "20",
    )
    .replaceAll(NAMES, (whole, ...groups: readonly unknown[]) => {
      if (!/^[《〈]/u.test(whole)) quoted.add(names.length);
      const name = groups.find((group) => typeof group === "string");
      names.push(typeof name === "string" ? name.trim() : "");
      return ` ${holderOf(names.length - 1)} `;
    })
    .replaceAll(/\bU\.?S\.?A?\.?(?![\p{L}\d])/gu, (sign) => (/^US$/u.test(sign) ? "usa" : "usa "))
    .replaceAll(/\bU\.?K\.?(?![\p{L}\d])/gu, "uk");
  return { text: levelled(text), names, quoted };
}

/** The placeholder for a position in the list. */
export function holderOf(place: number): string {
  return String.fromCodePoint(FIRST_HOLDER + place);
}

/** The position in the list that a placeholder stands for. */
export function placeOf(sign: string): number | undefined {
  const code = sign.codePointAt(0) ?? 0;
  return code >= FIRST_HOLDER && code < 0xf900 ? code - FIRST_HOLDER : undefined;
}

/**
 * Levels a text as in the vocabulary: full-width forms and traditional characters are converted, lower case, single
 * spaces, hyphens between words as spaces, numerals before a unit as digits. The result is only read, never shown.
 */
export function levelled(text: string): string {
  return folded(text)
    .replaceAll(
      /\b((?:what|who|where|how|let|it|that|there|here)'s)\b|'s?(?![a-z])/g,
      (_, kept?: string) => kept ?? "",
    )
    .replaceAll(ABBREVIATED, (word) => ABBREVIATIONS[word] ?? word)
    .replaceAll(FROM_TO, " to ")
    .replaceAll(/(?<=[a-z])-(?=[a-z\d])/g, " ")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replaceAll(COUNTED, (numeral) => String(readNumeral(numeral)))
    .replaceAll(WORD, (word) => String(WORDS.indexOf(word)));
}

/** A title or word for comparison: NFKC, lower case, simplified characters, single spaces. */
export function folded(text: string): string {
  const same = comparable(text);
  if (PLAIN.test(text)) return same.trim();
  return same
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** 七 is 7, 十五 is 15, 三十 is 30, 一百二十 is 120, 二零二六 is 2026 (digit by digit if it contains no 十 or 百). */
export function readNumeral(numeral: string): number {
  const digitOf = (sign: string): number =>
    Math.max(
      0,
      calendar.digits.replace("零", "〇").indexOf(sign === "两" ? "二" : sign === "零" ? "〇" : sign),
    );
  if (!/[十百]/u.test(numeral)) return Number(Array.from(numeral, digitOf).join(""));
  let total = 0;
  let digit: number | undefined;
  for (const sign of numeral) {
    if (sign === "百" || sign === "十") {
      total += (digit ?? 1) * (sign === "百" ? 100 : 10);
      digit = undefined;
    } else digit = digitOf(sign);
  }
  return total + (digit ?? 0);
}

/** A word's meaning; `value` is a key of the vocabulary's section, a country code or a store. */
interface Meaning {
  readonly kind: WordKind;
  readonly value: string;
}

/** Levelled words with their meanings. */
export interface Vocabulary {
  readonly words: ReadonlyMap<string, Meaning>;
  /** The length of the longest word for each first character. */
  readonly longest: ReadonlyMap<string, number>;
}

let fixed: FixedWords | undefined;
/** Cached by catalogue: a question is read several times with one catalogue. */
const vocabularies = new WeakMap<object, Vocabulary>();

/** All words, including the stores and cities of a collection. */
export function vocabularyOf(catalog: Pick<Catalog, "stores" | "cities">): Vocabulary {
  const made = vocabularies.get(catalog) ?? madeOf(catalog);
  vocabularies.set(catalog, made);
  return made;
}

function madeOf({ stores, cities }: Pick<Catalog, "stores" | "cities">): Vocabulary {
  fixed ??= fixedWords(levelled);
  const words = new Map<string, Meaning>();
  for (const [kind, values] of Object.entries(fixed))
    for (const [value, list] of Object.entries(values))
      for (const word of list) words.set(word, { kind: kind as WordKind, value });
  for (const store of stores) {
    const name = folded(store);
    if (name.length > 1 && !words.has(name)) words.set(name, { kind: "store", value: store });
  }
  for (const city of cities)
    for (const word of [folded(city), cityKey(city), ...(CITY_WORDS[cityKey(city)] ?? [])].map(levelled)) {
      // Nice is only a city if a file contains it.
      const isFree = !words.has(word) || words.get(word)?.kind === "stop";
      if (isFree && word.length > 1) words.set(word, { kind: "city", value: cityKey(city) });
    }
  const longest = new Map<string, number>();
  for (const word of words.keys()) {
    const first = word.charAt(0);
    if (word.length > (longest.get(first) ?? 0)) longest.set(first, word.length);
  }
  return { words, longest };
}

/** The stores in a collection for a common name: the store of that name, otherwise all whose names contain it. */
export function storesNamed(value: string, stores: readonly string[]): readonly string[] {
  const key = folded(value);
  const exact = stores.filter((store) => folded(store) === key);
  if (exact.length > 0) return exact;
  return stores.filter(
    (store) => ` ${folded(store)} `.includes(` ${key} `) && folded(store) !== "youtube music",
  );
}

const CITY_WORDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(cityNames).map(([name, others]) => [
    name,
    [
      name,
      ...others.flatMap((other) => (/^\p{Script=Han}+(?<!市)$/u.test(other) ? [other, `${other}市`] : other)),
    ],
  ]),
);
const CITY_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries(CITY_WORDS).flatMap(([name, words]) => words.map((word) => [folded(word), name])),
);

/** The key that all names of a city share: "taipei" for "Taipei City, Taiwan" and 台北市. */
function cityKey(name: string): string {
  const first = firstPart(name);
  return CITY_KEYS.get(first) ?? first;
}

function firstPart(name: string): string {
  const [first = ""] = folded(name).split(/[,，]/u);
  return first.trim();
}

/** The cities that a name means, as spelled in their files, exact matches first: "Portland, OR" is not "Portland, ME". */
export function citiesNamed(value: string, cities: readonly string[]): readonly string[] {
  const isSame = (city: string): boolean => folded(city) === folded(value);
  const isFull = folded(value) !== firstPart(value);
  return cities
    .filter(
      (city) =>
        cityKey(city) === cityKey(value) && (!isFull || isSame(city) || folded(city) === firstPart(city)),
    )
    .toSorted((one, other) => Number(isSame(other)) - Number(isSame(one)));
}

/** The short word for a country code in capitals in a question. */
export function isCountryCode(sign: string, countries: readonly string[]): boolean {
  return countries.includes(sign) && !places.codesThatAreWords.includes(sign);
}
