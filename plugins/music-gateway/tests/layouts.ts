import layouts from "./layouts.json" with { type: "json" };

/** How a column of a made-up export is written. name: a text that no other row has. other: cells that are not read. */
type LayoutColumnType = "name" | "text" | "isrc" | "day" | "month" | "count" | "amount" | "other";

/** A made-up export in the layout of a service, with totals that were computed from its rows by another program. */
export interface ExportLayout {
  readonly layout: string;
  readonly file: string;
  readonly kind: string;
  readonly separator: string;
  /** Lines above the header. */
  readonly above: readonly string[];
  readonly columns: readonly { readonly header: string; readonly type: LayoutColumnType }[];
  readonly rows: readonly (readonly string[])[];
  readonly control: {
    readonly rows: number;
    readonly leftOut: number;
    /** Totals of the columns of counts and amounts, in their order in the file. */
    readonly sums: readonly string[];
    readonly currencies: readonly string[];
  };
}

export const LAYOUTS = layouts as readonly ExportLayout[];

/** The text of an export. */
export function exportText({ separator, above, columns, rows }: ExportLayout): string {
  const quoted = (cell: string): string => (cell.includes(separator) ? `"${cell}"` : cell);
  const table = [columns.map(({ header }) => header), ...rows];
  return `${[...above, ...table.map((cells) => cells.map(quoted).join(separator))].join("\n")}\n`;
}
