import type { FilesOutput } from "../contract.ts";

/** What was read out of a file, held against what the file has. */
export type Receipt = NonNullable<FilesOutput["files"][number]["receipt"]>;
export type LeftOut = Receipt["leftOut"][number];

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The reason of rows that sum up the others. */
export const REPEATS = "the row repeats the sum of the others";

/** The lines under a file in a report: its sums, and what of them is left out. */
export function receiptLines({ sums, leftOut, currencies }: Receipt): readonly string[] {
  const stored = sums.map((one) => `${plain(one.column)} ${one.stored}`);
  const money = currencies.length === 0 ? "" : ` (${currencies.join(", ")})`;
  const rest = leftOut.flatMap(({ reason, rows, sums: own }) => {
    const lost = own.filter(({ sum }) => sum !== "0").map(({ column, sum }) => `${plain(column)} ${sum}`);
    const line = `left out: ${counted(rows, "row")}, because ${reason}${lost.length === 0 ? "" : ` (${lost.join(", ")})`}`;
    return reason === REPEATS ? [line, ...partOf(sums, own)] : [line];
  });
  return [...(stored.length === 0 ? [] : [`stored: ${stored.join(", ")}${money}`]), ...rest];
}

/** Where the rows are a part only of what the sum row says. */
function partOf(sums: Receipt["sums"], totals: LeftOut["sums"]): readonly string[] {
  const parts = totals.flatMap(({ column, sum }) => {
    const stored = sums.find((one) => one.column === column)?.stored ?? "0";
    if (Number(sum) <= 0 || Number(stored) >= Number(sum)) return [];
    return [`${((100 * Number(stored)) / Number(sum)).toFixed(1)} % of its ${plain(column)}`];
  });
  return parts.length === 0 ? [] : [`the rows hold only ${parts.join(", ")}`];
}

function plain(column: string): string {
  return column.replace(/^the /u, "");
}
