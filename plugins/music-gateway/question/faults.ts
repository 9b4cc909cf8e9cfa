import type { Claims } from "./claims.ts";
import type { QuestionParts } from "./marks.ts";
import type { Split } from "./query.ts";
import { is, type Known, type Token } from "./scan.ts";
import { nearTitles } from "./titles.ts";
import { levelled } from "./vocabulary.ts";

/** A part of a question that cannot be answered, and its words. */
export interface Fault {
  readonly is:
    | `subject-${string}`
    | "unknown-song"
    | "unknown-store"
    | "area"
    | "song-count"
    | "unknown-words"
    | "near-titles"
    | "too-many-periods"
    | "too-many-splits"
    | "which-song"
    | "goes-on"
    | "empty";
  readonly words: readonly string[];
}

const MEANINGFUL = [
  "measure",
  "per",
  "split",
  "order",
  "noun",
  "song",
  "country",
  "city",
  "store",
  "weekday",
];
const MEANINGFUL_MARKS =
  "overview trend moved changes why grow fall audience share_of ever release released peaked".split(" ");

/**
 * Chinese is written without spaces: a reported word includes adjacent single characters without a meaning of their
 * own in this position, such as 中 and 数 in 中位数.
 */
function wordNames(question: string): (token: Token) => string {
  const text = levelled(question.slice(0, 2000));
  return ({ kind, text: word }) => {
    if (kind !== "unknown" || !/\p{Script=Han}/u.test(word)) return word;
    const at = text.indexOf(word);
    const before = /[大小中高低多少新老单双总平首全半]$/u.exec(text.slice(0, at))?.[0] ?? "";
    const after = /^[数量值率度额性化]/u.exec(text.slice(at + word.length))?.[0] ?? "";
    return at < 0 ? word : `${before}${word}${after}`;
  };
}

/** The faults of a question, in the order in which they are reported. */
export function faultsOf(
  { tokens, songId, times }: QuestionParts,
  splits: readonly Split[],
  { question, title }: { readonly question: string; readonly title: string },
  known: Known,
  claims: Claims,
): readonly Fault[] {
  const textsOf = (isIn: (token: Token) => boolean): readonly string[] => [
    ...new Set(tokens.filter(isIn).map(({ text }) => text)),
  ];
  const subjects = new Set(tokens.filter(({ kind }) => kind === "unknowable").map(({ value }) => value));
  const unknownSongs = textsOf(({ kind }) => kind === "unknown-song");
  const unknownStores = textsOf(({ kind, names }) => kind === "store" && names?.length === 0);
  // These have their own messages.
  claims.claim(
    ...tokens.filter(
      ({ kind, names }) =>
        kind === "unknowable" ||
        kind === "unknown-song" ||
        kind === "area" ||
        (kind === "store" && names?.length === 0),
    ),
  );
  // Words in the title of the requested song.
  claims.claim(
    ...tokens.filter(
      ({ kind, text }) => kind === "unknown" && text.split(" ").every((word) => title.includes(word)),
    ),
  );
  const left = claims.unclaimed();
  const nameOf = wordNames(question);
  const counts = left.filter((token) => is(token, "mark", "count"));
  const isOfSongs = counts.length > 0 && tokens.some((token) => is(token, "noun", "song"));
  const unknown = isOfSongs ? left.filter((token) => !counts.includes(token)) : left;
  // "By flavour": only the unknown word is reported.
  const isOfNext = (token: Token): boolean => {
    const next = tokens[tokens.indexOf(token) + 1];
    return is(token, "mark", "each") && next?.kind === "unknown" && unknown.includes(next);
  };
  const near = nearTitles(unknown, levelled(question), known);
  const faults: readonly Fault[] = [
    ...[...subjects].map((subject): Fault => ({
      is: `subject-${subject}`,
      words: textsOf((token) => is(token, "unknowable", subject)),
    })),
    { is: "unknown-song", words: songId === undefined ? unknownSongs : [] },
    { is: "unknown-store", words: unknownStores },
    { is: "area", words: textsOf(({ kind }) => kind === "area") },
    { is: "song-count", words: isOfSongs ? counts.map(({ text }) => text) : [] },
    { is: "unknown-words", words: [...new Set(unknown.filter((token) => !isOfNext(token)).map(nameOf))] },
    { is: "near-titles", words: near },
    { is: "too-many-splits", words: splits.length > 1 ? splits : [] },
  ];
  const said = faults.filter(({ words }) => words.length > 0);
  if (times.length > 2) return [...said, { is: "too-many-periods", words: [] }];
  const isOfSong =
    songId !== undefined || unknownSongs.length > 0 || tokens.some((token) => is(token, "song"));
  if (tokens.some((token) => is(token, "mark", "pointer")) && !isOfSong)
    return [...said, { is: "which-song", words: [] }];
  const isMeaningful =
    songId !== undefined ||
    times.length > 0 ||
    tokens.some((token) => MEANINGFUL.includes(token.kind) || is(token, "mark", ...MEANINGFUL_MARKS));
  return said.length === 0 && !isMeaningful ? [{ is: "empty", words: [] }] : said;
}
