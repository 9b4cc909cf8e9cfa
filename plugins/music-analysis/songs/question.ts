import { simplified } from "skillctl";
import { phraseShape, isCountry, isLeading, isPlainBeside } from "./everyday-words.ts";
import {
  exactKey,
  foldExact,
  bareName,
  quoteSpans,
  titleSpans,
  hasSubstance,
  keyPattern,
  keySpans,
  closeKey,
  type Folded,
  type KeySpan,
  type MarkedSpan,
} from "./fold.ts";
import { compiled } from "./patterns.ts";
import patterns from "./patterns.json" with { type: "json" };
import type { SongEntry } from "./song.ts";

const PATTERNS = compiled(patterns.question);

/** A song that a question names without marks. */
interface NamedSong {
  readonly name: string;
  /** The range from its introductory words to the end of the name, in the question. */
  readonly start: number;
  readonly end: number;
}

const DETERMINER = /^(?:the|my|our|this|that)\b/iu;
/** A closed bracket may be part of a name: "Golden Hour (Remix)". */
const CLAUSE = /[,，.。;；:：!！?？\n\t]|[(（](?![^()（）]*[)）])|$/u;
const IN_BRACKET = /[(（][^)）]*$/u;
/** The maximum number of characters in a name without marks. */
const MOST_CHARACTERS = 60;

/**
 * The songs that a question names without marks: 歌曲星图的表现, 叫星图的歌, "the song Ocean". For a known name, the full name
 * counts; for an unknown one, the text before the words that usually follow a name.
 */
function namedSongs(text: string, songs: readonly SongEntry[]): readonly NamedSong[] {
  const level = simplified(text);
  const chinese = [...level.matchAll(PATTERNS.CHINESE)].map(({ index, 0: lead }) => {
    const [start, from] = [index, index + lead.length];
    return { start, from, ends: chineseEnds(level.slice(from, from + MOST_CHARACTERS)), isSure: false };
  });
  const called = [...level.matchAll(PATTERNS.CALLED)].map(({ index, 0: lead, 1: name = "" }) => {
    const from = index + lead.indexOf(name);
    return { start: index, from, ends: [name.length], isSure: true };
  });
  const english = [...level.matchAll(PATTERNS.ENGLISH)].flatMap(({ index, 0: lead }) => {
    const from = index + lead.length;
    const rest = level.slice(from, from + MOST_CHARACTERS);
    const isCalled = PATTERNS.CALLED_ENGLISH.test(lead);
    if (!isCalled && PATTERNS.NO_FIRST_WORD.test(rest)) return [];
    const isSure = isCalled || /^(?:\p{Lu}|\p{N}+\p{L})/u.test(rest);
    const isPlain = PATTERNS.ENGLISH_END.test(` ${rest}`) || isPlainBeside(/^\S+/u.exec(rest)?.[0] ?? "");
    const isName = isSure || (DETERMINER.test(lead) && /^\p{L}/u.test(rest) && !isPlain);
    return isName ? [{ start: index, from, ends: englishEnds(rest), isSure }] : [];
  });
  const found: NamedSong[] = [];
  for (const { start, from, ends, isSure } of [...chinese, ...called, ...english]) {
    const names = ends.map((end) => text.slice(from, from + end).trim());
    const [first = ""] = names;
    // If the first words are plain, no name starts: "the song sales in May".
    const isNamed = isSure || !(isPlainBeside(first) || phraseShape(first).metric);
    const name = knownIn(names, songs) ?? (isNamed ? first : "");
    if (name !== "") found.push({ name, start, end: from + name.length });
  }
  return found.toSorted((left, right) => left.start - right.start);
}

/**
 * The words before a Chinese or Japanese pointer that name a song (星图这首歌): the rest of the clause without everyday
 * words. A name with "this song" means that song, known or not, never the one in focus.
 */
function nameBefore(spaced: string, start: number): string | undefined {
  if (!/^[\p{Script=Han}\p{Script=Hiragana}]/u.test(spaced.slice(start))) return undefined;
  const [clause = ""] = /[^\p{P}\p{S}\n\t]*$/u.exec(spaced.slice(0, start)) ?? [];
  const words = clause.trim();
  if (words === "" || Array.from(words).length > MOST_CHARACTERS / 2) return undefined;
  let begin = words.length;
  while (begin > 0 && !isLeading(words.slice(0, begin))) begin -= 1;
  const name = words.slice(begin).trim();
  return name === "" || isLeading(name) ? undefined : name;
}

