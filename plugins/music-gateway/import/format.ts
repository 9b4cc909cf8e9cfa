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
import meanings from "./meanings.json" with { type: "json" };
import { SkillError, quotedName } from "skillctl";
import { cellText, readRecords } from "./records.ts";

/** How the cells of a column are read (reading.ts). */
export type CellType =
  | "text"
  | "line"
  | "day"
  | "month"
  | "stamp"
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
  /** How to get such a file, as a sentence. */
  readonly download: string;
  readonly table: TableName;
  /** Columns of the table that say the same in every row: the store, the distributor, the currency. */
  readonly constants?: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, ColumnFormat>>;
  /** The song stands in the name of the file only. */
  readonly songInName?: boolean;
  /** No other column may be there. */
  readonly closed?: boolean;
  /** Columns that it has and no answer needs: an expression over names as `levelled` makes them. */
  readonly ignored?: string;
  /** One of these columns must be there. */
  readonly either?: readonly string[];
  /** With a column of this name it is another kind. */
  readonly without?: readonly string[];
  /** Rows that repeat the sum of the others. */
  readonly omit?: { readonly column: string; readonly values: readonly string[] };
  /** Rows of whole albums: their titles are marked, since no song has sold there. */
  readonly albums?: { readonly column: string; readonly values: readonly string[] };
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
  /** The byte behind the header. */
  readonly dataStart: number;
  readonly width: number;
  /** Index of each column that is there. */
  readonly columns: Readonly<Record<string, number>>;
  /** The currency out of a column's name. */
  readonly currency: string | undefined;
}

/** A title may stand above the header. */
const HEADER_WITHIN = 10;

interface HeaderLine {
  readonly cells: readonly string[];
  readonly names: readonly string[];
  readonly delimiter: string;
  readonly headerLines: number;
  readonly dataStart: number;
}

/**
 * Finds the format of UTF-8 text by its columns, never by the file's name.
 * @throws SkillError `GATEWAY_FILE_UNKNOWN` when they belong to none, or one that carries meaning has no place in it.
 */
export function layoutOf(bytes: Uint8Array): Layout {
  const lines = [",", "\t", ";"].flatMap((delimiter) => firstRecords(bytes, delimiter));
  for (const line of lines) {
    const found = FORMATS.map((format) => fitted(format, line.names)).filter((fit) => fit !== undefined);
    const [best] = found.toSorted(
      (left, right) => Object.keys(right.columns).length - Object.keys(left.columns).length,
    );
    if (best === undefined) continue;
    const { cells, names, ...place } = line;
    const unplaced = names.findIndex((_, index) => isUnplaced(line, index, best));
    if (unplaced < 0) return { ...best, ...place, width: cells.length };
    const { title, download } = best.format;
    throw refusal(
      `Its column ${quotedName(cells[unplaced]?.trim() ?? "")} is not part of the format ${title}, and figures read without it would be wrong. ${download}`,
    );
  }
  throw refusal(nearestOf(lines));
}

/** How many cells of the first lines are names of columns that are known. */
export function knownCells(text: string): number {
  const bytes = new TextEncoder().encode(text.slice(0, 8192));
  const lines = [",", "\t", ";"].flatMap((delimiter) => firstRecords(bytes, delimiter));
  return Math.max(0, ...lines.map(({ names }) => names.filter((name) => isKnown(name)).length));
}

/** A column name without byte-order mark, white space, underscores and case, as headers are compared. */
function levelled(header: string): string {
  return header
    .normalize("NFKC")
    .replaceAll(/[\s_\u200B\uFEFF]/gu, "")
    .toLowerCase();
}

type Fit = Pick<Layout, "format" | "columns" | "currency">;

function fitted(format: Format, names: readonly string[]): Fit | undefined {
  const { columns, currency } = placed(format, names);
  const lacks = Object.entries(format.columns).some(
    ([name, { optional, present }]) => columns[name] === undefined && (optional !== true || present === true),
  );
  if (lacks) return undefined;
  if (format.closed === true && names.filter((name) => name !== "").length > Object.keys(columns).length)
    return undefined;
  if (format.without?.some((header) => names.includes(levelled(header))) === true) return undefined;
  if (format.either?.every((name) => columns[name] === undefined) === true) return undefined;
  return { format, columns, currency };
}

function placed(format: Format, names: readonly string[]): Pick<Layout, "columns" | "currency"> {
  const columns: Record<string, number> = {};
  let currency: string | undefined;
  for (const [name, { headers, pattern }] of Object.entries(format.columns)) {
    const known = new Set(headers.map(levelled));
    const expression = pattern === undefined ? undefined : new RegExp(pattern, "u");
    const index = names.findIndex((cell) => known.has(cell) || expression?.test(cell) === true);
    if (index < 0) continue;
    columns[name] = index;
    currency ??= expression?.exec(names[index] ?? "")?.groups?.["currency"]?.toUpperCase();
  }
  return { columns, currency };
}

/** Whether a column carries meaning and the format neither reads nor ignores it. */
function isUnplaced({ cells, names }: HeaderLine, index: number, { format, columns }: Fit): boolean {
  if (Object.values(columns).includes(index)) return false;
  if (format.ignored !== undefined && new RegExp(`^(?:${format.ignored})$`, "u").test(names[index] ?? ""))
    return false;
  const header = (cells[index] ?? "").normalize("NFKC").toLowerCase();
  const own = new Set(header.split(/[^\p{L}]+/u));
  return Object.values(meanings).some(
    ({ words, parts }) => parts.some((part) => header.includes(part)) || words.some((word) => own.has(word)),
  );
}

function isKnown(name: string): boolean {
  return name !== "" && FORMATS.some((format) => Object.keys(placed(format, [name]).columns).length > 0);
}

/** What the columns are, and what the nearest format has beyond them. */
function nearestOf(lines: readonly HeaderLine[]): string {
  const candidates = lines.flatMap(({ cells, names }) =>
    FORMATS.map((format) => {
      const { columns } = placed(format, names);
      const lacking = Object.entries(format.columns).filter(
        ([name, { optional, present }]) =>
          columns[name] === undefined && (optional !== true || present === true),
      );
      return {
        format,
        cells,
        count: Object.keys(columns).length,
        lacking: lacking.map(([, { label }]) => label),
      };
    }),
  );
  const [best] = candidates.toSorted(
    (left, right) => right.count - left.count || left.lacking.length - right.lacking.length,
  );
  if (best === undefined || best.count === 0) {
    const known = FORMATS.map(({ title }) => title).join(", ");
    return `Its columns belong to no kind that is known here (${known}).`;
  }
  const { format, cells, lacking } = best;
  const seen = cells.slice(0, 20).map((cell) => quotedName(cell.trim().slice(0, 40)));
  const more = cells.length > seen.length ? ` and ${cells.length - seen.length} more` : "";
  const lacks = lacking.length === 0 ? "has other columns" : `also has ${lacking.join(", ")}`;
  return `Its columns are ${seen.join(", ")}${more}. The nearest kind is the ${format.title}, which ${lacks}. ${format.download}`;
}

/** The first records of delimited text. */
function firstRecords(bytes: Uint8Array, delimiter: string): readonly HeaderLine[] {
  const records: HeaderLine[] = [];
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let [lines, from] = [0, start];
  readRecords(bytes, start, { delimiter, quote: '"' }, (record) => {
    const cells = Array.from({ length: Math.min(record.cells, record.starts.length) }, (_, cell) =>
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

function refusal(sentence: string): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", sentence, {
    hint: "docs/music-gateway.md lists the exports that can be read.",
  });
}
