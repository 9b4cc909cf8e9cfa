import calendar from "./calendar.json" with { type: "json" };
import { dateWordAt, type DateWord } from "./date-words.ts";
import {
  folded,
  holderOf,
  placeOf,
  readNumeral,
  withoutNames,
  isCountryCode,
  citiesNamed,
  storesNamed,
  vocabularyOf,
  type Vocabulary,
} from "./vocabulary.ts";
import type { WordKind } from "./fixed-words.ts";
import { STEPS } from "./query.ts";
import { looseForms } from "./titles.ts";
import type { Catalog } from "../store/catalog.ts";

/** The names and files that are known when a question is read. */
export type Known = Pick<Catalog, "songs" | "stores" | "countries" | "cities" | "files">;

/** One word or phrase of a question with its meaning. */
export interface Token {
  readonly kind: WordKind | "song" | "date" | "unknown" | "unknown-song";
  /** The meaning of the word in the vocabulary; for an unknown word, its text. */
  readonly value: string;
  /** The levelled text, for messages. */
  readonly text: string;
  /** The songs with the title. */
  readonly ids?: readonly number[];
  /** The name of the store or city in the files. */
  readonly names?: readonly string[];
  readonly date?: DateWord;
  /** Whether the song is identified only by its age. */
  readonly isByAge?: true;
}

/** Whether a token exists, is of a kind, and has one of the given values, if any are given. */
export function is(token: Token | undefined, kind: Token["kind"], ...values: readonly string[]): boolean {
  return token?.kind === kind && (values.length === 0 || values.includes(token.value));
}

