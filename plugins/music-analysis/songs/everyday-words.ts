import { comparable } from "skillctl";

import words from "./words.json" with { type: "json" };

/** The composition of a phrase from everyday words of questions about data. */
interface PhraseShape {
  /** Names a metric, a dimension of the audience, a platform or a window of time. */
  readonly metric: boolean;
  /** Shows that something is asked. */
  readonly asking: boolean;
  /** Only has everyday words: too plain for a song name without marks. */
  readonly plain: boolean;
}

const METRICS = wordSet(words.metrics);
const ASKING = wordSet(words.asking);
const FILLERS = wordSet(words.fillers);
/** Words next to "song" and "track" that do not name a song. */
const BESIDE = wordSet(words.beside);
const WINDOW = "(?:最近|过去|近|前)\\d+(?:天|日|周|个月|月|年)";
const CALENDAR = "(?:周|星期)[一二三四五六日天]|十?[一二三四五六七八九十]月";
const TOKEN = tokens([...METRICS, ...ASKING, ...FILLERS]);
const TOKEN_BESIDE = tokens([...METRICS, ...ASKING, ...FILLERS, ...BESIDE]);
const LEAD = new RegExp(`(?:${longestFirst(wordSet(words.leads)).join("|")})$`, "u");

/** Reads a phrase word by word, longest first. Traditional characters, width and case do not matter. */
export function phraseShape(text: string, token = TOKEN): PhraseShape {
  let metric = false;
  let asking = false;
  let strange = false;
  const rest = comparable(text).replace(token, (found) => {
    const word = found.replace(/['’]s$/u, "");
    if (METRICS.has(word) || /^[^\d]+\d+[^\d]+$/u.test(word)) metric = true;
    else if (ASKING.has(word)) asking = true;
    else if (/^[a-z]/u.test(word) && !FILLERS.has(word) && (token === TOKEN || !BESIDE.has(word)))
      strange = true;
    return "";
  });
  return { metric, asking, plain: !strange && rest === "" };
}

/** Whether a name is a country's: in 德国的播放 it is the place, even if a song has that name. */
export function isCountry(name: string): boolean {
  countries ??= new Set(countryNames());
  return countries.has(comparable(name));
}

let countries: ReadonlySet<string> | undefined;

function countryNames(): readonly string[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  return ["en", "zh-CN"].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    return codes.flatMap((code) => comparable(names.of(code) ?? ""));
  });
}

/** Whether a phrase next to the word "song" names no song: "song sales", 歌曲数量. */
export function isPlainBeside(text: string): boolean {
  return phraseShape(text, TOKEN_BESIDE).plain;
}

/** Whether words before "this song" are not part of a name: plain words, and introductory verbs and prepositions. */
export function isLeading(phrase: string): boolean {
  let rest = comparable(phrase).trim();
  while (rest !== "" && !phraseShape(rest).plain) {
    const shorter = rest.replace(LEAD, "").trim();
    if (shorter === rest) {
      // Plain words may follow an introductory word (对我的): they are removed one by one.
      const cut = Array.from(rest);
      const tail = cut.findIndex((_, place) => phraseShape(cut.slice(place).join("")).plain);
      if (tail <= 0) return false;
      rest = cut.slice(0, tail).join("");
    } else rest = shorter;
  }
  return true;
}

function tokens(known: readonly string[]): RegExp {
  const chinese = longestFirst(known.filter((word) => !/^[a-z]+$/u.test(word)));
  return new RegExp(
    `${WINDOW}|${CALENDAR}|${chinese.join("|")}|[a-z]+(?:['’][a-z]+)?|\\d+|[\\p{P}\\p{S}\\s]+`,
    "gu",
  );
}

function longestFirst(known: Iterable<string>): readonly string[] {
  return [...known].toSorted((left, right) => right.length - left.length);
}

function wordSet(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
