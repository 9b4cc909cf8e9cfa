import type { Split } from "./query.ts";
import { is, type Token } from "./scan.ts";

/** Something of a question that cannot be answered, and the words that say it. */
export interface Fault {
  readonly is:
    | `subject-${string}`
    | "unknown-song"
    | "unknown-store"
    | "area"
    | "song-count"
    | "unknown-words"
    | "too-many-periods"
    | "too-many-splits"
    | "which-song"
    | "empty";
  readonly words: readonly string[];
}

/** What the rest of the reading knows of a question. */
export interface Read {
  readonly songId: number | undefined;
  /** The title of that song. */
  readonly title: string;
  readonly times: number;
  readonly splits: readonly Split[];
  readonly numbersUsed: ReadonlySet<Token>;
  /** Phrases that other parts could not use. */
  readonly unread: readonly string[];
}

const TIME: readonly string[] = ["day", "week", "month", "quarter", "year"];
const MEANINGFUL = ["measure", "split", "order", "noun", "song", "country", "store", "weekday"];
const MEANINGFUL_MARKS = "overview trend changes why grow fall audience share_of ever release".split(" ");
const NAMES = ["song", "country", "store", "weekday", "unknown-song"];

/** All that cannot be answered, in the order in which it is said. */
export function faultsOf(tokens: readonly Token[], read: Read): readonly Fault[] {
  const { songId, times, splits, unread } = read;
  const textsOf = (isIn: (token: Token) => boolean): readonly string[] => [
    ...new Set(tokens.filter(isIn).map(({ text }) => text)),
  ];
  const subjects = new Set(tokens.filter(({ kind }) => kind === "unknowable").map(({ value }) => value));
  const unknownSongs = textsOf(({ kind }) => kind === "unknown-song");
  const left = tokens.filter((_, at) => isLeft(tokens, at, read));
  const counts = left.filter((token) => is(token, "mark", "count"));
  const isOfSongs = counts.length > 0 && tokens.some((token) => is(token, "noun", "song"));
  const unknown = isOfSongs ? left.filter((token) => !counts.includes(token)) : left;
  const faults: readonly Fault[] = [
    ...[...subjects].map((subject): Fault => ({
      is: `subject-${subject}`,
      words: textsOf((token) => is(token, "unknowable", subject)),
    })),
    { is: "unknown-song", words: songId === undefined ? unknownSongs : [] },
    { is: "unknown-store", words: textsOf(({ kind, stores }) => kind === "store" && stores?.length === 0) },
    { is: "area", words: textsOf(({ kind }) => kind === "area") },
    { is: "song-count", words: isOfSongs ? counts.map(({ text }) => text) : [] },
    { is: "unknown-words", words: [...unknown.map(({ text }) => text), ...unread] },
    { is: "too-many-splits", words: splits.length > 1 ? splits : [] },
  ];
  const found = faults.filter(({ words }) => words.length > 0);
  if (times > 2) return [...found, { is: "too-many-periods", words: [] }];
  const isOfSong =
    songId !== undefined || unknownSongs.length > 0 || tokens.some((token) => is(token, "song"));
  if (tokens.some((token) => is(token, "mark", "pointer")) && !isOfSong)
    return [...found, { is: "which-song", words: [] }];
  const isMeaningful =
    songId !== undefined ||
    times > 0 ||
    tokens.some((token) => MEANINGFUL.includes(token.kind) || is(token, "mark", ...MEANINGFUL_MARKS));
  return found.length === 0 && !isMeaningful ? [{ is: "empty", words: [] }] : found;
}

/** Whether a token is a word without a meaning, or one whose meaning nothing took up. */
function isLeft(tokens: readonly Token[], at: number, { title, numbersUsed }: Read): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token === undefined) return false;
  if (token.kind === "unknown") return !token.text.split(" ").every((word) => title.includes(word));
  if (token.kind === "number") return !numbersUsed.has(token) && !is(next, "noun", ...TIME);
  if (token.kind !== "mark") return false;
  switch (token.value) {
    case "released":
    case "threshold":
      return true;
    case "versus":
      return is(next, "number");
    case "count":
      return !tokens.some(({ kind }) => kind === "measure");
    // The other stores than which?
    case "other":
      return !tokens.some((one) => is(one, "mark", "except", "outside"));
    case "except":
      return !NAMES.includes(tokens.slice(at + 1).find(({ kind }) => kind !== "noun")?.kind ?? "");
    case "outside":
      return !NAMES.includes(before?.kind ?? "");
    case "before":
    case "after":
      return !is(before, "date") && !is(next, "date") && !is(before, "mark", "versus");
    default:
      return false;
  }
}