/** Kinds of words that may be in quotes without being a title. */
const PLAIN: ReadonlySet<string> = new Set(["measure", "noun", "date", "country", "city", "store"]);
const WORD_SIGN = /[\p{L}\p{N}']/u;
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const BLANK = /[\s.,;:!?。，；：！？、()（）[\]【】…"'/|*+=<>$€%#@_{}~\u{200b}💡]/u;

const MULTIPLES: Readonly<Record<string, number>> = calendar.multiples;
const MULTIPLE = Object.keys(MULTIPLES).join("|");
const BEHIND_NUMBER = new RegExp(`^ ?(${MULTIPLE})(?![a-z])`);
/** 1000000, 1.5 million, 100k, 50万, 五十万. */
const NUMBER = new RegExp(
  `^(?:(\\d{1,12}(?:\\.\\d{1,6})?)(?![\\d.])(?: ?(${MULTIPLE})(?![a-z]))?|([一二两三四五六七八九十百]{1,5})(${MULTIPLE}))`,
);

/** "The song July", July这首歌: a title, even if the word has another meaning. */
const CALLED = /(?:\b(?:song|track|single|tune) (?:(?:called|named|titled) )?|歌曲|单曲|[首支]歌) ?$/u;
const POINTED = /^ ?(?:[这那][首支]|该歌|此歌)/u;

/** Splits a question into tokens, in order, without function words. `own` is the title of the song that was sent with it. */
export function scan(question: string, known: Known, own = ""): readonly Token[] {
  const vocabulary = vocabularyOf(known);
  const marked = withoutNames(codesNamed(question, known.countries));
  const names = [...marked.names];
  const songs = songsByTitle(known.songs, names);
  const text = titlesFound(marked.text, names, songs, vocabulary, known, own);
  const tokens = tokensOf(text, vocabulary, known, (place) =>
    named(names[place] ?? "", marked.quoted.has(place), songs, vocabulary, known),
  );
  const found = releasesFound(songsByAge(tokens, known));
  const isWhen = asksWhen(found);
  return leftOutByWord(
    found.flatMap((token, at) => inPlace(token, at, found, isWhen)),
    known,
  );
}

function asksWhen(tokens: readonly Token[]): boolean {
  return tokens.some(
    (one, at) =>
      is(one, "mark", "when") || (is(one, "mark", "which") && is(tokens[at + 1], "noun", ...STEPS)),
  );
}

/** Words whose meaning depends on their neighbours: "over 4,800", 到100万, "weekend versus weekday". */
function inPlace(token: Token, at: number, tokens: readonly Token[], isWhen: boolean): readonly Token[] {
  const [before, next, after] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  const isBeforeNumber = is(next, "number") && !is(after, "noun", ...STEPS);
  if (is(token, "mark", "over")) return isBeforeNumber ? [{ ...token, value: "threshold" }] : [];
  // 卖得最好的时候, "the best selling time": when it was highest; elsewhere the word is ignored.
  if (is(token, "mark", "moment"))
    return [before, next, after, tokens[at - 2]].some((one) => is(one, "order"))
      ? [{ ...token, value: "when" }]
      : [];
  // 卖得最好的那首歌 and "the song that sold best" do not refer to a previous song.
  const ranking = /[首支]/u.test(token.text) ? [before] : [next, after, tokens[at + 3]];
  const isThe = /[首支]|^the /u.test(token.text);
  if (is(token, "mark", "pointer") && isThe && ranking.some((one) => is(one, "order")))
    return [{ ...token, kind: "noun", value: "song" }];
  // "When it peaked" means when it was highest.
  if (isWhen && is(token, "mark", "peaked")) return [{ ...token, kind: "order", value: "most" }];
  const isThan = is(token, "mark", "versus") && /^(?:more|less|fewer|higher|lower) than$/u.test(token.text);
  if (isBeforeNumber && (isThan || (isWhen && token.text === "到")))
    return [{ ...token, value: "threshold" }];
  const isBesideWeekend = [before, after, tokens[at - 2]].some((one) => is(one, "weekday", "56"));
  if (isBesideWeekend && /^weekdays?$/u.test(token.text))
    return [{ ...token, kind: "weekday", value: "01234" }];
  return [token];
}

/** "Without Remix": the songs with the word in their titles. */
function leftOutByWord(tokens: readonly Token[], known: Known): readonly Token[] {
  return tokens.map((token, at) => {
    if (token.kind !== "unknown" || !is(tokens[at - 1], "mark", "except")) return token;
    // "Remixes" are the songs with "Remix".
    const forms = [/$/u, /s$/u, /es$/u].map((ending) => token.text.replace(ending, ""));
    const songs = known.songs.filter(({ title }) =>
      folded(title)
        .split(/[^\p{L}\p{N}]+/u)
        .some((word) => forms.includes(word)),
    );
    return songs.length === 0 ? token : { ...token, kind: "song", ids: songs.map(({ id }) => id) };
  });
}

/** "My newest song", 最早发行的歌: the song that was released last or first, if there is only one. */
function songsByAge(tokens: readonly Token[], { songs }: Known): readonly Token[] {
  return tokens.map((token) => {
    if (!is(token, "mark", "newest_song", "oldest_song")) return token;
    const days = songs.flatMap(({ released }) => released ?? []).sort();
    const day = days.at(token.value === "newest_song" ? -1 : 0);
    const [song, ...others] = songs.filter(({ released }) => released === day);
    if (day === undefined || song === undefined || others.length > 0) return token;
    return { kind: "song", value: song.title, text: token.text, ids: [song.id], isByAge: true };
  });
}

/** "Since Ocean came out" is "since release" for that song. */
function releasesFound(tokens: readonly Token[]): readonly Token[] {
  const isSince = (at: number): boolean =>
    is(tokens[at], "mark", "since") && is(tokens[at + 1], "song") && is(tokens[at + 2], "mark", "released");
  return tokens.flatMap((token, at) => {
    if (isSince(at)) return [];
    return isSince(at - 2) ? [{ ...token, value: "release" }] : [token];
  });
}

/** The tokens for a marked name: a song, otherwise quoted words that are measures, days or places, otherwise an unknown name. */
function named(
  name: string,
  isQuoted: boolean,
  songs: ReadonlyMap<string, readonly number[]>,
  vocabulary: Vocabulary,
  known: Known,
): readonly Token[] {
  const ids = songs.get(keyOf(name));
  if (ids !== undefined) return [{ kind: "song", value: name, text: name, ids }];
  const plain = tokensOf(folded(name), vocabulary, known, () => []);
  if (isQuoted && plain.length > 0 && plain.every(({ kind }) => PLAIN.has(kind))) return plain;
  return [{ kind: "unknown-song", value: name, text: name }];
}

function tokensOf(
  text: string,
  vocabulary: Vocabulary,
  known: Known,
  nameAt: (place: number) => readonly Token[],
): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let unread = "";
  let unknownEnd = -1;
  const flush = (): void => {
    if (unread !== "") tokens.push({ kind: "unknown", value: unread, text: unread });
    unread = "";
  };
  while (at < text.length) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const place = placeOf(sign);
    const found = place === undefined ? phraseAt(text, at, vocabulary, known) : undefined;
    if (place !== undefined) {
      flush();
      tokens.push(...nameAt(place));
      at += sign.length;
    } else if (found !== undefined) {
      flush();
      if (found.token !== undefined) tokens.push(found.token);
      at += found.length;
    } else if (BLANK.test(sign)) {
      flush();
      at += sign.length;
    } else if (HAN.test(sign) || !WORD_SIGN.test(sign)) {
      // 月球 is one unknown word, although 月 is known.
      const last = tokens.at(-1);
      if (unread === "" && last?.kind === "noun" && last.text === text.charAt(at - 1))
        unread = tokens.pop()?.text ?? "";
      unread += sign;
      at += sign.length;
    } else {
      flush();
      const end = wordEnd(text, at);
      const word = text.slice(at, Math.min(end, at + 60));
      // "Midnight Train" is one unknown name.
      const before = unknownEnd === at - 1 && text[unknownEnd] === " " ? tokens.pop() : undefined;
      const name = before === undefined ? word : `${before.text} ${word}`;
      tokens.push({ kind: "unknown", value: name, text: name });
      unknownEnd = at = end;
    }
  }
  flush();
  return tokens;
}