/** The longest known name among several. */
function knownIn(names: readonly string[], songs: readonly SongEntry[]): string | undefined {
  const keys = new Map(names.map((name) => [exactKey(name), name]));
  const known = songs.flatMap(({ key }) => keys.get(key) ?? []);
  const [longest] = known.toSorted((left, right) => right.length - left.length);
  return longest === undefined || phraseShape(longest).plain ? undefined : longest;
}

/** The positions at which a name at the start of a text may end, shortest first; the end of the clause is last. */
function chineseEnds(text: string): readonly number[] {
  const clause = text.slice(0, CLAUSE.exec(text)?.index);
  const places = Array.from({ length: clause.length }, (_, at) => at).slice(1);
  const ends = places.filter((at) => {
    const rest = unbracketed(clause.slice(at), "");
    return !IN_BRACKET.test(clause.slice(0, at)) && (PATTERNS.CHINESE_END.test(rest) || isPlainBeside(rest));
  });
  const begins =
    PATTERNS.CHINESE_END.test(clause) || PATTERNS.NO_NAME.test(clause) || isPlainBeside(clause) ? [0] : [];
  return [...begins, ...ends, clause.length];
}

function englishEnds(text: string): readonly number[] {
  const clause = text.slice(0, CLAUSE.exec(text)?.index);
  const places = [...clause.matchAll(/\s+/gu)].map(({ index }) => index);
  const ends = places.filter((at) => {
    const rest = unbracketed(clause.slice(at), " ");
    return !IN_BRACKET.test(clause.slice(0, at)) && (PATTERNS.ENGLISH_END.test(rest) || isPlainBeside(rest));
  });
  return [...ends, clause.length];
}

