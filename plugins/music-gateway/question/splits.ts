import { WITHOUT, type FiltersRead } from "./filters.ts";
import type { Order, Split } from "./query.ts";
import type { Token } from "./scan.ts";

/** By what a question wants its figures split, and how many rows. */
export interface SplitsRead {
  readonly split: Split | undefined;
  /** Further splits, which cannot be had at once. */
  readonly others: readonly Split[];
  readonly rows: number | undefined;
  readonly numbersUsed: ReadonlySet<Token>;
}

type Named = FiltersRead["named"];

const TIME: readonly string[] = ["day", "week", "month", "quarter", "year"];
/** Nouns that can only mean a split; "song" and units of time also stand in other places. */
const PLAIN: readonly string[] = ["country", "city", "store", "source", "playlist", "weekday"];
const FILTER_OF: Readonly<Record<string, keyof typeof WITHOUT>> = {
  country: "countries",
  store: "stores",
  song: "songs",
};

/** Reads splits out of "by …", "which …", "top 3 …", and two songs, countries or stores side by side. */
export function splitsOf(
  tokens: readonly Token[],
  { filters, named }: FiltersRead,
  orders: readonly Order[],
): SplitsRead {
  const numbersUsed = new Set<Token>();
  const rows = rowsOf(tokens, orders, numbersUsed);
  const plain = tokens.flatMap((token) => (token.kind === "split" ? [token.value as Split] : []));
  const strong: Split[] = [];
  const weak: Split[] = [];
  tokens.forEach((token, at) => {
    if (token.kind !== "noun") return;
    const split = token.value as Split;
    if (isTaken(tokens, at)) return;
    if (isAsked(tokens, at)) strong.push(split);
    else if (PLAIN.includes(split)) {
      const filter = FILTER_OF[split];
      const isLeftOut = filter !== undefined && filters[WITHOUT[filter]] !== undefined;
      // "The stores other than Spotify" are all the others together.
      const isWhole = filter !== undefined && (named[filter] > 0 || isLeftOut);
      if (!isWhole || (isLeftOut && isRanked(tokens, at, orders))) weak.push(split);
    } else if (isRanked(tokens, at, orders)) weak.push(split);
  });
  const asked = [...new Set([...plain, ...strong])];
  const all = asked.length > 0 ? asked : [...new Set(weak)].slice(0, 1);
  const split = all[0] ?? sideBySide(tokens, named);
  const isWeekdayOfDay = split === "weekday" || all.includes("weekday");
  const others = all.slice(1).filter((other) => !(isWeekdayOfDay && (other === "day" || other === "week")));
  return {
    split: isWeekdayOfDay && all.length > 1 && others.length === 0 ? "weekday" : split,
    others,
    rows,
    numbersUsed,
  };
}

/** Whether a noun names what follows: "the song Ocean", "song《海盐》". */
function isTaken(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  const before = tokens[at - 1];
  if (token?.kind !== "noun") return false;
  const isNumbered = before?.kind === "number" && TIME.includes(token.value);
  if (isNumbered)
    return tokens[at - 2]?.kind !== "order" && next?.kind !== "order" && tokens[at - 2]?.kind !== "mark";
  if (token.value === "song") return isSong(next) || isSong(before);
  if (token.value === "store") return next?.kind === "store" || before?.kind === "store";
  if (token.value === "country") return next?.kind === "country" || before?.kind === "country";
  return false;
}

/** Right behind "by", "each" or "which", or behind a number or order that follows one. */
function isAsked(tokens: readonly Token[], at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - 3; before -= 1) {
    const token = tokens[before];
    if (token?.kind === "mark" && (token.value === "which" || token.value === "each")) return true;
    if (token?.kind === "mark" && token.value === "and") return tokens[before - 1]?.kind === "split";
    if (token?.kind !== "number" && token?.kind !== "order") return false;
  }
  return false;
}

function isRanked(tokens: readonly Token[], at: number, orders: readonly Order[]): boolean {
  const isRanking = tokens.some(
    (token) => token.kind === "mark" && (token.value === "rank" || token.value === "list"),
  );
  const noun = tokens[at];
  if (orders.length > 0 || (isRanking && noun?.kind === "noun" && !TIME.includes(noun.value))) return true;
  const [next, figure] = tokens.slice(at + 1, at + 3);
  if (next?.kind === "mark" && next.value === "each" && figure?.kind === "measure") return true;
  return [tokens[at - 1], tokens[at + 1]].some(
    (token) =>
      token?.kind === "number" ||
      (token?.kind === "mark" && ["rank", "breakdown", "list"].includes(token.value)),
  );
}

function sideBySide(tokens: readonly Token[], named: Named): Split | undefined {
  const days = tokens.flatMap((token) => (token.kind === "weekday" ? [token.value] : []));
  if (days.includes("56") && days.includes("01234")) return "weekpart";
  if (named.songs > 1) return "song";
  if (named.countries > 1) return "country";
  if (named.stores > 1) return "store";
  if (named.weekdays > 1) return "weekday";
  const isShare = tokens.some(
    (token) => token.kind === "mark" && ["share_of", "breakdown"].includes(token.value),
  );
  if (!isShare) return undefined;
  if (named.songs > 0) return "song";
  if (named.countries > 0) return "country";
  return named.stores > 0 ? "store" : undefined;
}

/** "Top 3", 前三首, "the 5 best songs": a number beside an order, a ranking or what is ranked. */
function rowsOf(tokens: readonly Token[], orders: readonly Order[], used: Set<Token>): number | undefined {
  let rows = tokens.some((token) => token.kind === "order" && token.value === "first") ? 1 : undefined;
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    const next = tokens[at + 1];
    if (
      token.kind === "date" &&
      token.word.is === "period" &&
      token.word.before !== undefined &&
      before?.kind === "order"
    )
      rows ??= token.word.before.count;
    if (token.kind !== "number" || Number(token.value) < 1) return;
    const isBesideOrder =
      before?.kind === "order" ||
      next?.kind === "order" ||
      (before?.kind === "mark" && ["rank", "which"].includes(before.value));
    const isOfNoun = next?.kind === "noun" && (!TIME.includes(next.value) || orders.length > 0);
    if (!isBesideOrder && !isOfNoun) return;
    rows ??= Number(token.value);
    used.add(token);
  });
  return rows;
}

function isSong(token: Token | undefined): boolean {
  return token?.kind === "song" || token?.kind === "unknown-song";
}
