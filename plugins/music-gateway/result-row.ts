import type { ResultRow } from "./store/database.ts";
export type { ResultRow } from "./store/database.ts";
export function textOf(row: ResultRow, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}
export function numberOf(row: ResultRow, column: string): number | undefined {
  const value = row[column];
  return typeof value === "number" ? value : undefined;
}
