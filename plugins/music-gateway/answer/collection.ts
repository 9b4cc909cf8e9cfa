/** What answers are computed from: the statements of an opened database, and what is there. */
export interface Collection {
  readonly source: "sample" | "imports";
  rows(sql: string, parameters?: Parameters): Promise<readonly Row[]>;
  readonly catalog: Catalog;
}

export interface Catalog {
  readonly songs: readonly { readonly id: number; readonly title: string; readonly releasedOn?: string }[];
  readonly stores: readonly string[];
  readonly countries: readonly string[];
  readonly files: readonly { readonly name: string; readonly kind: string; readonly refused: number }[];
}

export type Parameters = Readonly<Record<string, string | number | null>>;
export type Row = Readonly<Record<string, string | number | boolean | null>>;
