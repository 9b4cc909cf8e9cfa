import { comparable } from "skillctl";
import { phraseShape } from "./everyday-words.ts";
import {
  closeKey,
  exactKey,
  foldClose,
  foldExact,
  quoteSpans,
  titleSpans,
  contains,
  type MarkedSpan,
} from "./fold.ts";
import { compiled } from "./patterns.ts";
import patterns from "./patterns.json" with { type: "json" };
import { firstReference, goesOn, numberAskedOf, readQuestion } from "./question.ts";
import type { SongEntry } from "./song.ts";
import { classify, MOST_CANDIDATES, type Tier } from "./tier.ts";

/** The meaning of the answer to a tier B question (docs/music-analysis.md, Confirmation). */
type ChoiceReply =
  /** Send the first question with this id. */
  | { readonly kind: "chosen"; readonly entry: SongEntry }
  /** Tier C with the first name. */
  | { readonly kind: "none" }
  /** A request of its own: start again from step 1 with this message. */
  | { readonly kind: "new-question" }
  /** Ask once more for the number; the second time, tier C. */
  | { readonly kind: "vague" };

const NONE: ChoiceReply = { kind: "none" };
const NEW_QUESTION: ChoiceReply = { kind: "new-question" };
const VAGUE: ChoiceReply = { kind: "vague" };
const LEAST_CONTAINED = 2;
/** A longer answer is a new request. */
const MOST_CHARACTERS = 300;

/** A longer text without marks is not a name. */
const MOST_NAME = 60;

