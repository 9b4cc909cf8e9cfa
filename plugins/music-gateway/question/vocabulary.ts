import english from "./vocabulary-en.json" with { type: "json" };
import chinese from "./vocabulary-zh.json" with { type: "json" };
import places from "./places.json" with { type: "json" };
import storeNames from "./stores.json" with { type: "json" };
import { folded, levelled } from "./text.ts";

/** What kind of meaning a word has. */
export type WordKind =
  | "split"
  | "measure"
  | "order"
  | "mark"
  | "noun"
  | "weekday"
  | "number"
  | "unknowable"
  | "area"
  | "country"
  | "store"
  | "stop";

/** A word's meaning; `value` is a key of the vocabulary's section, a country code or a store. */
export interface Meaning {
  readonly kind: WordKind;
  readonly value: string;
}

/** Words, levelled, with what they mean. */
export interface Vocabulary {
  readonly words: ReadonlyMap<string, Meaning>;
  /** The length of the longest word by its first sign. */
  readonly longest: ReadonlyMap<string, number>;
}

type Section = Readonly<Record<string, readonly string[]>>;
const SECTIONS = [
  "split",
  "measure",
  "order",
  "mark",
  "weekday",
  "number",
  "unknowable",
  "area",
  "noun",
] as const;
/** Sections whose English words have a plural in s. */
const PLURAL = new Set<WordKind>(["measure", "noun", "unknowable"]);
/** Words that levelling leaves as they are. */
const IS_PLAIN = /^(?:[a-z ]+|[^\d\s零〇一二两三四五六七八九十百'A-Z-]+)$/u;

let fixed: ReadonlyMap<string, Meaning> | undefined;

/** All words, with the stores of a collection by their own names. */
export function vocabularyOf(stores: readonly string[]): Vocabulary {
  fixed ??= fixedWords();
  const words = new Map(fixed);
  for (const store of stores) {
    const name = folded(store);
    if (name.length > 1 && !words.has(name)) words.set(name, { kind: "store", value: store });
  }
  const longest = new Map<string, number>();
  for (const word of words.keys()) {
    const first = word.charAt(0);
    if (word.length > (longest.get(first) ?? 0)) longest.set(first, word.length);
  }
  return { words, longest };
}

/** The stores of a collection that a store's usual name means: its own name, else all names that contain it. */
export function storesNamed(value: string, stores: readonly string[]): readonly string[] {
  const key = folded(value);
  const exact = stores.filter((store) => folded(store) === key);
  if (exact.length > 0) return exact;
  return stores.filter(
    (store) => ` ${folded(store)} `.includes(` ${key} `) && folded(store) !== "youtube music",
  );
}

/** The short word for a country code in capitals that stands in a question. */
export function isCountryCode(sign: string, countries: readonly string[]): boolean {
  return countries.includes(sign) && !places.codesThatAreWords.includes(sign);
}

function fixedWords(): ReadonlyMap<string, Meaning> {
  const words = new Map<string, Meaning>();
  const add = (word: string, kind: WordKind, value: string): void => {
    const key = IS_PLAIN.test(word) ? word : levelled(word);
    if (key !== "" && !words.has(key)) words.set(key, { kind, value });
  };
  for (const language of [english, chinese]) {
    for (const kind of SECTIONS) {
      for (const [value, list] of Object.entries(language[kind] as Section)) {
        for (const word of list) add(word, kind, value);
      }
    }
  }
  for (const kind of PLURAL) {
    for (const [value, list] of Object.entries(english[kind as "noun"] as Section)) {
      for (const word of list) if (!word.endsWith("s")) add(`${word}s`, kind, value);
    }
  }
  for (const [value, list] of Object.entries(storeNames)) for (const word of list) add(word, "store", value);
  for (const word of [...english.stop, ...chinese.stop]) add(word, "stop", word);
  for (const [code, list] of Object.entries(places.short))
    for (const word of list) add(word, "country", code);
  const names = ["en", "zh-CN"].map((language) => new Intl.DisplayNames(language, { type: "region" }));
  for (const code of places.codes.split(" ")) {
    for (const name of names) add((name.of(code) ?? code).replace("&", "and"), "country", code);
  }
  add("usa", "country", "US");
  return words;
}
