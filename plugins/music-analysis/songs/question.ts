import { hasSubstance } from "./containment.ts";
import { foldExact, keyA, type Folded } from "./keys.ts";
import { quoteSpans, titleSpans, type ByteRange } from "./marked-names.ts";
import { bareName } from "./marks.ts";
import { nameBefore } from "./name-before.ts";
import { phraseShape } from "./plain-words.ts";
import { firstReference, type Reference } from "./references.ts";
import type { SongLookUps } from "./song-index.ts";

/** What a question is about (spec music-analysis, States and transitions 1). */
export type Question =
  /** The whole account: sent without a song id. */
  | { readonly kind: "account" }
  /** The songs it names, in the order of the question, each once, without marks. */
  | { readonly kind: "song"; readonly names: readonly string[] }
  /** "This song": the song in focus; without one, a single-song question that cannot be resolved. */
  | { readonly kind: "pointer" }
  /** "It": only read while a song is in focus. */
  | { readonly kind: "pronoun" };

/** What the conversation knows while a question is read. */
export interface QuestionContext {
  readonly index: SongLookUps;
  /** Whether a song is in focus: a shown single-song answer or a confirmed candidate. */
  readonly focused: boolean;
}

/** A known name without marks, by its place in the question's key. */
interface KnownName {
  readonly start: number;
  readonly end: number;
  /** Without marks. */
  readonly name: string;
  /** It counts only right beside a pointer: a number is a year or an amount elsewhere. */
  readonly onlyPointed: boolean;
}

const LEAST_UNMARKED = 2;
/** Courtesy and connectives before the question, with a pause behind them: no song is named there. */
const OPENING =
  /^(?:\s*(?:hello|hi|hey|good (?:morning|afternoon|evening)|thanks|thank you|ok|okay|please|also|你好|您好|大家好|早上好|下午好|晚上好|谢谢你?|好的?|嗯|对了|另外|还有|那么)\s*[,，.。!！~～、;；]+)+(?=.*\S)/isu;
const DATE = /(?:[上这本下近每几半]|\d+|[一二三四五六七八九十两]+)个?(?:月|周|星期|天|年|季度)/gu;
const BETWEEN = /^[\s\p{P}叫是]*$/u;

/**
 * Reads a question in the order of docs/music-analysis.md, Song names: title marks, quotes, pointer, pronoun (only with a song in
 * focus), known name without marks (Rulings). A known name right beside a pointer or pronoun (海盐这首歌) is the
 * song that is meant.
 */
export function readQuestion(text: string, { index, focused }: QuestionContext): Question {
  const marked = markedNames(text, index);
  if (marked.length > 0) return { kind: "song", names: marked };
  const folded = foldExact(text);
  const reference = firstReference(folded.spaced);
  const pointing = reference?.kind === "pronoun" && !focused ? undefined : reference;
  const opening = keyA(OPENING.exec(text)?.[0] ?? "").length;
  const known = unmarkedNames(folded, index).filter(({ end }) => end > opening);
  const meant = known.filter((each) =>
    pointing === undefined ? !each.onlyPointed : isBeside(each, pointing, folded),
  );
  if (meant.length > 0) return { kind: "song", names: eachOnce(meant.map(({ name }) => name)) };
  if (pointing === undefined) return { kind: "account" };
  const named = pointing.kind === "pointer" ? nameBefore(folded.spaced, pointing.start) : undefined;
  return named === undefined ? { kind: pointing.kind } : { kind: "song", names: [asWritten(named, text)] };
}

/** Names in title marks, and beside them only quoted names that are known; without marks, every quoted name. */
function markedNames(text: string, index: SongLookUps): readonly string[] {
  const titles = titleSpans(text).filter(saysSomething);
  const isKnown = ({ inner }: ByteRange): boolean => index.exact.equal(keyA(bareName(inner))).length > 0;
  const isFree = ({ start, end }: ByteRange): boolean =>
    titles.every((title) => end <= title.start || start >= title.end);
  const quoted = quoteSpans(text)
    .filter((span) => saysSomething(span) && isFree(span))
    .filter((span) => isKnown(span) || (titles.length === 0 && !isMetric(span.inner)));
  const spans = [...titles, ...quoted].toSorted((left, right) => left.start - right.start);
  return eachOnce(spans.map(({ inner }) => bareName(inner).replace(/\s+/gu, " ")));
}

/** Known names in the text as it stands, longest first, none inside another; everyday words need marks. */
function unmarkedNames(text: Folded, index: SongLookUps): readonly KnownName[] {
  const chosen: KnownName[] = [];
  const byLength = index.exact
    .within(text)
    .toSorted((left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start);
  const dates = [...text.key.matchAll(DATE)].map(({ index: at, 0: word }) => ({
    start: at,
    end: at + word.length,
  }));
  for (const { start, end, named } of byLength) {
    // 上个月亮眼 holds no 月亮: a name does not take a part of a date with it.
    if (dates.some((date) => date.start < start && start < date.end && date.end < end)) continue;
    if (chosen.some((other) => start < other.end && other.start < end)) continue;
    const entry = index.entries[named[0] ?? -1];
    if (entry === undefined || Array.from(text.key.slice(start, end)).length < LEAST_UNMARKED) continue;
    const name = bareName(entry.name);
    const onlyPointed = phraseShape(name).plain;
    if (!hasSubstance(entry.key) || (onlyPointed && !/^\p{N}+$/u.test(entry.key))) continue;
    chosen.push({ start, end, name, onlyPointed });
  }
  return chosen.toSorted((left, right) => left.start - right.start);
}

/** A piece of the folded text as the user wrote it, where it can be found there again. */
function asWritten(piece: string, text: string): string {
  const at = text.toLowerCase().indexOf(piece);
  return at === -1 ? piece : text.slice(at, at + piece.length);
}

function isBeside({ start, end }: KnownName, reference: Reference, { spaced }: Folded): boolean {
  const place = placesInSpaced(spaced);
  const first = place[start] ?? 0;
  const last = (place[end - 1] ?? 0) + 1;
  if (last <= reference.start) return BETWEEN.test(spaced.slice(last, reference.start));
  return first >= reference.end && BETWEEN.test(spaced.slice(reference.end, first));
}

/** For each character of the key, its place in the spaced form. */
function placesInSpaced(spaced: string): readonly number[] {
  return Array.from({ length: spaced.length }, (_, at) => at).filter((at) => spaced.charAt(at) !== " ");
}

function saysSomething({ inner }: ByteRange): boolean {
  return keyA(bareName(inner)) !== "";
}

function isMetric(text: string): boolean {
  const { metric, plain } = phraseShape(text);
  return metric && plain;
}

function eachOnce(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(keyA(name))) byKey.set(keyA(name), name);
  return [...byKey.values()];
}