/** The longest date or word at a position. */
function phraseAt(
  text: string,
  at: number,
  { words, longest }: Vocabulary,
  known: Known,
): { readonly length: number; readonly token?: Token } | undefined {
  if (isInsideWord(text, at)) return undefined;
  let length = Math.min(longest.get(text.charAt(at)) ?? 0, text.length - at);
  let meaning;
  for (; length > 0; length -= 1) {
    if (isInsideWord(text, at + length)) continue;
    meaning = words.get(text.slice(at, at + length));
    if (meaning !== undefined) break;
  }
  const date = dateWordAt(text, at);
  if (date !== undefined && date.length >= length && !isInsideWord(text, at + date.length)) {
    const phrase = text.slice(at, at + date.length);
    return { length: date.length, token: { kind: "date", value: phrase, text: phrase, date: date.word } };
  }
  if (meaning !== undefined) {
    const phrase = text.slice(at, at + length);
    if (meaning.kind === "stop") return { length };
    if (meaning.kind === "number") return counted(meaning.value, phrase, text.slice(at + length));
    const names =
      meaning.kind === "store"
        ? { names: storesNamed(meaning.value, known.stores) }
        : meaning.kind === "city"
          ? { names: citiesNamed(phrase, known.cities) }
          : {};
    return { length, token: { ...meaning, text: phrase, ...names } };
  }
  const number = NUMBER.exec(text.slice(at, at + 24));
  if (number === null) return undefined;
  const [whole, arabic, unit = number[4] ?? "", han = ""] = number;
  const digits = arabic ?? han;
  // 1万2千 is 12,000.
  const [more = "", thousands = "0"] =
    unit === "万" ? (/^([1-9一二两三四五六七八九])千/u.exec(text.slice(at + whole.length)) ?? []) : [];
  const phrase = whole + more;
  const value = readDigits(digits) * (MULTIPLES[unit] ?? 1) + 1000 * readDigits(thousands);
  return { length: phrase.length, token: { kind: "number", value: String(value), text: phrase } };
}

function readDigits(digits: string): number {
  return /\d/.test(digits) ? Number(digits) : readNumeral(digits);
}

/** A number in words, and its multiplier: "two million". */
function counted(
  value: string,
  phrase: string,
  rest: string,
): { readonly length: number; readonly token: Token } {
  const [behind = "", unit = ""] = BEHIND_NUMBER.exec(rest.slice(0, 12)) ?? [];
  const all = `${phrase}${behind}`;
  const number = String(Number(value) * (MULTIPLES[unit] ?? 1));
  return { length: all.length, token: { kind: "number", value: number, text: all } };
}

