import { levelled } from "./headers.ts";
import { cellText, readRecords } from "./records.ts";

/** One of the first lines of a file, which may be its header. */
export interface HeaderLine {
  readonly cells: readonly string[];
  /** The cells after `levelled`. */
  readonly names: readonly string[];
  readonly delimiter: string;
  /** The number of lines up to the end of this one. */
  readonly headerLines: number;
  /** The offset of the byte after this line. */
  readonly dataStart: number;
}

/** How many lines are examined, since a title may precede the header. */
const HEADER_WITHIN = 10;

/** The maximum number of bytes of a cell that are examined: no column name is longer. */
const LONGEST_NAME = 1024;

/** The first lines of UTF-8 text, split by each separator. */
export function headerLinesOf(bytes: Uint8Array): readonly HeaderLine[] {
  return [",", "\t", ";"].flatMap((delimiter) => firstRecords(bytes, delimiter));
}

function firstRecords(bytes: Uint8Array, delimiter: string): readonly HeaderLine[] {
  const records: HeaderLine[] = [];
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let [lines, from] = [0, start];
  readRecords(bytes, start, { delimiter, quote: '"' }, (record) => {
    const { starts, ends } = record;
    for (const [cell, start] of starts.entries())
      ends[cell] = Math.min(ends[cell] ?? 0, start + LONGEST_NAME);
    const cells = Array.from({ length: Math.min(record.cells, starts.length) }, (_, cell) =>
      cellText(bytes, record, cell),
    );
    for (let at = from; at < record.next; at += 1)
      if (bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] !== 10)) lines += 1;
    from = record.next;
    const names = cells.map(levelled);
    records.push({ cells, names, delimiter, headerLines: lines, dataStart: from });
    return records.length < HEADER_WITHIN;
  });
  return records;
}
