import type { Fact, FileFacts, RefusedRow, Row } from "./facts.ts";

/** Reads each row to a fact, or to the sentence that refuses it. Undefined leaves the row out silently. */
export function gather(rows: readonly Row[], read: (row: Row) => Fact | string | undefined): FileFacts {
  const facts: Fact[] = [];
  const refused: RefusedRow[] = [];
  rows.forEach((row, index) => {
    const outcome = read(row);
    if (typeof outcome === "string") refused.push({ row: index + 1, reason: outcome });
    else if (outcome !== undefined) facts.push(outcome);
  });
  return { facts, refused };
}
