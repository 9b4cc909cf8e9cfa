/** One row of a result, by column. Counts come as numbers, days as `yyyy-mm-dd`. */
export type ResultRow = Readonly<Record<string, string | number | boolean | null>>;

/** A text column; empty when there is none. */
export function textOf(row: ResultRow, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

/** A number column; undefined when it is empty. */
export function numberOf(row: ResultRow, column: string): number | undefined {
  const value = row[column];
  return typeof value === "number" ? value : undefined;
}
