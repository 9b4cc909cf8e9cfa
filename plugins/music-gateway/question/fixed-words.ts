import english from "./vocabulary-en.json" with { type: "json" };
import chinese from "./vocabulary-zh.json" with { type: "json" };
import places from "./places.json" with { type: "json" };
import storeNames from "./stores.json" with { type: "json" };

/** The kinds of meanings that words have. */
export type WordKind =
  | "split"
  | "measure"
  | "per"
  | "order"
  | "mark"
  | "noun"
  | "weekday"
  | "distributor"
  | "currency"
  | "number"
  | "unknowable"
  | "area"
  | "country"
  | "city"
  | "store"
  | "stop";

/** Words by kind and value; the value is a key of the vocabulary's section, a country code or a store. No word occurs twice. */
export type FixedWords = Partial<Readonly<Record<WordKind, Readonly<Record<string, readonly string[]>>>>>;

type Section = Readonly<Record<string, readonly string[]>>;
const SECTIONS = [
  "split",
  "measure",
  "per",
  "order",
  "mark",
  "weekday",
  "distributor",
  "currency",
  "number",
  "unknowable",
  "area",
  "noun",
] as const;
/** Sections whose English words also have a plural with s. */
const PLURAL = new Set<WordKind>(["measure", "noun", "unknowable"]);
/** Words that levelling does not change. */
const IS_PLAIN = /^(?:[a-z ]+|[^\d\s零〇一二两三四五六七八九十百'A-Z-]+)$/u;

/** The words that have the same meaning in every collection. The build replaces this module with the result (scripts/build.ts). */
export function fixedWords(levelled: (text: string) => string): FixedWords {
  const known = new Set([""]);
  const words: { [kind in WordKind]?: Record<string, string[]> } = {};
  const add = (word: string, kind: WordKind, value: string): void => {
    const key = IS_PLAIN.test(word) ? word : levelled(word);
    if (known.has(key)) return;
    known.add(key);
    ((words[kind] ??= {})[value] ??= []).push(key);
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
