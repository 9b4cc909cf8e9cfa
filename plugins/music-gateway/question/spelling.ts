import { dateNames } from "./date-words.ts";
import { distance, nearTitles } from "./titles.ts";
import { vocabularyOf, type Vocabulary } from "./vocabulary.ts";
import type { Known } from "./scan.ts";

/** A word in a question, and the word as which it is read. */
export interface Spelling {
  readonly word: string;
  readonly as: string;
}

/** Shorter words are too similar to many others. */
const FEWEST_SIGNS = 4;
const FEWEST_OF_KNOWN = 5;
/** Words of at least this length may differ by two edits. */
const LONG = 8;
const MOST_SIGNS = 30;
const MOST_WORDS = 8;

/**
 * Reads an unclaimed word as the only similar word in the vocabulary: "contry" as "country". A word that is equally
 * close to two meanings, or close to a title, stays unchanged.
 */
export function spelled(
  question: string,
  unclaimed: readonly string[],
  known: Known,
): { readonly question: string; readonly spellings: readonly Spelling[] } {
  const words = [...new Set(unclaimed.flatMap((text) => text.split(" ")))].slice(0, MOST_WORDS);
  if (words.length === 0) return { question, spellings: [] };
  const vocabulary = vocabularyOf(known);
  const names = latinWords(vocabulary);
  const spellings = words.flatMap((word): readonly Spelling[] => {
    if (!/^[a-z]+$/.test(word) || word.length < FEWEST_SIGNS || word.length > MOST_SIGNS) return [];
    const as = nearest(word, names, vocabulary);
    const isTitle = as !== undefined && nearTitles([{ kind: "unknown", text: word }], word, known).length > 0;
    return as === undefined || isTitle ? [] : [{ word, as }];
  });
  const text = spellings.reduce(
    (rest, { word, as }) => rest.replaceAll(new RegExp(`(?<![a-z\\d])${word}(?![a-z\\d])`, "gi"), as),
    question,
  );
  return { question: text, spellings };
}

/** The only word with the fewest edits; forms with one meaning, such as "stream" and "streams", count as one. */
function nearest(word: string, names: ReadonlySet<string>, vocabulary: Vocabulary): string | undefined {
  if (names.has(word)) return undefined;
  let most = word.length < LONG ? 1 : 2;
  let found: string[] = [];
  for (const name of names) {
    if (name.length < FEWEST_OF_KNOWN) continue;
    const edits = distance(word, name, most);
    if (edits > most) continue;
    if (edits < most) found = [];
    most = edits;
    found.push(name);
  }
  const [first, ...others] = found;
  const meaningOf = (name: string): string => {
    const meaning = vocabulary.words.get(name);
    return meaning === undefined ? name : `${meaning.kind} ${meaning.value}`;
  };
  return first !== undefined && others.every((name) => meaningOf(name) === meaningOf(first))
    ? first
    : undefined;
}

/** All Latin words in the vocabulary, in its phrases and in the names of months and weekdays. */
function latinWords({ words }: Vocabulary): ReadonlySet<string> {
  const all = [...words.keys(), ...dateNames()].flatMap((phrase) => phrase.split(" "));
  return new Set(all.filter((name) => /^[a-z]+$/.test(name)));
}
