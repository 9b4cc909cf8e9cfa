import type { Split } from "./query.ts";
import type { Token } from "./scan.ts";

/** Something of a question that cannot be answered, and the words that say it. */
export interface Fault {
  readonly is:
    | `subject-${string}`
    | "unknown-song"
    | "unknown-store"
    | "area"
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
const MEANINGFUL_MARKS = [
  "overview",
  "trend",
  "changes",
  "why",
  "grow",
  "fall",
  "audience",
  "share_of",
  "ever",
  "release",
];
const NAMES = ["song", "country", "store", "weekday", "unknown-song"];

const LEFT_OUT = ["except", "outside"];

/** All that cannot be answered, in the order in which it is said. */
export function faultsOf(tokens: readonly Token[], read: Read): readonly Fault[] {
  const isMark = (value: string): boolean =>
    tokens.some((token) => token.kind === "mark" && token.value === value);
  const subjects = new Set(tokens.flatMap((token) => (token.kind === "unknowable" ? [token.value] : [])));
  const isOfSong =
    read.songId !== undefined || tokens.some(({ kind }) => kind === "song" || kind === "unknown-song");
  const isMeaningful =
    read.songId !== undefined ||
    read.times > 0 ||
    tokens.some(
      (token) =>
        MEANINGFUL.includes(token.kind) || (token.kind === "mark" && MEANINGFUL_MARKS.includes(token.value)),
    );
  const textsOf = (isIn: (token: Token) => boolean): readonly string[] => [
    ...new Set(tokens.filter(isIn).map(({ text }) => text)),
  ];
  const faults: readonly Fault[] = [
    ...[...subjects].map((subject): Fault => ({
      is: `subject-${subject}`,
      words: textsOf((token) => token.kind === "unknowable" && token.value === subject),
    })),
    {
      is: "unknown-song",
      words: read.songId === undefined ? textsOf(({ kind }) => kind === "unknown-song") : [],
    },
    { is: "unknown-store", words: textsOf((token) => token.kind === "store" && token.stores.length === 0) },
    { is: "area", words: textsOf(({ kind }) => kind === "area") },
    { is: "unknown-words", words: [...wordsLeft(tokens, read), ...read.unread] },
    { is: "too-many-splits", words: read.splits.length > 1 ? read.splits : [] },
  ];
  const found = faults.filter(({ words }) => words.length > 0);
  if (read.times > 2) return [...found, { is: "too-many-periods", words: [] }];
  if (isMark("pointer") && !isOfSong) return [...found, { is: "which-song", words: [] }];
  return found.length === 0 && !isMeaningful ? [{ is: "empty", words: [] }] : found;
}

/** Words without a meaning, and words whose meaning nothing took up. */
function wordsLeft(tokens: readonly Token[], { title, numbersUsed }: Read): readonly string[] {
  const hasMeasure = tokens.some(({ kind }) => kind === "measure");
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1];
    const next = tokens[at + 1];
    const isLeft = (): boolean => {
      if (token.kind === "unknown") return !token.text.split(" ").every((word) => title.includes(word));
      if (token.kind === "number")
        return !numbersUsed.has(token) && !(next?.kind === "noun" && TIME.includes(next.value));
      if (token.kind !== "mark") return false;
      if (token.value === "released" || token.value === "threshold") return true;
      if (token.value === "versus" && next?.kind === "number") return true;
      if (token.value === "count") return !hasMeasure;
      // The other stores than which?
      if (token.value === "other")
        return !tokens.some((one) => one.kind === "mark" && LEFT_OUT.includes(one.value));
      if (token.value === "except")
        return !NAMES.includes(tokens.slice(at + 1).find(({ kind }) => kind !== "noun")?.kind ?? "");
      if (token.value === "outside") return !NAMES.includes(before?.kind ?? "");
      const isBesideDate =
        [before?.kind, next?.kind].includes("date") || (before?.kind === "mark" && before.value === "versus");
      return (token.value === "before" || token.value === "after") && !isBesideDate;
    };
    return isLeft() ? [token.text] : [];
  });
}
