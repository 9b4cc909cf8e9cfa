import { sessionFault } from "./session-id.ts";

/** Words that say nothing about a bug. */
const EMPTY = new Set(
  (
    "a an and are as at be been but by can cannot could did do does doesn don every for from gets got had has have how i if in " +
    "into is isn it its me my no not of on or our please should so some sometimes still that the their then there these this to " +
    "too under up user users very was wasn we were what when where which while who why will with would you your"
  ).split(" "),
);
const MOST_WORDS = 3;
const LONGEST_WORD = 16;

/**
 * A session id made of the words of a symptom, which no session in `taken` has: `The login times out` becomes
 * `login-times-out`. What holds too few words of Latin letters is filled up with `runtime-bug`.
 */
export function sessionName(symptom: string, taken: (id: string) => boolean): string {
  const words = [...new Set(wordsOf(symptom))].slice(0, MOST_WORDS);
  const filled = words.length > 1 ? words : [...words, ...["runtime", "bug"].slice(words.length)];
  const base = filled.join("-");
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}${number}`;
    // A number can make a word that some systems keep for a device.
    if (sessionFault(id) === undefined && !taken(id)) return id;
  }
}

function wordsOf(symptom: string): readonly string[] {
  const plain = symptom
    .normalize("NFKD")
    .replaceAll(/\p{M}|['\u2019]/gu, "")
    .toLowerCase();
  const found = plain.match(/[a-z][a-z0-9]*/g) ?? [];
  return found.filter(
    (word) =>
      word.length > 1 &&
      word.length <= LONGEST_WORD &&
      !EMPTY.has(word) &&
      sessionFault(`${word}-x`) === undefined,
  );
}
