import type { TableName } from "../store/catalog.ts";
import applePlaces from "./formats/apple-places.json" with { type: "json" };
import appleSongs from "./formats/apple-songs.json" with { type: "json" };
import distrokid from "./formats/distrokid-statement.json" with { type: "json" };
import spotifyAudience from "./formats/spotify-audience.json" with { type: "json" };
import spotifyPlaylists from "./formats/spotify-playlists.json" with { type: "json" };
import spotifySongs from "./formats/spotify-songs.json" with { type: "json" };
import spotifyTimeline from "./formats/spotify-timeline.json" with { type: "json" };
import tunecore from "./formats/tunecore-statement.json" with { type: "json" };
import youtubeChart from "./formats/youtube-chart.json" with { type: "json" };
import youtubeTable from "./formats/youtube-table.json" with { type: "json" };
import youtubeTotals from "./formats/youtube-totals.json" with { type: "json" };
import { isUtf8 } from "node:buffer";

/** How a file's text is written. Latin 1 is what is left: any bytes are that. */
type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

/** By the byte-order mark, by where the zero bytes of plain letters stand, or by what UTF-8 allows. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 400);
  const zeros = [0, 1].map((odd) => head.filter((byte, index) => byte === 0 && index % 2 === odd).length);
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even < odd / 4) return "utf-16le";
  if (even > head.length / 4 && odd < even / 4) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "latin1";
}

/** The text of bytes, without a byte-order mark. */
export function decoded(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** The bytes as UTF-8; the very same where they are that already. */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const encoding = encodingOf(bytes);
  return encoding === "utf-8" ? bytes : new TextEncoder().encode(decoded(bytes, encoding));
}

/** How the cells of a column are read (reading.ts). */
export type CellType =
  | "text"
  | "line"
  | "day"
  | "month"
  | "count"
  | "average"
  | "number"
  | "amount"
  | "currency"
  | "country"
  | "isrc";

/** One column of a format. */
interface ColumnFormat {
  /** Its names in files, in every language in which the service writes them. */
  readonly headers: readonly string[];
  /** A name with a currency in it, compared as `levelled` makes it. */
  readonly pattern?: string;
  readonly type: CellType;
  /** For sentences on rows that cannot be read. */
  readonly label: string;
  /** A row may lack it, and so may the file unless it is `present`. */
  readonly optional?: boolean;
  readonly present?: boolean;
  /** It may be below zero: what is returned, and those who leave. */
  readonly signed?: boolean;
}

/** A kind of export, as its file in `formats/` states it. */
export interface Format {
  /** Its first word is that of the store, or of the distributor. */
  readonly kind: string;
  /** For people, in a report. */
  readonly title: string;
  /** What its files are called under an answer. */
  readonly names: { readonly zh: string; readonly en: string };
  readonly table: TableName;
  /** Columns of the table that say the same in every row: the store, the distributor, the currency. */
  readonly constants?: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, ColumnFormat>>;
  /** The song stands in the name of the file only. */
  readonly songInName?: boolean;
  /** No other column may be there. */
  readonly closed?: boolean;
  /** One of these columns must be there. */
  readonly either?: readonly string[];
  /** With a column of this name it is another kind. */
  readonly without?: readonly string[];
  /** Rows that repeat what the others say: sums, and albums beside their songs. */
  readonly omit?: { readonly column: string; readonly values: readonly string[] };
  /** Gives the title where the title's cell is empty. */
  readonly titleFallback?: string;
}

/** In the order in which their songs get ids: those with an ISRC first, names out of file names last. */
export const FORMATS: readonly Format[] = [
  distrokid,
  tunecore,
  spotifySongs,
  appleSongs,
  spotifyAudience,
  spotifyPlaylists,
  applePlaces,
  youtubeTable,
  youtubeChart,
  youtubeTotals,
  spotifyTimeline,
] as readonly Format[];

/** The format of a kind, as files of that kind were imported. */
export function formatOf(kind: string | null): Format | undefined {
  return FORMATS.find((format) => format.kind === kind);
}

/** Where a file has the columns of its format. */
export interface Layout {
  readonly format: Format;
  readonly delimiter: string;
  /** Lines up to the header's last one. */
  readonly headerLines: number;
  readonly width: number;
  /** Index of each column that is there. */
  readonly columns: Readonly<Record<string, number>>;
  /** The currency out of a column's name. */
  readonly currency: string | undefined;
}

/** A title may stand above the header. */
const HEADER_WITHIN = 10;

/** Finds the format of a text by its columns, never by the file's name; undefined when they belong to none. */
export function layoutOf(text: string): Layout | undefined {
  for (const delimiter of [",", "\t", ";"]) {
    const records = firstRecords(text, delimiter, HEADER_WITHIN);
    for (const { cells, line } of records) {
      const found = FORMATS.map((format) => fitted(format, cells)).filter((fit) => fit !== undefined);
      const [best] = found.toSorted(
        (left, right) => Object.keys(right.columns).length - Object.keys(left.columns).length,
      );
      if (best) return { ...best, delimiter, headerLines: line, width: cells.length };
    }
  }
  return undefined;
}

/** A column name without byte-order mark, white space, underscores and case, as headers are compared. */
function levelled(header: string): string {
  return header
    .normalize("NFKC")
    .replaceAll(/[\s_\u200B\uFEFF]/gu, "")
    .toLowerCase();
}

function fitted(
  format: Format,
  header: readonly string[],
): Pick<Layout, "format" | "columns" | "currency"> | undefined {
  const names = header.map(levelled);
  const columns: Record<string, number> = {};
  let currency: string | undefined;
  for (const [name, { headers, pattern, optional, present }] of Object.entries(format.columns)) {
    const known = new Set(headers.map(levelled));
    const expression = pattern === undefined ? undefined : new RegExp(pattern, "u");
    const index = names.findIndex((cell) => known.has(cell) || expression?.test(cell) === true);
    if (index >= 0) {
      columns[name] = index;
      currency ??= expression?.exec(names[index] ?? "")?.groups?.["currency"]?.toUpperCase();
    } else if (optional !== true || present === true) return undefined;
  }
  if (format.closed === true && names.filter((cell) => cell !== "").length > Object.keys(columns).length)
    return undefined;
  if (format.without?.some((header) => names.includes(levelled(header))) === true) return undefined;
  if (format.either?.every((name) => columns[name] === undefined) === true) return undefined;
  return { format, columns, currency };
}

/** The first records of delimited text with the number of the line each ends in. */
function firstRecords(
  text: string,
  delimiter: string,
  count: number,
): readonly { readonly cells: readonly string[]; readonly line: number }[] {
  const records: { cells: string[]; line: number }[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  for (let index = 0; index <= text.length && records.length < count; index += 1) {
    const sign = index < text.length ? text.charAt(index) : "\n";
    if (sign === '"') {
      if (isQuoted && text.charAt(index + 1) === '"') index += 1;
      else isQuoted = !isQuoted;
    } else if (isQuoted) cell += sign;
    else if (sign === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text.charAt(index + 1) === "\n") index += 1;
      cells.push(cell);
      records.push({ cells, line });
      cells = [];
      cell = "";
      line += 1;
    } else cell += sign;
  }
  return records;
}
