import type { Filters } from "./query.ts";
import type { Token } from "./scan.ts";

/** What a question is narrowed to. */
export interface FiltersRead {
  readonly filters: Filters;
  /** How often each kind is named: two songs are put side by side. */
  readonly named: Readonly<Record<"songs" | "countries" | "stores" | "weekdays", number>>;
}

type Kind = "songs" | "countries" | "stores";
/** Where the filters keep what is left out. */
export const WITHOUT = {
  songs: "withoutSongs",
  countries: "withoutCountries",
  stores: "withoutStores",
} as const;

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** Songs, countries, stores and weekdays of a question; what is left out stands apart. */
export function filtersOf(tokens: readonly Token[], songId: number | undefined): FiltersRead {
  const filters: Filters = {};
  const named = { songs: 0, countries: 0, stores: 0, weekdays: 0 };
  const add = (kind: Kind, values: readonly (string | number)[], isLeftOut: boolean): void => {
    const key = isLeftOut ? WITHOUT[kind] : kind;
    const all = new Set<string | number>([...(filters[key] ?? []), ...values]);
    Object.assign(filters, { [key]: [...all] });
    if (!isLeftOut) named[kind] += 1;
  };
  let leavingOut = -1;
  tokens.forEach((token, at) => {
    const isLeftOut = isOut(tokens, at, leavingOut);
    if (token.kind === "mark" && token.value === "except") leavingOut = at;
    else if (token.kind === "song" && (songId === undefined || isLeftOut)) add("songs", token.ids, isLeftOut);
    else if (token.kind === "country") add("countries", [token.value], isLeftOut);
    else if (token.kind === "store" && token.stores.length > 0) add("stores", token.stores, isLeftOut);
    else if (token.kind === "weekday") {
      const said = [...token.value].map(Number);
      const days = isLeftOut ? EVERY_DAY.filter((day) => !said.includes(day)) : said;
      filters.weekdays = [...new Set([...(filters.weekdays ?? []), ...days])].sort((a, b) => a - b);
      named.weekdays += 1;
    }
  });
  if (songId !== undefined) filters.songs = [songId];
  return { filters, named };
}

/** Whether a name follows "except", with nothing but other names and "and" between, or stands before 以外. */
function isOut(tokens: readonly Token[], at: number, leavingOut: number): boolean {
  const token = tokens[at];
  if (token === undefined || !isEntity(token)) return false;
  const next = tokens[at + 1];
  if (next?.kind === "mark" && next.value === "outside") return true;
  if (leavingOut < 0) return false;
  return tokens
    .slice(leavingOut + 1, at)
    .every((between) => isEntity(between) || isAnd(between) || between.kind === "noun");
}

function isEntity({ kind }: Token): boolean {
  return kind === "song" || kind === "country" || kind === "store" || kind === "weekday";
}

function isAnd(token: Token): boolean {
  return token.kind === "mark" && token.value === "and";
}
