import type { FilesOutput } from "../contract.ts";
import type { Database, Parameters, ResultRow } from "./database.ts";
import tables from "./tables.json" with { type: "json" };

/** Part of the name of every database file: another layout or another reading of a format that is there, another file. */
export const LAYOUT = "4";

/** A table that imports fill: days, counts and sums; what a file does not have is NULL. They stand in tables.json. */
interface Table {
  /** The columns that a file can give, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** What makes two rows the same one: that of the later file stays. Sales have none. */
  readonly key: readonly string[];
  /** What one file has once only, of the columns that it has. */
  readonly onceInFile: readonly string[];
}

export type TableName = keyof typeof tables;

export function tableOf(name: TableName): Table {
  return tables[name];
}

/** The statements that make an empty database. */
export const EMPTY = [
  "CREATE TABLE song (id INTEGER, title VARCHAR NOT NULL, isrc VARCHAR, released_on DATE)",
  "CREATE TABLE file (id INTEGER, name VARCHAR, kind VARCHAR, rows INTEGER, refused INTEGER, reasons VARCHAR, first_day DATE, last_day DATE, receipt VARCHAR)",
  "CREATE TABLE meta (name VARCHAR, value VARCHAR)",
  ...Object.entries<Table>(tables).map(([name, { columns, key }]) => {
    const rank = key.length > 0 ? ["precedence VARCHAR"] : [];
    const all = [...Object.entries(columns).map(([column, type]) => `${column} ${type}`), ...rank];
    return `CREATE TABLE ${name} (${all.join(", ")})`;
  }),
].join(";\n");

/** Puts the rows of the table `fresh` into one with a key; a row that is there stays unless it comes from an earlier file. */
export async function mergeFresh(database: Database, name: TableName): Promise<void> {
  const { columns, key } = tableOf(name);
  const names = [...Object.keys(columns), "precedence"].join(", ");
  const same = sameIn(key);
  await database.run(
    `DELETE FROM ${name} AS old USING fresh AS new WHERE ${same} AND old.precedence <= new.precedence`,
  );
  await database.run(`INSERT INTO ${name} (${names}) SELECT ${names} FROM fresh AS new
     WHERE NOT EXISTS (SELECT 1 FROM ${name} AS old WHERE ${same})`);
}

/**
 * Adds the sales of a statement. What an earlier statement has too is the same sale: of equal rows as many stay as
 * the statement has that has most of them, whichever comes first.
 */
export async function insertSales(database: Database, rows: string): Promise<void> {
  const months = "SELECT DISTINCT month FROM incoming WHERE reason IS NULL";
  const [shared] = await database.rows(`SELECT 1 AS found FROM sale WHERE month IN (${months}) LIMIT 1`);
  const into = (table: string): Promise<void> =>
    database.run(`INSERT INTO ${table} BY NAME SELECT * EXCLUDE (place_in_file) FROM (${rows})`);
  if (shared === undefined) return into("sale");
  const columns = Object.keys(tables.sale.columns);
  const list = columns.join(", ");
  await database.run("CREATE OR REPLACE TEMP TABLE fresh AS FROM sale LIMIT 0");
  await into("fresh");
  await database.run(`
    INSERT INTO sale BY NAME
    WITH new AS (SELECT ${list}, count(*) AS times FROM fresh GROUP BY ALL),
      old AS (SELECT ${list}, count(*) AS times FROM sale WHERE month IN (${months}) GROUP BY ALL),
      more AS (SELECT new.*, new.times - coalesce(old.times, 0) AS lacking FROM new LEFT JOIN old ON ${sameIn(columns)})
    SELECT ${list} FROM (SELECT ${list}, unnest(range(lacking)) FROM more WHERE lacking > 0)`);
}

function sameIn(columns: readonly string[]): string {
  return columns.map((column) => `old.${column} IS NOT DISTINCT FROM new.${column}`).join(" AND ");
}

/** A file that answers. */
export type CatalogFile = FilesOutput["files"][number];

/** What a collection holds. */
export interface Catalog {
  readonly songs: readonly { readonly id: number; readonly title: string }[];
  /** All that occur, by name. */
  readonly stores: readonly string[];
  /** ISO 3166 codes, all that occur. */
  readonly countries: readonly string[];
  readonly files: readonly CatalogFile[];
}

/** An opened collection. */
export interface Collection {
  readonly source: "sample" | "imports";
  /** Rows of a statement with named parameters (`$name`); dates and decimals are cast to text by the statement. */
  readonly rows: (sql: string, parameters?: Parameters) => Promise<readonly ResultRow[]>;
  readonly catalog: Catalog;
}

const STORES = [
  ...["song_day", "account_day", "song_total", "place_total", "playlist", "sale"].map(
    (table) => `SELECT store AS name FROM ${table}`,
  ),
  ...["video", "video_day"].map((table) => `(SELECT 'YouTube' AS name FROM ${table} LIMIT 1)`),
];
const COUNTRIES = ["SELECT country AS name FROM sale", "SELECT country AS name FROM place_total"];
const named = (tables: readonly string[]): string =>
  `(SELECT list(DISTINCT name ORDER BY name) FROM (${tables.join(" UNION ")}) WHERE name IS NOT NULL)`;
const CATALOG = `to_json({
  'songs': (SELECT list({ 'id': id, 'title': title } ORDER BY id) FROM song),
  'stores': ${named(STORES)},
  'countries': ${named(COUNTRIES)},
  'files': (
    SELECT list({
      'id': id, 'name': name, 'kind': kind, 'rows': "rows", 'refusedRows': refused, 'reasons': reasons::JSON,
      'window': CASE WHEN first_day IS NOT NULL THEN { 'from': first_day::VARCHAR, 'to': last_day::VARCHAR } END,
      'receipt': receipt::JSON
    } ORDER BY id) FROM file)
})`;

/** Reads the catalogue off the tables, and keeps it in the database, so that a question need not gather it. */
export async function storeCatalog(database: Database): Promise<void> {
  await database.run("DELETE FROM meta");
  await database.run(`INSERT INTO meta SELECT 'catalog', ${CATALOG}::VARCHAR`);
}

/** The catalogue that the database keeps. @throws Error when it has none. */
export async function loadCatalog(database: Database): Promise<Catalog> {
  const [row] = await database.rows("SELECT value FROM meta WHERE name = 'catalog'");
  const kept = JSON.parse(String(row?.["value"])) as { [key in keyof Catalog]: Catalog[key] | null };
  const { songs, stores, countries, files } = kept;
  return { songs: songs ?? [], stores: stores ?? [], countries: countries ?? [], files: files ?? [] };
}
