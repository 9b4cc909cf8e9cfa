import type { FilesOutput } from "../contract.ts";
import type { DayRange } from "../question/day.ts";
import type { Database, Parameters, ResultRow } from "./database.ts";

/** What a file is. */
export type Kind = FilesOutput["files"][number]["kind"];

/** A file that answers. */
export interface CatalogFile {
  readonly id: number;
  readonly name: string;
  readonly kind: Kind;
  readonly rows: number;
  readonly refused: number;
  readonly reasons: readonly string[];
  readonly days: DayRange | null;
}

/** What a collection holds. */
export interface Catalog {
  readonly songs: readonly { readonly id: number; readonly title: string; readonly releasedOn?: string }[];
  /** All that occur, by name. */
  readonly stores: readonly string[];
  /** ISO 3166 codes, all that occur. */
  readonly countries: readonly string[];
  /** The days of each table that has rows; of sales up to the last day of the last month. */
  readonly days: {
    readonly [table in "song_day" | "account_day" | "video_day" | "sale"]?: DayRange;
  };
  readonly files: readonly CatalogFile[];
}

/** An opened collection. */
export interface Collection {
  readonly source: "sample" | "imports";
  /** Rows of a statement with named parameters (`$name`); dates and decimals are cast to text by the statement. */
  readonly rows: (sql: string, parameters?: Parameters) => Promise<readonly ResultRow[]>;
  readonly catalog: Catalog;
}

const STORES = ["song_day", "account_day", "song_total", "place_total", "playlist", "sale"];

/** Reads the catalogue off the tables. */
async function takeCatalog(database: Database): Promise<Catalog> {
  const rows = (sql: string): Promise<readonly ResultRow[]> => database.rows(sql);
  const texts = async (sql: string): Promise<readonly string[]> =>
    (await rows(sql)).map((row) => String(row["value"]));
  const songs = await rows("SELECT id, title, released_on::VARCHAR AS day FROM song ORDER BY id");
  const files = await rows(
    "SELECT id, name, kind, rows, refused, reasons, first_day::VARCHAR AS first, last_day::VARCHAR AS last FROM file ORDER BY id",
  );
  const days: Record<string, DayRange> = {};
  for (const [table, first, last] of [
    ["song_day", "min(date)", "max(date)"],
    ["account_day", "min(date)", "max(date)"],
    ["video_day", "min(date)", "max(date)"],
    ["sale", "min(month)", "last_day(max(month))"],
  ] as const) {
    const [row] = await rows(`SELECT ${first}::VARCHAR AS first, (${last})::VARCHAR AS last FROM ${table}`);
    const range = rangeOf(row);
    if (range !== null) days[table] = range;
  }
  const named = STORES.map((table) => `SELECT store AS value FROM ${table}`);
  const ofVideos = ["video", "video_day"].map((table) => `(SELECT 'YouTube' AS value FROM ${table} LIMIT 1)`);
  return {
    songs: songs.map((row) => ({
      id: Number(row["id"]),
      title: String(row["title"]),
      ...(typeof row["day"] === "string" && { releasedOn: row["day"] }),
    })),
    stores: await texts(
      `SELECT value FROM (${[...named, ...ofVideos].join(" UNION ")}) WHERE value IS NOT NULL ORDER BY value`,
    ),
    countries: await texts(
      "SELECT value FROM (SELECT country AS value FROM sale UNION SELECT country FROM place_total) WHERE value IS NOT NULL ORDER BY value",
    ),
    days,
    files: files.map((row) => ({
      id: Number(row["id"]),
      name: String(row["name"]),
      kind: String(row["kind"]) as Kind,
      rows: Number(row["rows"]),
      refused: Number(row["refused"]),
      reasons: JSON.parse(String(row["reasons"])) as readonly string[],
      days: rangeOf(row),
    })),
  };
}

/** Keeps the catalogue in the database, so that a question need not gather it. */
export async function storeCatalog(database: Database): Promise<void> {
  const value = JSON.stringify(await takeCatalog(database));
  await database.run("DELETE FROM meta");
  await database.run("INSERT INTO meta VALUES ('catalog', $value)", { value });
}

/** The catalogue that the database keeps. @throws Error when it has none. */
export async function loadCatalog(database: Database): Promise<Catalog> {
  const [row] = await database.rows("SELECT value FROM meta WHERE name = 'catalog'");
  return JSON.parse(String(row?.["value"])) as Catalog;
}

function rangeOf(row: ResultRow | undefined): DayRange | null {
  const [from, to] = [row?.["first"], row?.["last"]];
  return typeof from === "string" && typeof to === "string" ? { from, to } : null;
}
