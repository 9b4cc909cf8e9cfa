import { folded } from "./vocabulary.ts";
import type { Catalog } from "../store/catalog.ts";

/** The maximum number of suggested titles. */
const MOST = 3;
/** The maximum length of a title or word that is compared character by character. */
const LONGEST = 60;
const MOST_WORDS = 60;

/** Titles that resemble the unknown words of a question: "paper plane" is close to "Paper Planes". */
export function nearTitles(
  unknown: readonly { readonly kind: string; readonly text: string }[],
  question: string,
  known: Pick<Catalog, "songs">,
): readonly string[] {
  const words = unknown
    .filter(({ kind, text }) => kind === "unknown" && text.length > 1 && text.length <= LONGEST)
    .map(({ text }) => text);
  if (words.length === 0) return [];
  const all = question.split(/[\s,.?!;:]+/).slice(0, MOST_WORDS);
  // Sequences of as many words as a title has, with an unknown one among them: "onli you".
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

/** A character that a title may be written without, or that has a substitute. */
const LOOSE_SIGN = /[^\p{L}\p{N}\s]| and /iu;
/** The last two words of a longer title. */
const LONG_TITLE =
  /^\S+ (?:\S+ )*((?!(?:the|and|for|with|from|into|your|you|our|last|this|that|all|not)\b)[a-z]{3,} [a-z]{3,})$/iu;
const IN_BRACKETS = /[([]([^()[\]]+)[)\]]$/;

/**
 * Alternative forms of titles in a question, each of one song only: "salt and honey" and "salt honey" for "Salt &
 * Honey", "kito remix" for "Neon River (KITO Remix)", "tour shirts" for "Ines Lam tour shirt".
 */
export function looseForms(songs: Catalog["songs"], text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number | undefined>();
  for (const { id, title } of songs) {
    const end = LONG_TITLE.exec(title)?.[1]?.toLowerCase();
    if (end !== undefined && text.includes(end))
      for (const form of [folded(end), `${folded(end)}s`]) found.set(form, found.has(form) ? undefined : id);
    const key = folded(title);
    // "Lanterns best day": without the apostrophe.
    if (/[a-rt-z]$/.test(key) && text.includes(`${key}s`))
      found.set(`${key}s`, found.has(`${key}s`) ? undefined : id);
    if (!LOOSE_SIGN.test(title)) continue;
    const inner = IN_BRACKETS.exec(key)?.[1]?.trim() ?? "";
    const forms = new Set([
      withoutSigns(key),
      withoutSigns(key.replaceAll("&", " and ")),
      key.replaceAll(" and ", " & "),
      // 风筝伴奏 for 风筝 (伴奏).
      withoutSigns(key).replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, ""),
    ]);
    // A single word such as "live" fits any song.
    if (/[a-z\d] [a-z\d]/.test(inner)) forms.add(inner);
    for (const form of forms)
      if (form !== key && form.length > 3 && text.includes(form))
        found.set(form, found.has(form) ? undefined : id);
  }
  if (found.size === 0) return new Map();
  for (const { title } of songs) found.delete(folded(title));
  return new Map([...found].flatMap(([form, id]) => (id === undefined ? [] : [[form, id] as const])));
}

function withoutSigns(key: string): string {
  return key
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The version of a song that a word after its name means: 伴奏版 after 风筝 is 风筝 (伴奏). */
export function versionOf(id: number, word: string, songs: Catalog["songs"]): string | undefined {
  const named = (title: string): string => folded(title).replace(IN_BRACKETS, "").trim();
  const name = named(songs.find((song) => song.id === id)?.title ?? "");
  const said = word.replace(/版本?$|(?<=\S) version$/u, "");
  const found = songs.filter(
    (song) =>
      said !== "" &&
      song.id !== id &&
      named(song.title) === name &&
      IN_BRACKETS.exec(folded(song.title))?.[1]?.includes(said),
  );
  return found.length === 1 ? found[0]?.title : undefined;
}

/** Words before a year that show that it is a time. */
const SAID_BEFORE =
  /(?:\b(?:in|during|since|from|until|till|to|through|before|after|year|last|this|q[1-4]|h[12]|half|quarter|\d{1,2}(?:st|nd|rd|th)?,?|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?,?(?: of)?)|[从自到至在])\s*$/i;

/** Marks a title that is a year, "1999", if the files have no day in that year and no word shows that it is a time. */
export function withYearTitles(question: string, { songs, files }: Pick<Catalog, "songs" | "files">): string {
  return songs
    .filter(({ title }) => /^(?:19|20)\d\d$/.test(title))
    .filter(
      ({ title }) =>
        !files.some(
          ({ window }) => window && window.from.slice(0, 4) <= title && title <= window.to.slice(0, 4),
        ),
    )
    .reduce(
      (text, { title }) =>
        text.replaceAll(
          new RegExp(`(?<![\\d./《"“「-]|\\d,)${title}(?![\\d/》"”」-]|[.,]\\d|\\s*年)`, "g"),
          (year: string, at: number) => (SAID_BEFORE.test(text.slice(0, at)) ? year : `《${year}》`),
        ),
      question,
    );
}

/** Whether texts differ by one or two characters, or one is the beginning of a title of several words. */
function isNear(word: string, title: string): boolean {
  if (title.startsWith(`${word} `) || (word.length > 3 && title.startsWith(word))) return true;
  const most = Math.min(word.length, title.length) < 8 ? 1 : 2;
  return Math.min(word.length, title.length) > 2 && distance(word, title, most) <= most;
}

/** The number of characters to insert, delete, change or swap with the next; more than `most` counts as `most + 1`. */
export function distance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let last: readonly number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= right.length; place += 1) {
      const isSame = left[at - 1] === right[place - 1];
      const isTurned = left[at - 1] === right[place - 2] && left[at - 2] === right[place - 1];
      const changed = (row[place - 1] ?? 0) + (isSame ? 0 : 1);
      const turned = isTurned ? (last[place - 2] ?? most) + 1 : most + 1;
      next.push(Math.min(changed, turned, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1));
    }
    last = row;
    row = next;
  }
  return row.at(-1) ?? most + 1;
}
