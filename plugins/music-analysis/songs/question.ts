import { hasSubstance, namesWithin, type Found } from "./containment.ts";
import { foldExact, keyA, type Folded } from "./keys.ts";
import { quoteSpans, titleSpans, type Span } from "./marked-names.ts";
import { bareName } from "./marks.ts";
import { phraseShape } from "./plain-words.ts";
import { firstReference, type Reference } from "./references.ts";
import type { SongIndex } from "./song-index.ts";

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
  readonly index: SongIndex;
  /** Whether a song is in focus: a shown single-song answer or a confirmed candidate. */
  readonly focused: boolean;
}

const LEAST_UNMARKED = 2;
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
  const known = unmarkedNames(folded, index);
  const meant = pointing === undefined ? known : known.filter((name) => isBeside(name, pointing, folded));
  if (meant.length > 0) return { kind: "song", names: eachOnce(meant.map(({ named }) => named)) };
  return pointing === undefined ? { kind: "account" } : { kind: pointing.kind };
}

/** Names in title marks, and beside them only quoted names that are known; without marks, every quoted name. */
function markedNames(text: string, index: SongIndex): readonly string[] {
  const titles = titleSpans(text).filter(saysSomething);
  const isKnown = ({ inner }: Span): boolean => index.exact.byKey.has(keyA(bareName(inner)));
  const isFree = ({ start, end }: Span): boolean =>
    titles.every((title) => end <= title.start || start >= title.end);
  const quoted = quoteSpans(text)
    .filter((span) => saysSomething(span) && isFree(span))
    .filter((span) => isKnown(span) || (titles.length === 0 && !isMetric(span.inner)));
  const spans = [...titles, ...quoted].toSorted((left, right) => left.start - right.start);
  return eachOnce(spans.map(({ inner }) => bareName(inner).replace(/\s+/gu, " ")));
}

/** Known names in the text as it stands, longest first, none inside another; everyday words need marks. */
function unmarkedNames(text: Folded, index: SongIndex): readonly Found<string>[] {
  const chosen: Found<string>[] = [];
  const byLength = namesWithin(text, index.exact).toSorted(
    (left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start,
  );
  for (const { start, end, named } of byLength) {
    if (chosen.some((other) => start < other.end && other.start < end)) continue;
    const entry = index.entries[named[0] ?? -1];
    if (entry === undefined || Array.from(text.key.slice(start, end)).length < LEAST_UNMARKED) continue;
    const name = bareName(entry.name);
    if (hasSubstance(entry.key) && !phraseShape(name).plain) chosen.push({ start, end, named: name });
  }
  return chosen.toSorted((left, right) => left.start - right.start);
}

function isBeside({ start, end }: Found<string>, reference: Reference, { spaced }: Folded): boolean {
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

function saysSomething({ inner }: Span): boolean {
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
