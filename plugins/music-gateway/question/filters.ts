import type { Filters } from "./query.ts";
import { is, type Token } from "./scan.ts";

/** What a question is narrowed to. */
export interface FiltersRead {
  readonly filters: Filters;
  /** How often each kind is named: two songs are put side by side. */
  readonly named: Readonly<Record<"songs" | "countries" | "stores" | "weekdays", number>>;
}

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
  const add = (
    kind: keyof typeof WITHOUT,
    values: readonly (string | number)[],
    isLeftOut: boolean,
  ): void => {
    const key = isLeftOut ? WITHOUT[kind] : kind;
    const all = new Set<string | number>([...(filters[key] ?? []), ...values]);
    Object.assign(filters, { [key]: [...all] });
    if (!isLeftOut) named[kind] += 1;
  };
  tokens.forEach((token, at) => {
    const { kind, value, ids = [], stores = [] } = token;
    const isLeftOut = isEntity(token) && isOut(tokens, at);
    if (kind === "song" && (songId === undefined || isLeftOut)) add("songs", ids, isLeftOut);
    else if (kind === "country") add("countries", [value], isLeftOut);
    else if (kind === "store" && stores.length > 0) add("stores", stores, isLeftOut);
    else if (kind === "weekday") {
      const said = [...value].map(Number);
      const days = isLeftOut ? EVERY_DAY.filter((day) => !said.includes(day)) : said;
      filters.weekdays = [...new Set([...(filters.weekdays ?? []), ...days])].sort((a, b) => a - b);
      named.weekdays += 1;
    }
  });
  if (songId !== undefined) filters.songs = [songId];
  return { filters, named };
}

/** Whether a name follows "except", with nothing but other names and "and" between, or stands before 以外. */
function isOut(tokens: readonly Token[], at: number): boolean {
  if (is(tokens[at + 1], "mark", "outside")) return true;
  const except = tokens.slice(0, at).findLastIndex((token) => is(token, "mark", "except"));
  const between = tokens.slice(except + 1, at);
  return (
    except >= 0 && between.every((token) => isEntity(token) || is(token, "mark", "and") || is(token, "noun"))
  );
}

function isEntity({ kind }: Token): boolean {
  return kind === "song" || kind === "country" || kind === "store" || kind === "weekday";
}
