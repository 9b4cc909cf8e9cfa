import { folded } from "./vocabulary.ts";
import type { Known, Token } from "./scan.ts";

/** The most titles that are offered. */
const MOST = 3;
/** The longest title or word that is compared sign by sign. */
const LONGEST = 60;
const MOST_WORDS = 60;

/** Titles that a question comes close to with words that mean nothing else: "paper plane" is near "Paper Planes". */
export function nearTitles(unknown: readonly Token[], question: string, known: Known): readonly string[] {
  const words = unknown
    .filter(({ kind, text }) => kind === "unknown" && text.length > 1 && text.length <= LONGEST)
    .map(({ text }) => text);
  if (words.length === 0) return [];
  const all = question.split(/[\s,.?!;:]+/).slice(0, MOST_WORDS);
  // As many words as a title has, one of them unknown: "onli you".
  const windows = [2, 3, 4, 5].map((size) =>
    all
      .map((_, at) => all.slice(at, at + size))
      .filter((window) => window.length === size && window.some((word) => words.includes(word)))
      .map((window) => window.join(" ")),
  );
  const found = known.songs
    .map(({ title }) => title)
    .filter((title) => {
      const key = folded(title.slice(0, LONGEST));
      const same = windows[key.split(" ").length - 2] ?? [];
      return [...words, ...same].some((word) => isNear(word, key));
    });
  return [...new Set(found)].slice(0, MOST);
}

/** One or two signs apart, or the beginning of a title of several words. */
function isNear(word: string, title: string): boolean {
  if (title.startsWith(`${word} `) || (word.length > 3 && title.startsWith(word))) return true;
  const most = Math.min(word.length, title.length) < 8 ? 1 : 2;
  return Math.min(word.length, title.length) > 2 && distance(word, title, most) <= most;
}

/** How many signs have to be put in, taken out or changed; more than `most` counts as one more than that. */
function distance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= right.length; place += 1) {
      const isSame = left[at - 1] === right[place - 1];
      const changed = (row[place - 1] ?? 0) + (isSame ? 0 : 1);
      next.push(Math.min(changed, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? most + 1;
}
