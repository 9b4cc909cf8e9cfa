import type { FilesOutput } from "../contract.ts";
import type { Database, Parameters, ResultRow } from "./database.ts";
import { SPANNED } from "./tables.ts";

/** An imported or sample file. */
export type CatalogFile = FilesOutput["files"][number];

/** The songs, stores, places and files of a collection. */
export interface Catalog {
  readonly songs: readonly {
    readonly id: number;
    readonly title: string;
    /** yyyy-mm-dd, if a file states it. */
    readonly released?: string | null;
  }[];
  /** All stores in the files, by name. */
  readonly stores: readonly string[];
  /** ISO 3166 codes of all countries in the files. */
  readonly countries: readonly string[];
  /** All cities in the files, as spelled there. */
  readonly cities: readonly string[];
  readonly files: readonly CatalogFile[];
}

/** An opened collection. */
export interface Collection {
  readonly source: "sample" | "imports";
  /** Returns the rows of a statement with named parameters (`$name`), which casts dates and decimals to text. */
  readonly rows: (sql: string, parameters?: Parameters) => Promise<readonly ResultRow[]>;
  readonly catalog: Catalog;
}

const STORES = [
  ...["song_day", "account_day", "song_total", "place_total", "city_total", "playlist", "sale"].map(
    (table) => `SELECT store AS name FROM ${table}`,
  ),
  ...["video", "video_day"].map((table) => `(SELECT 'YouTube' AS name FROM ${table} LIMIT 1)`),
];
const COUNTRIES = ["sale", "place_total", "city_total"].map(
  (table) => `SELECT country AS name FROM ${table}`,
);
const CITIES = [
  "SELECT city AS name FROM city_total",
  "SELECT member AS name FROM view_group WHERE dimension = 'city'",
];
const named = (tables: readonly string[]): string =>
  `(SELECT list(DISTINCT name ORDER BY name) FROM (${tables.join(" UNION ")}) WHERE name IS NOT NULL)`;
const CATALOG = `to_json({
  'songs': (SELECT list({ 'id': id, 'title': title, 'released': released_on::VARCHAR } ORDER BY id) FROM song),
  'stores': ${named(STORES)},
  'countries': ${named(COUNTRIES)},
  'cities': ${named(CITIES)},
  'files': (
    SELECT list({
      'id': id, 'name': name, 'kind': kind, 'rows': "rows", 'refusedRows': refused, 'reasons': reasons::JSON,
      'window': CASE WHEN first_day IS NOT NULL THEN { 'from': first_day::VARCHAR, 'to': last_day::VARCHAR } END,
      'span': CASE WHEN id IN (${SPANNED.map((table) => `SELECT file FROM ${table}`).join(" UNION ")}) THEN span END,
      'receipt': receipt::JSON
    } ORDER BY id) FROM file)
})`;

/** Derives the catalogue from the tables and stores it, so that questions can reuse it. */
export async function storeCatalog(database: Database): Promise<void> {
  await database.run("DELETE FROM meta");
  await database.run(`INSERT INTO meta SELECT 'catalog', ${CATALOG}::VARCHAR`);
}

/** The stored catalogue. @throws Error before the first import */
export async function loadCatalog(database: Database): Promise<Catalog> {
  const [row] = await database.rows("SELECT value FROM meta WHERE name = 'catalog'");
  const kept = JSON.parse(String(row?.["value"])) as { [key in keyof Catalog]: Catalog[key] | null };
  const { songs, stores, countries, cities, files } = kept;
  return {
    songs: songs ?? [],
    stores: stores ?? [],
    countries: countries ?? [],
    cities: cities ?? [],
    files: files ?? [],
  };
}
