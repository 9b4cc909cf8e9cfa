/** The number of line endings of each kind. */
export interface LineEnds {
  lf: number;
  crlf: number;
  cr: number;
}

/** One record: the first and the last byte of each cell without its quotes, in arrays that the next record reuses. */
export interface TableRecord {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  cells: number;
  /** Whether a quoted cell has no closing quote, or text after it. */
  isBroken: boolean;
  /** The offset of the next record. */
  next: number;
}

const [QUOTE, LF, CR] = [34, 10, 13];

/** The maximum number of cells that are kept per record; further ones are only counted. */
const MOST_CELLS = 512;

/**
 * Reads delimited UTF-8 record by record without DuckDB, as a check of DuckDB's figures. `quote` is empty if quotes are ordinary
 * characters. The visitor returns `false` to stop.
 */
export function readRecords(
  bytes: Uint8Array,
  from: number,
  { delimiter, quote }: { readonly delimiter: string; readonly quote: string },
  visit: (record: TableRecord) => boolean,
): LineEnds {
  const lineEnds = { lf: 0, crlf: 0, cr: 0 };
  const separator = delimiter.charCodeAt(0);
  const mark = quote === "" ? -1 : QUOTE;
  const length = bytes.length;
  const [starts, ends] = [new Int32Array(MOST_CELLS), new Int32Array(MOST_CELLS)];
  const record: TableRecord = { starts, ends, cells: 0, isBroken: false, next: from };
  let at = from;
  while (at < length) {
    let cells = 0;
    record.isBroken = false;
    for (;;) {
      let start = at;
      let end = at;
      if (bytes[at] === mark) {
        start += 1;
        end = closingQuote(bytes, start);
        at = end + 1;
        if (end === length || !isEnd(bytes[at], separator)) {
          record.isBroken = true;
          while (!isEnd(bytes[at], separator)) at += 1;
        }
      } else {
        for (;;) {
          const byte = bytes[at];
          if (byte === separator || byte === LF || byte === CR || byte === undefined) break;
          at += 1;
        }
        end = at;
      }
      if (cells < MOST_CELLS) {
        starts[cells] = start;
        ends[cells] = end;
      }
      cells += 1;
      if (bytes[at] !== separator) break;
      at += 1;
    }
    if (bytes[at] === LF) lineEnds.lf += 1;
    else if (bytes[at] === CR && bytes[at + 1] === LF) {
      lineEnds.crlf += 1;
      at += 1;
    } else if (bytes[at] === CR) lineEnds.cr += 1;
    at += 1;
    record.cells = cells;
    record.next = at;
    if (!visit(record)) break;
  }
  return lineEnds;
}

function isEnd(byte: number | undefined, separator: number): boolean {
  return byte === separator || byte === LF || byte === CR || byte === undefined;
}

/** The position of the closing quote of a cell, after any doubled quotes; the length of the text if there is none. */
function closingQuote(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return bytes.length;
    if (bytes[at + 1] !== QUOTE) return at;
  }
}

/** The text of a cell. */
export function cellText(bytes: Uint8Array, { starts, ends }: TableRecord, cell: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "utf8",
    starts[cell],
    ends[cell],
  );
  return bytes[(starts[cell] ?? 0) - 1] === QUOTE ? text.replaceAll('""', '"') : text;
}