/** Text in a bracket at the start may not belong to a name: "Ocean (last week)". */
function unbracketed(text: string, space: string): string {
  return text.replace(/^\s*[(（]/u, space);
}

/** A piece of the folded text as the user wrote it, if it can be found in the original. */
function asWritten(piece: string, text: string): string {
  const at = text.toLowerCase().indexOf(piece);
  return at === -1 ? piece : text.slice(at, at + piece.length);
}

/** The subject of a question (specification, States and transitions 1). */
type Question =
  /** The whole account: sent without a song id. */
  | { readonly kind: "account" }
  /** The songs it names, in the order of the question, each once, without marks. */
  | { readonly kind: "song"; readonly names: readonly string[] }
  /** "This song", "it", or a follow-up: the song in focus. */
  | { readonly kind: "focus" }
  /** About a song that it does not name; `pointing` when a name alone would complete it, `topic` may be that name. */
  | { readonly kind: "which"; readonly pointing: boolean; readonly topic?: string };

/** A word that refers to a song, by its position in the folded text. */
interface Reference {
  readonly kind: "pointer" | "pronoun";
  readonly start: number;
  readonly end: number;
}

/** A known name without marks, by its position in the folded question. */
interface KnownName {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Whether it only counts next to a pointer: elsewhere a number is a year or an amount, and Germany a place. */
  readonly onlyPointed: boolean;
}

const LEAST_UNMARKED = 2;
const DATE = /(?:[上这本下近每几半]|\d+|[一二三四五六七八九十两]+) ?个?(?:月|周|星期|天|年|季度)/gu;
const BETWEEN = /^[\s\p{P}叫是]*$/u;
/** A longer question names its own subject. */
const LONGEST_GOING_ON = 40;
/** Replaces a marked name; it cannot be typed. */
const HOLDER = "\u{e000}";

/** The subject of a conversation so far. */
interface Spoken {
  readonly focused: boolean;
  readonly isOnFocus: boolean;
  /** Set if the last answer was about the account, or about something `other` than a song. */
  readonly isAside?: true | "other" | undefined;
}

const NO_FOCUS: Spoken = { focused: false, isOnFocus: false };

/**
 * Reads a question in the order of docs/music-analysis.md, Song names: title marks, quotes, a name that 歌曲 or "the song"
 * leads to, pointer, pronoun, a known name by itself. A known name right beside a pointer or pronoun (海盐这首歌) is the
 * song that is meant. A song that is left out ("not 'X'") does not belong to the question. `focused` says whether a song is in focus: a
 * shown single-song answer or a confirmed candidate; `isOnFocus` whether the last answer was about it.
 */
export function readQuestion(text: string, songs: readonly SongEntry[], spoken = NO_FOCUS): Question {
  const { isOnFocus } = spoken;
  if (isBlankMarked(text)) return { kind: "which", pointing: false };
  const spans = markedNames(text, songs);
  const leftOut = leftOutOf(text, spans);
  const marked = spans.filter((span) => !leftOut.includes(span)).map(({ inner }) => bareName(inner));
  if (marked.length > 0) return { kind: "song", names: eachOnce(withJoined(text, spans, leftOut, songs)) };
  const rest = leftOut.reduceRight((left, { start, end }) => withoutSong(left, start, end), text);
  const named = namedSongs(rest, songs).filter(({ start }) => !PATTERNS.LEFT_OUT.test(rest.slice(0, start)));
  const bare = named.reduceRight((left, { start, end }) => cutOut(left, start, end), rest);
  const found = readBare(bare, songs, spoken);
  const question: Question =
    found.kind === "account" && isOnFocus && goesOn(bare) ? { kind: "focus" } : found;
  const others = question.kind === "song" ? question.names : [];
  if (named.length > 0)
    return { kind: "song", names: eachOnce([...named.map(({ name }) => name), ...others]) };
  const number = numberAskedOf(rest);
  if (number !== undefined && isTitle(number, songs)) return { kind: "song", names: [number] };
  const { metric, plain } = phraseShape(rest);
  const asksNothing = plain && !metric && !PATTERNS.ABOUT_ALL.test(rest);
  const isNothing = leftOut.length > 0 && question.kind === "account" && asksNothing;
  return isNothing ? { kind: "which", pointing: false } : question;
}

/** The number in a question that contains nothing else: "404呢", "what about 404?". */
export function numberAskedOf(text: string): string | undefined {
  return PATTERNS.NUMBER_ASKED.exec(text)?.[1];
}

/** A year is a period, even if a song has that name. */
function isTitle(number: string, songs: readonly SongEntry[]): boolean {
  return !/^(?:19|20)\d\d$/u.test(number) && songs.some(({ key }) => key === number);
}

/** The first pointer in a text, otherwise its first pronoun; 哪首 and "my songs" are not references. */
export function firstReference(spaced: string): Reference | undefined {
  const text = simplified(spaced);
  const pointer = PATTERNS.POINTERS.exec(text);
  const match = pointer ?? PATTERNS.PRONOUNS.exec(text);
  if (match === null || PATTERNS.SUPERLATIVE.test(text.slice(0, match.index))) return undefined;
  const kind = pointer === null ? "pronoun" : "pointer";
  return { kind, start: match.index, end: match.index + match[0].length };
}

/** A question without marks: a known name, a pointer, a pronoun, or none of them. */
function readBare(text: string, songs: readonly SongEntry[], { focused, isAside }: Spoken): Question {
  const folded = foldExact(text);
  const reference = firstReference(folded.spaced);
  const pointing = reference?.kind === "pronoun" && !focused ? undefined : reference;
  const opening = PATTERNS.OPENING.exec(folded.spaced)?.[0].length ?? 0;
  const known = knownNames(folded, songs);
  const meant = known.filter(
    (each) =>
      each.end > opening &&
      (pointing === undefined || comparesFocus(text)
        ? !each.onlyPointed || isJoined(each, known, folded)
        : isBeside(each, pointing, folded)),
  );
  const isOfOne = meant.length === 1 && reference?.kind === "pronoun" && !focused && comparesFocus(text);
  // "Is it better than Home?" with nothing in focus.
  if (isOfOne && (meant[0]?.start ?? 0) > reference.end) return { kind: "which", pointing: false };
  if (meant.length > 0) return { kind: "song", names: eachOnce(meant.map(({ name }) => name)) };
  if (reference === undefined) return { kind: "account" };
  const isPointer = reference.kind === "pointer";
  const before = isPointer ? nameBefore(folded.spaced, reference.start) : undefined;
  if (before !== undefined) return { kind: "song", names: [asWritten(before, text)] };
  // 404这首歌: a number or a month may be a name; only the list of songs can decide.
  const isBehindName = /^\p{Script=Han}/u.test(folded.spaced.slice(reference.start));
  const topic = isPointer
    ? isBehindName
      ? /[\p{Script=Latin}\d]+(?=\s?$)/u.exec(folded.spaced.slice(0, reference.start))?.[0]
      : undefined
    : topicOf(folded.spaced);
  if (topic !== undefined && songs.some(({ key }) => key === exactKey(topic)))
    return { kind: "song", names: [asWritten(topic, text)] };
  const word = folded.spaced.slice(reference.start);
  // "It" is the figure after an answer about the account, and the playlist after one about the best playlist.
  const isOfAnswer = /^(?:它|its?\b)/u.test(word) && (isAside === "other" || !/^(?:它的|its)/u.test(word));
  if (isAside === "other" && isOfAnswer) return { kind: "account" };
  if (focused) return { kind: "focus" };
  const isNone =
    reference.kind === "pronoun" &&
    (standsForNoSong(folded.spaced, reference.start) || (isAside === true && isOfAnswer));
  if (isNone) return { kind: "account" };
  return { kind: "which", pointing: true, ...(topic !== undefined && { topic }) };
}

/** The marked names, and the known ones joined to them by "and" or "versus": "Ocean and 《404》". */
function withJoined(
  text: string,
  spans: readonly MarkedSpan[],
  leftOut: readonly MarkedSpan[],
  songs: readonly SongEntry[],
): readonly string[] {
  const folded = foldExact(
    spans.reduceRight((rest, { start, end }) => `${rest.slice(0, start)}${HOLDER}${rest.slice(end)}`, text),
  );
  const holders = [...folded.spaced.matchAll(new RegExp(HOLDER, "gu"))].map(({ index }, place) => {
    const span = spans[place];
    const name = span === undefined || leftOut.includes(span) ? "" : bareName(span.inner);
    return { start: index, end: index + 1, name, onlyPointed: name === "" };
  });
  const known = knownNames(folded, songs).filter((one) => isJoined(one, holders, folded));
  return [...holders, ...known]
    .toSorted((left, right) => left.start - right.start)
    .flatMap(({ name }) => (name === "" ? [] : [name]));
}

/** Whether a name is joined to one that counts: "Ocean and 404" names two songs. */
function isJoined(one: KnownName, others: readonly KnownName[], { spaced }: Folded): boolean {
  return others.some((other) => {
    const between =
      one.end <= other.start ? spaced.slice(one.end, other.start) : spaced.slice(other.end, one.start);
    return (
      other !== one && !other.onlyPointed && (PATTERNS.AND.test(between) || PATTERNS.JOINS.test(between))
    );
  });
}

/** "It and 《海盐》", "how does it compare with Home", 和海盐比呢: the song in focus is included (docs/music-analysis.md, Rulings: two songs). */
export function comparesFocus(question: string): boolean {
  return PATTERNS.COMPARES_FOCUS.test(question);
}

function topicOf(spaced: string): string | undefined {
  const topic = (
    PATTERNS.TOPIC.exec(spaced)
      ?.slice(1)
      .find((name) => name !== undefined) ?? ""
  ).trim();
  const { metric, plain } = phraseShape(topic);
  return topic === "" || metric || plain ? undefined : topic;
}

/** Whether a question without a song refers to the last one mentioned. */
export function goesOn(text: string): boolean {
  const question = text.trim();
  if (question.length > LONGEST_GOING_ON || PATTERNS.OF_ACCOUNT.test(question)) return false;
  return PATTERNS.GOES_ON.test(question) || isFragment(question);
}

/** "Saves?", 哪天最高: too few everyday words to name a subject. A figure with a time is a complete question. */
function isFragment(question: string): boolean {
  const { metric, asking, plain } = phraseShape(question);
  const isTimed = PATTERNS.TIMED.test(question);
  return plain && PATTERNS.FRAGMENT.test(question) && (metric || asking || isTimed) && !(metric && isTimed);
}

/** Whether a pronoun does not mean a song: it is part of an idiom, or refers to an earlier clause about the account ("my plays, and why did it …"). */
function standsForNoSong(spaced: string, start: number): boolean {
  const [before = ""] = PATTERNS.CLAUSE_BEFORE.exec(spaced.slice(0, start)) ?? [];
  return PATTERNS.NO_PRONOUN.test(spaced) || PATTERNS.OWN.test(before) || phraseShape(before).metric;
}

/** Names in title marks, with quoted names only if they are known; without title marks, every quoted name. */
function markedNames(text: string, songs: readonly SongEntry[]): readonly MarkedSpan[] {
  const titles = titleSpans(text);
  const quoted = quoteSpans(text).filter(({ inner, start, end }) => {
    if (titles.some((title) => end > title.start && start < title.end)) return false;
    const key = exactKey(bareName(inner));
    if (songs.some((song) => song.key === key)) return true;
    const { metric, plain } = phraseShape(inner);
    return titles.length === 0 && !(metric && plain);
  });
  return [...titles, ...quoted].toSorted((left, right) => left.start - right.start);
}

/** Whether marks or quotes in the text contain nothing that could be a name. */
function isBlankMarked(text: string): boolean {
  return [...titleSpans(text), ...quoteSpans(text)].some(({ inner }) => exactKey(bareName(inner)) === "");
}

/** The songs that a preceding word excludes, and those joined to one of them by "and". */
function leftOutOf<Span extends Pick<MarkedSpan, "start" | "end">>(
  text: string,
  spans: readonly Span[],
): readonly Span[] {
  const leftOut: Span[] = [];
  for (const span of spans) {
    const before = leftOut.at(-1);
    const isJoined = before !== undefined && PATTERNS.AND.test(text.slice(before.end, span.start));
    if (isJoined || PATTERNS.LEFT_OUT.test(text.slice(0, span.start))) leftOut.push(span);
  }
  return leftOut;
}

/** The text without an excluded song and the words that exclude it. */
function withoutSong(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  return cutOut(text, PATTERNS.LEFT_OUT.exec(before)?.index ?? start, end);
}

function cutOut(text: string, start: number, end: number): string {
  return `${text.slice(0, start)} ${text.slice(end)}`;
}

/** Known names in the text, longest first, without overlap; everyday words need marks. */
function knownNames(text: Folded, songs: readonly SongEntry[]): readonly KnownName[] {
  const found = songs.flatMap((song) =>
    formsOf(song, text).flatMap((key) =>
      [...keySpans(keyPattern(key), text.spaced)].map((span) => ({
        key,
        name: nameOf(song, key, text, span),
        ...span,
      })),
    ),
  );
  if (found.length === 0) return [];
  const dates = [...text.spaced.matchAll(DATE)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
  const chosen: KnownName[] = [];
  for (const { key, name, start, end } of found.toSorted(
    (left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start,
  )) {
    // 上个月亮眼 does not contain 月亮: a name does not include part of a date.
    if (dates.some((date) => date.start < start && start < date.end && date.end < end)) continue;
    if (chosen.some((other) => start < other.end && other.start < end)) continue;
    if (Array.from(key).length < LEAST_UNMARKED) continue;
    const onlyPointed = phraseShape(name).plain || isCountry(name);
    if (!onlyPointed || /^\p{N}+$/u.test(key) || isCountry(name))
      chosen.push({ start, end, name, onlyPointed });
  }
  const inOrder = chosen.toSorted((left, right) => left.start - right.start);
  const leftOut = leftOutOf(text.spaced, inOrder);
  return inOrder.filter((one) => !leftOut.includes(one));
}

/** The keys of a song that a text contains: its own, and for "风筝 (伴奏)" also 风筝伴奏 and 风筝（伴奏）, to be confirmed. */
function formsOf({ name, key }: SongEntry, text: Folded): readonly string[] {
  const bare = /[(（]/u.test(name) ? closeKey(name) : key;
  const [narrow, wide] = ["()", "（）"].map(([opened = "", closed = ""]) =>
    key.replaceAll(/[(（]/gu, opened).replaceAll(/[)）]/gu, closed),
  );
  return [...new Set([key, bare, narrow ?? key, wide ?? key])].filter(
    (form) => text.key.includes(form) && hasSubstance(form),
  );
}

/** The name of a song, in the form that the text uses. */
function nameOf(song: SongEntry, key: string, { spaced }: Folded, { start, end }: KeySpan): string {
  return key === song.key ? bareName(song.name) : spaced.slice(start, end);
}

function isBeside({ start, end }: KnownName, reference: Reference, { spaced }: Folded): boolean {
  if (end <= reference.start) return BETWEEN.test(spaced.slice(end, reference.start));
  return start >= reference.end && BETWEEN.test(spaced.slice(reference.end, start));
}

function eachOnce(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names)
    if (!byKey.has(exactKey(name))) byKey.set(exactKey(name), name.replace(/\s+/gu, " "));
  return [...byKey.values()];
}
