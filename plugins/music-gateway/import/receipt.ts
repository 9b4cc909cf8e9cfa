import type { FilesOutput } from "../contract.ts";

/** The stored rows and sums of a file, and those of the file itself. */
export type Receipt = NonNullable<FilesOutput["files"][number]["receipt"]>;
export type LeftOut = Receipt["leftOut"][number];

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The reason for omitting rows that total the others. */
export const REPEATS = "the row repeats the sum of the others";

/** The lines below a file in a report: stored sums and omitted rows. */
export function receiptLines({ sums, leftOut, currencies }: Receipt): readonly string[] {
  const stored = sums.map((one) => `${plain(one.column)} ${one.stored}`);
  const money = currencies.length === 0 ? "" : ` (${currencies.join(", ")})`;
  const rest = leftOut.flatMap(({ reason, rows, sums: own }) => {
    const lost = own.filter(({ sum }) => sum !== "0").map(({ column, sum }) => `${plain(column)} ${sum}`);
    const line = `left out: ${counted(rows, "row")}, because ${reason}${lost.length === 0 ? "" : ` (${lost.join(", ")})`}`;
    return [line, ...(reason === REPEATS ? partLines(sums, own) : [])];
  });
  return [...(stored.length === 0 ? [] : [`stored: ${stored.join(", ")}${money}`]), ...rest];
}

/** The columns whose rows hold only part of the file's total, in per cent. */
export function partsOf(
  receipt: Receipt | null,
): readonly { readonly column: string; readonly percent: number }[] {
  const totals = receipt?.leftOut.filter(({ reason }) => reason === REPEATS) ?? [];
  return totals.flatMap((one) => partOf(receipt?.sums ?? [], one.sums));
}

function partOf(
  sums: Receipt["sums"],
  totals: LeftOut["sums"],
): readonly { readonly column: string; readonly percent: number }[] {
  return totals.flatMap(({ column, sum }) => {
    const stored = sums.find((one) => one.column === column)?.stored ?? "0";
    if (Number(sum) <= 0 || Number(stored) >= Number(sum)) return [];
    return [{ column: plain(column), percent: (100 * Number(stored)) / Number(sum) }];
  });
}

function partLines(sums: Receipt["sums"], totals: LeftOut["sums"]): readonly string[] {
  const parts = partOf(sums, totals).map(({ column, percent }) => `${percent.toFixed(1)} % of its ${column}`);
  return parts.length === 0 ? [] : [`the rows hold only ${parts.join(", ")}`];
}

function plain(column: string): string {
  return column.replace(/^the /u, "");
}
