import amuse from "./formats/amuse.json" with { type: "json" };
import apple from "./formats/apple.json" with { type: "json" };
import ascap from "./formats/ascap.json" with { type: "json" };
import bandcamp from "./formats/bandcamp.json" with { type: "json" };
import believe from "./formats/believe.json" with { type: "json" };
import bmi from "./formats/bmi.json" with { type: "json" };
import cargo from "./formats/cargo.json" with { type: "json" };
import cdbaby from "./formats/cdbaby.json" with { type: "json" };
import distrokid from "./formats/distrokid.json" with { type: "json" };
import gema from "./formats/gema.json" with { type: "json" };
import imusician from "./formats/imusician.json" with { type: "json" };
import landr from "./formats/landr.json" with { type: "json" };
import mlc from "./formats/mlc.json" with { type: "json" };
import offstep from "./formats/offstep.json" with { type: "json" };
import orchard from "./formats/orchard.json" with { type: "json" };
import prs from "./formats/prs.json" with { type: "json" };
import smartrights from "./formats/smartrights.json" with { type: "json" };
import sonosuite from "./formats/sonosuite.json" with { type: "json" };
import soundcloud from "./formats/soundcloud.json" with { type: "json" };
import spotify from "./formats/spotify.json" with { type: "json" };
import symphonic from "./formats/symphonic.json" with { type: "json" };
import tunecore from "./formats/tunecore.json" with { type: "json" };
import youtube from "./formats/youtube.json" with { type: "json" };
import definitions from "./columns.json" with { type: "json" };
import type { TableName } from "../store/tables.ts";
import { headerMatcher, levelled } from "./headers.ts";

/** The types of the cells of a column (cells.ts). */
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

/** The definition of a column in columns.json, under its name or under table and name. */
interface ColumnDefinition {
  readonly type: CellType;
  /** Whether a row may lack it. */
  readonly optional?: boolean;
  /** Whether it may be negative: returned sales, lost subscribers. */
  readonly signed?: boolean;
}

/** The rows to omit. */
interface Omission {
  readonly column: string;
  readonly values: readonly string[];
  /** Default: the rows repeat the sum of the others. */
  readonly reason?: string;
}

/** A kind of export, as defined by a file in `formats/`. */
interface FormatData {
  /** Starts with the name of the store or of the distributor. */
  readonly kind: string;
  /** The name in reports. */
  readonly title: string;
  /** The name in answers, by language. */
  readonly names: { readonly zh: string; readonly en: string };
  /** The place where its header line is published. */
  readonly source: string;
  /** How to get such a file, in a sentence. */
  readonly download: string;
  readonly table: TableName;
  /** Columns of the table with the same value in every row: the store, the distributor, the currency. */
  readonly constants?: Readonly<Record<string, string>>;
  /** The names of each column in files, in every language that the service uses; `¤` stands for a currency. The first name is used in reports. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Columns that a file may lack. */
  readonly mayLack?: readonly string[];
  /** Columns that answers do not need; `*` stands for any text. */
  readonly ignored?: readonly string[];
  /** Whether only the file's name contains the song. */
  readonly songInName?: boolean;
  /** Whether other columns are forbidden. */
  readonly closed?: boolean;
  /** Columns of which at least one is required. */
  readonly either?: readonly string[];
  /** Columns that identify another kind. */
  readonly without?: readonly string[];
  readonly omit?: Omission;
  /** Rows of whole albums: their titles are marked, since no song was sold. */
  readonly albums?: { readonly column: string; readonly values: readonly string[] };
  /** The column that gives the title if the title's cell is empty. */
  readonly titleFallback?: string;
  /** Columns that the service does not provide in its all-time table and fills with 0: if the first is 0 in all rows, it is that table. */
  readonly zeroInAllTime?: readonly string[];
}

/** One column of a format. */
export interface ColumnFormat extends ColumnDefinition {
  /** Whether a column name in a file matches this column, and the currency in that name. */
  readonly match: (name: string) => { readonly currency?: string } | undefined;
  /** The name in reports and in reasons for unreadable rows. */
  readonly label: string;
  readonly mayLack: boolean;
}

export interface Format extends Omit<FormatData, "columns" | "ignored" | "without" | "mayLack"> {
  readonly columns: Readonly<Record<string, ColumnFormat>>;
  readonly isIgnored: (name: string) => boolean;
  readonly without: ReadonlySet<string>;
}

/** How the columns of a table without a known format are read. */
export interface Mapping {
  /** Pairs such as `Title=Track name,Amount=Net`, as `--map` takes them. */
  readonly columns: string;
  /** Its header line, from `keyOf` in mapping.ts; without it, the first line with the columns is the header. */
  readonly header?: string;
}

/** The positions of a format's columns in a file. */
export interface Layout {
  readonly format: Format;
  readonly delimiter: string;
  /** The number of lines up to the end of the header. */
  readonly headerLines: number;
  /** The offset of the byte after the header. */
  readonly dataStart: number;
  readonly width: number;
  /** The index of each column in the file. */
  readonly columns: Readonly<Record<string, number>>;
  /** The currency of all amounts, if no column contains it. */
  readonly currency: string | undefined;
  /** The mapping of a table without a known format. */
  readonly mapping?: Mapping;
}

/** How a column of a table is read. */
export function definitionOf(table: TableName, column: string): ColumnDefinition {
  const all = definitions as Readonly<Record<string, ColumnDefinition | undefined>>;
  return all[`${table}.${column}`] ?? all[column] ?? { type: "text", optional: true };
}

const NAMED: ReadonlySet<CellType> = new Set(["count", "average", "number", "amount"]);

/** The name of a column in messages. */
export function labelOf(type: CellType, header: string): string {
  return NAMED.has(type) ? header : `the ${header}`;
}

function formatOfData(data: FormatData): Format {
  const { columns, ignored = [], without = [], mayLack = [], ...rest } = data;
  const ignores = ignored.map((name) => headerMatcher(name));
  const entries = Object.entries(columns).map(([name, headers]): [string, ColumnFormat] => {
    const definition = definitionOf(data.table, name);
    const matchers = headers.map((header) => headerMatcher(header));
    const match = (cell: string): { readonly currency?: string } | undefined => {
      for (const matcher of matchers) {
        const found = matcher(cell);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    const header = (headers[0] ?? name).replace(/ \(?¤\)?$/u, "");
    const label = labelOf(definition.type, header);
    return [name, { ...definition, match, label, mayLack: mayLack.includes(name) }];
  });
  return {
    ...rest,
    columns: Object.fromEntries(entries),
    isIgnored: (name) => ignores.some((matcher) => matcher(name) !== undefined),
    without: new Set(without.map(levelled)),
  };
}

/** Songs get their ids in the order of the formats: with ISRCs first, with names from file names last. */
function rankOf({ table, columns, songInName }: FormatData): number {
  if (table === "sale") return columns["isrc"] === undefined ? 1 : 0;
  return songInName === true ? 3 : 2;
}

const DATA = [
  distrokid,
  tunecore,
  amuse,
  bandcamp,
  believe,
  cargo,
  cdbaby,
  imusician,
  landr,
  offstep,
  orchard,
  smartrights,
  sonosuite,
  soundcloud,
  symphonic,
  ascap,
  bmi,
  gema,
  mlc,
  prs,
  spotify,
  apple,
  youtube,
].flat() as readonly FormatData[];

export const FORMATS: readonly Format[] = DATA.toSorted((left, right) => rankOf(left) - rankOf(right)).map(
  formatOfData,
);