/** Replaces the titles of known songs in a text without marks by placeholders, longest first. */
function titlesFound(
  text: string,
  names: string[],
  songs: Map<string, readonly number[]>,
  vocabulary: Vocabulary,
  known: Known,
  own: string,
): string {
  const found = new Map<string, number[]>();
  const signs = new Set(text);
  for (const { id, title } of known.songs) {
    // Their first character rules out most titles.
    if (!signs.has(folded(title.charAt(0))) && !/[\ud800-\udfff]/.test(title.charAt(0))) continue;
    const key = folded(title);
    // 风筝（伴奏） is 风筝 (伴奏).
    for (const form of key.includes(" (") ? [key, key.replaceAll(" (", "(")] : [key])
      if (form.length > 1 && text.includes(form)) found.set(form, [...(found.get(form) ?? []), id]);
  }
  for (const [form, id] of looseForms(known.songs, text)) found.set(form, [id]);
  let rest = text;
  for (const [key, ids] of [...found].sort(([a], [b]) => b.length - a.length)) {
    const meanings = meaningsOf(key, vocabulary, known);
    // One occurrence of the requested song's title means the song, so "plays of Germany" names no country; "its plays in Germany" does.
    const isOwn =
      key === own && !/\b(?:it|its|this|that)\b/.test(text) && !meanings?.some(({ kind }) => kind === "date");
    const isNamed = (at: number): boolean =>
      meanings === undefined ||
      isOwn ||
      CALLED.test(rest.slice(Math.max(0, at - 40), at)) ||
      POINTED.test(rest.slice(at + key.length, at + key.length + 8));
    for (let at = rest.indexOf(key); at >= 0; at = rest.indexOf(key, at + 1)) {
      if (isInsideWord(rest, at) || isInsideWord(rest, at + key.length) || !isNamed(at)) continue;
      names.push(key);
      songs.set(keyOf(key), ids);
      rest = `${rest.slice(0, at)} ${holderOf(names.length - 1)} ${rest.slice(at + key.length)}`;
      if (meanings !== undefined) break;
    }
  }
  return rest;
}

/** The meanings of a title of one or two known words: such a title only counts as a song in marks. */
function meaningsOf(key: string, vocabulary: Vocabulary, known: Known): readonly Token[] | undefined {
  if (/^[\d\s]+$/.test(key)) return [];
  const words = key.split(" ");
  if (!HAN.test(key) && words.length > 2) return undefined;
  // "May" is only a month after a word such as "in".
  const meanings = tokensOf(`in ${key}`, vocabulary, known, () => []);
  // "Only You" has no other meaning than the name.
  if (meanings.length === 0 && words.length > 1) return undefined;
  return meanings.some(({ kind }) => kind === "unknown") ? undefined : meanings;
}

/** Ids by title for the names in marks. */
function songsByTitle(songs: Known["songs"], names: readonly string[]): Map<string, readonly number[]> {
  const asked = new Set(names.map(keyOf));
  const found = new Map<string, readonly number[]>();
  if (asked.size === 0) return found;
  for (const { id, title } of songs) {
    const key = keyOf(title);
    if (asked.has(key)) found.set(key, [...(found.get(key) ?? []), id]);
  }
  return found;
}

function keyOf(title: string): string {
  return folded(title).replaceAll(/[《》\s]/gu, "");
}

/** Replaces codes in capitals, such as JP, by names in the vocabulary. */
function codesNamed(question: string, countries: readonly string[]): string {
  if (!/[A-Z]{2}/.test(question) || !/[a-z]|\p{Script=Han}/u.test(question)) return question;
  return question.replaceAll(/(?<![\p{L}\p{N}.])[A-Z]{2}(?![\p{L}\p{N}.])/gu, (code) =>
    isCountryCode(code, countries)
      ? (new Intl.DisplayNames("en", { type: "region" }).of(code) ?? code)
      : code,
  );
}

/** Whether a position is inside a Latin word or a number. */
function isInsideWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (isLatin(before) && isLatin(after)) || (isDigit(before) && isDigit(after));
}

function isLatin(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0xc0 && code <= 0x24f) || code === 0x27;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && WORD_SIGN.test(text[end] ?? "") && !HAN.test(text[end] ?? "")) end += 1;
  return Math.max(end, at + 1);
}