const PATTERNS = compiled(patterns.reply);
const EDGES = /^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu;
/** The list's distinction of songs with the same name: 晚安（第 2 首）. */
const LISTED = /\(第 ?([0-9]{1,3}) ?首$/u;
const CHINESE_DIGITS = "零一二三四五六七八九十";
const ENGLISH_PLACES: readonly string[] = "first second third fourth fifth one two three four five".split(
  " ",
);

/**
 * Reads the answer to a tier B question: number, ordinal, name, refusal, new request, or none of these. The candidates are
 * in the displayed order; `songs` are all songs that the conversation knows.
 */
export function readChoiceReply(
  answer: string,
  candidates: readonly SongEntry[],
  songs: readonly SongEntry[],
): ChoiceReply {
  if (answer.length > MOST_CHARACTERS || asksOfNumber(answer, candidates.length)) return NEW_QUESTION;
  const reply = levelled(answer);
  const marked = markedSpans(answer);
  const place = spokenPlace(reply, candidates.length);
  const named = classify(answer, candidates);
  const numbered = place === undefined ? undefined : candidates[place - 1];
  if (named.tier === "A") {
    const isOther = refuses(reply) || (numbered !== undefined && numbered !== named.entry);
    return isOther && marked.length === 0 ? VAGUE : chosen(named.entry);
  }
  if (place !== undefined) return chosen(numbered);
  const told = toldApart(reply, candidates) ?? byRelease(reply, candidates);
  if (told) return chosen(told);
  const isQuotedRefusal = refuses(reply) && titleSpans(answer).length === 0;
  if (marked.length > 0 && !isQuotedRefusal) return readMarked(answer, marked, candidates);
  if (refuses(reply)) return NONE;
  if (PATTERNS.YES.test(reply)) return chosen(candidates.length === 1 ? candidates[0] : undefined);
  return readBare(reply, candidates, songs);
}

/** Whether a text can only be the answer to a choice: a number, an ordinal or a refusal and nothing else. */
export function isOnlyReply(text: string): boolean {
  const reply = levelled(text);
  const isReply = spokenPlace(reply, MOST_CANDIDATES) !== undefined || refuses(reply);
  return isReply && markedSpans(text).length === 0 && !asksOfNumber(text, MOST_CANDIDATES);
}

/** "404呢", "what about 404?": a number that is not in the list refers to the song with that name. */
function asksOfNumber(text: string, offered: number): boolean {
  return Number(numberAskedOf(text) ?? 0) > offered;
}

/** 第二首, "the second one": also refers to a row of a displayed ranking. */
export function isOrdinal(text: string): boolean {
  return (
    /^(?:第|(?:the )?(?:first|second|third|fourth|fifth|\d(?:st|nd|rd|th))\b)/u.test(levelled(text)) ||
    /^\s*(?:#|no\.? ?|number )\d/iu.test(text)
  );
}

/** The name in an answer to "which song?", without marks; undefined for a new request. */
export function nameIn(answer: string, songs: readonly SongEntry[]): string | undefined {
  if (classify(answer, songs).tier === "A") return answer.trim();
  const [only, another] = markedSpans(answer);
  const around = only === undefined ? answer : cutOut(answer, only);
  const shape = phraseShape(around);
  if (another !== undefined || shape.metric || shape.asking || /[?？\n]/u.test(around)) return undefined;
  const bare = withoutChoosing(levelled(around));
  if (only !== undefined) return bare === "" ? only.inner : undefined;
  return shape.plain || answer.length > MOST_NAME ? undefined : withoutChoosing(answer.trim());
}

/** The only candidate whose version or date is in the reply. */
function toldApart(reply: string, candidates: readonly SongEntry[]): SongEntry | undefined {
  const { metric, asking } = phraseShape(reply);
  if (metric || asking || PATTERNS.LEADING_REFUSAL.test(reply)) return undefined;
  const isSaid = (note: string): boolean => note !== "" && reply.includes(note);
  const [only, another] = candidates.filter(({ version = "" }) =>
    version.split("，").map(levelled).some(isSaid),
  );
  return another === undefined ? only : undefined;
}

/** "The new one", 老的那首: the candidate that was released last or first, if the list states every release day. */
function byRelease(reply: string, candidates: readonly SongEntry[]): SongEntry | undefined {
  const isNew = PATTERNS.NEWEST.test(reply);
  if (isNew === PATTERNS.OLDEST.test(reply)) return undefined;
  const dated = candidates
    .map((entry) => ({ entry, day: /\d{4}-\d\d-\d\d/.exec(entry.version ?? "")?.[0] ?? "" }))
    .toSorted((left, right) => (left.day < right.day ? -1 : 1));
  if (new Set(dated.map(({ day }) => day)).size < candidates.length || dated[0]?.day === "") return undefined;
  return dated.at(isNew ? -1 : 0)?.entry;
}

/** A marked name is classified among the candidates; one that is not among them is a new request. */
function readMarked(
  answer: string,
  spans: readonly MarkedSpan[],
  candidates: readonly SongEntry[],
): ChoiceReply {
  const tiers = spans.map(({ inner }) => classify(inner, candidates));
  const [tier, another] = tiers;
  if (tier === undefined || tiers.some((each) => each.tier === "C")) return NEW_QUESTION;
  const around = levelled(spans.reduceRight(cutOut, answer));
  const shape = phraseShape(around);
  if (shape.metric || shape.asking) return NEW_QUESTION;
  return another !== undefined || refuses(around) ? VAGUE : chosen(onlyOne(tier));
}

/** A reply without marks and numbers: a candidate's name or part of it, a new question, or neither. */
function readBare(reply: string, candidates: readonly SongEntry[], songs: readonly SongEntry[]): ChoiceReply {
  const rest = reply.replace(PATTERNS.LEADING_REFUSAL, "");
  const shape = phraseShape(rest);
  const meant = shape.metric || shape.asking ? soleNameIn(rest, candidates) : matching(rest, candidates);
  if (meant !== undefined) return rest === reply ? meant : VAGUE;
  // "Saves?" refers to the song that is yet to be chosen.
  if (goesOn(rest)) return VAGUE;
  const question = readQuestion(rest, songs);
  if (shape.metric || (shape.asking && PATTERNS.OWN.test(rest)) || question.kind === "song")
    return NEW_QUESTION;
  // "Thanks" and "how is it doing?" neither choose nor refuse.
  return shape.plain || PATTERNS.UNSURE.test(rest) || firstReference(rest) ? VAGUE : NONE;
}

function matching(reply: string, candidates: readonly SongEntry[]): ChoiceReply | undefined {
  const name = withoutChoosing(reply);
  const tier = classify(name, candidates);
  if (tier.tier === "C") return undefined;
  const only = onlyOne(tier);
  if (only === undefined || tier.tier === "A") return chosen(only);
  const key = closeKey(only.name);
  const isContained = closeKey(name).includes(key) && closeKey(name) !== key;
  return isContained && key.length < LEAST_CONTAINED ? undefined : chosen(only);
}

/** The only candidate whose full name is in a longer sentence. */
function soleNameIn(reply: string, candidates: readonly SongEntry[]): ChoiceReply | undefined {
  const text = foldClose(foldExact(reply));
  const found = candidates
    .map((entry) => ({ entry, key: closeKey(entry.name) }))
    .filter(({ key }) => key.length >= LEAST_CONTAINED && contains(text, key));
  const longest = Math.max(0, ...found.map(({ key }) => key.length));
  const [only, another] = found.filter(({ key }) => key.length === longest);
  if (only === undefined) return undefined;
  return another === undefined ? chosen(only.entry) : VAGUE;
}

function markedSpans(answer: string): readonly MarkedSpan[] {
  const says = ({ inner }: MarkedSpan): boolean => exactKey(inner) !== "";
  const titles = titleSpans(answer).filter(says);
  return titles.length > 0 ? titles : quoteSpans(answer).filter(says);
}

function cutOut(text: string, { start, end }: MarkedSpan): string {
  return `${text.slice(0, start)} ${text.slice(end)}`;
}

function onlyOne(tier: Tier): SongEntry | undefined {
  if (tier.tier === "A") return tier.entry;
  return tier.tier === "B" && tier.candidates.length === 1 ? tier.candidates[0] : undefined;
}

function chosen(entry: SongEntry | undefined): ChoiceReply {
  return entry === undefined ? VAGUE : { kind: "chosen", entry };
}

/** Levels an answer for reading: width, case and script, without surrounding punctuation. */
function levelled(answer: string): string {
  return comparable(answer).replaceAll("’", "'").replace(/\s+/gu, " ").replace(EDGES, "");
}

/** Removes words of choosing around the name or number: 我要第二首吧 becomes 第二. */
function withoutChoosing(reply: string): string {
  return reply.replace(PATTERNS.LEADING, "").replace(PATTERNS.TRAILING, "").replace(EDGES, "");
}

/** The position that a levelled answer names, from 1; it may exceed the list. */
function spokenPlace(reply: string, count: number): number | undefined {
  const bare = withoutChoosing(reply.replace(/^#/u, ""));
  if (PATTERNS.LAST.test(reply) || PATTERNS.LAST.test(bare)) return count;
  const listed = LISTED.exec(reply);
  if (listed !== null) return Number(listed[1]);
  const back = PATTERNS.FROM_THE_END.exec(bare);
  if (back !== null) return count + 1 - CHINESE_DIGITS.indexOf(back[1] ?? "");
  if (count === 2 && /^(?:前者|former)$/u.test(bare)) return 1;
  if (count === 2 && /^(?:后者|latter)$/u.test(bare)) return 2;
  const english = ENGLISH_PLACES.indexOf(bare.replace(/^(?:number|option)\s/u, ""));
  if (english !== -1) return (english % 5) + 1;
  const match = PATTERNS.PLACE.exec(bare);
  if (match === null) return undefined;
  const spelled = (match[2] ?? "").replace("两", "二");
  return match[1] === undefined ? CHINESE_DIGITS.indexOf(spelled) : Number(match[1]);
}

/** Whether a levelled answer only declines (都不是, 没有, none of them). */
function refuses(reply: string): boolean {
  return PATTERNS.REFUSES.test(reply.replaceAll(/(?<=\P{ASCII}) | (?=\P{ASCII})|[，,、]/gu, ""));
}
