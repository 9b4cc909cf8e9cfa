import model from "./model.json" with { type: "json" };
import type { Column } from "./answer/rectangle.ts";
import { quoted } from "./store/database.ts";
import type { Span } from "./store/spans.ts";
import type { Filters, Measure, Split } from "./question/query.ts";

/** A table of figures and its possible queries. Every SQL identifier is defined in model.json. */
export interface Source {
  readonly table: keyof typeof model.tables;
  /** For a part of a table: that table, and the dimension of its rows. */
  readonly base?: string;
  readonly of?: string;
  /** The dimension that a question must name: otherwise, these rows are only part of the figures. */
  readonly only?: Split;
  /** day and month: a time series. window: sums of the days that a file covers. */
  readonly grain: "day" | "month" | "window";
  /** For sums of a window: the window to read. */
  readonly span?: Span;
  /** The columns or constants by which figures are split or filtered. */
  readonly dimensions: Readonly<Partial<Record<Split, string>>>;
}

/** The location of a measure, and how its figures are aggregated over days: last is the figure of the last day. */
export interface Candidate {
  readonly source: Source;
  readonly column: string;
  readonly how: "sum" | "average" | "last" | "gained" | "ratio";
  /** For a ratio: the column of the divisor, and the factor of the quotient. */
  readonly per?: string;
  readonly times?: number;
  /** The currency column of amounts of money. */
  readonly currency?: string;
  /** Whether units replace plays, only for figures by country or store. */
  readonly isOfStatements?: boolean;
}

interface MeasureEntry {
  readonly unit: Column["unit"];
  readonly sources?: readonly (Omit<Candidate, "source" | "how"> & {
    readonly table: Source["table"];
    readonly how?: Candidate["how"];
  })[];
  readonly quotient?: {
    readonly of: Measure;
    readonly per: Measure;
    /** The key of the words that name the divisor. */
    readonly word: string;
    readonly times?: number;
  };
}

const ENTRIES = model.measures as unknown as Readonly<Record<Measure, MeasureEntry>>;
export const MEASURES = Object.keys(ENTRIES) as readonly Measure[];

/** The dimension that each filter applies to. */
export const FILTERED = {
  songs: "song",
  countries: "country",
  cities: "city",
  stores: "store",
  distributors: "distributor",
  currencies: "currency",
} as const satisfies Readonly<Partial<Record<keyof Filters, Split>>>;
export type FilterName = keyof typeof FILTERED;
/** The corresponding filter that excludes values. */
export const WITHOUT = {
  songs: "withoutSongs",
  countries: "withoutCountries",
  cities: "withoutCities",
  stores: "withoutStores",
  distributors: "withoutDistributors",
  currencies: "withoutCurrencies",
} as const satisfies Readonly<Record<FilterName, keyof Filters>>;
export const FILTER_NAMES = Object.keys(FILTERED) as readonly FilterName[];

/** The filter that selects values of a split. */
export function filterOf(split: string | undefined): FilterName | undefined {
  return FILTER_NAMES.find((name) => FILTERED[name] === split);
}

/** The candidates for a measure, in order of preference: quotients in each table with both measures. */
export function candidatesOf(measure: Measure): readonly Candidate[] {
  const { sources = [], quotient } = ENTRIES[measure];
  if (quotient === undefined)
    return sources.map(({ table, ...rest }) => ({ how: "sum", ...rest, source: sourceOf(table) }));
  const per = candidatesOf(quotient.per);
  return candidatesOf(quotient.of).flatMap(({ isOfStatements, ...one }): readonly Candidate[] => {
    const other = per.find(({ source }) => source.table === one.source.table);
    if (other === undefined || other.isOfStatements === true || isOfStatements === true) return [];
    return [{ ...one, how: "ratio", per: other.column, times: quotient.times ?? 1 }];
  });
}

export const SOURCES: readonly Source[] = (Object.keys(model.tables) as readonly Source["table"][]).map(
  sourceOf,
);

export function unitOf(measure: Measure): Column["unit"] {
  return ENTRIES[measure].unit;
}

export function isQuotient(measure: Measure): boolean {
  return ENTRIES[measure].quotient !== undefined;
}

/** The quotient of a measure and the measure that the words of this key name: income and `play`. */
export function quotientOf(of: Measure, word: string): Measure | undefined {
  return MEASURES.find((name) => {
    const { quotient } = ENTRIES[name];
    return quotient?.of === of && quotient.word === word;
  });
}

/** A source as an SQL relation. */
export function relationOf({ table, base, of, grain, span }: Source): string {
  const part = [
    ...(base === undefined
      ? []
      : [`dimension = '${of}'`, `date IS ${grain === "day" ? "NOT NULL" : "NULL"}`]),
    ...(span === undefined ? [] : [`span = ${quoted(span)}`]),
  ];
  return part.length === 0 ? table : `(SELECT * FROM ${base ?? table} WHERE ${part.join(" AND ")})`;
}

/** Whether a file of a format fills a source. */
export function isFilledBy(
  { table, base, of, grain, span }: Source,
  file: { readonly span: Span | null },
  format: { readonly table: string; readonly constants?: Readonly<Record<string, string>> } | undefined,
): boolean {
  const isOfGrain =
    (grain === "window") === (file.span !== null) && (span === undefined || span === file.span);
  return (
    format?.table === (base ?? table) &&
    isOfGrain &&
    (of === undefined || format.constants?.["dimension"] === of)
  );
}

function sourceOf(table: Source["table"]): Source {
  return { table, ...model.tables[table] } as Source;
}
