import type { Measure, Split } from "../question/query.ts";
import data from "./sources.json" with { type: "json" };

/** A table of figures: what can be asked of it. Every identifier of a statement stands in sources.json. */
export interface Source {
  readonly table: keyof typeof data.tables;
  /** day and month: a series. window: sums of the days a file covers. */
  readonly grain: "day" | "month" | "window";
  /** Columns, or constants, by what figures are split or narrowed by. */
  readonly columns: Readonly<Partial<Record<Split, string>>>;
  /** Kinds of file the figures come from. */
  readonly kinds: readonly string[];
}

/** Where a measure stands, and how it is brought together over days: last is the figure of the last day. */
export interface Candidate {
  readonly source: Source;
  readonly column: string;
  readonly how: "sum" | "average" | "last" | "gained";
  /** Currency column of amounts of money. */
  readonly currency?: string;
  /** Units that stand for plays, only for figures by country or store. */
  readonly isOfStatements?: boolean;
}

/** Where a measure is looked for, in this order. */
export function candidatesOf(measure: Measure): readonly Candidate[] {
  return data.measures[measure].map(({ table, ...rest }) => {
    const source = { table, ...data.tables[table as Source["table"]] } as Source;
    return { how: "sum", ...rest, source } as Candidate;
  });
}
