import type { Database } from "./database.ts";
import tables from "./tables.json" with { type: "json" };

/** The version of the tables, part of every database's file name. It changes with the tables and with the reading of a known format. */
export const LAYOUT = "9";

/** A table that imports fill, as defined in tables.json. Figures that a file lacks are NULL. */
interface Table {
  /** Columns that a file can provide, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns that identify a row: if two files have it, one counts. Without a key, all columns and the number among a file's equal rows do. */
  readonly key: readonly string[];
  /** Columns whose values are unique within a file, for those columns that the file has. */
  readonly onceInFile: readonly string[];
}

export type TableName = keyof typeof tables;
const TABLES = Object.keys(tables) as TableName[];
/** Tables of sums; the column `span` holds the window of each row. */
export const SPANNED: readonly TableName[] = TABLES.filter((name) => "span" in tables[name].columns);

export function tableOf(name: TableName): Table {
  return tables[name];
}

/**
 * The statements that create an empty database. Each table of figures holds the rows that count, with their file. A second table holds
 * rows that another file replaces; they return when that file is removed.
 */
export const EMPTY = [
  "CREATE TABLE song (id INTEGER, title VARCHAR NOT NULL, isrc VARCHAR, released_on DATE)",
  "CREATE TABLE song_name (file INTEGER, number INTEGER, title VARCHAR, isrc VARCHAR, place INTEGER, is_from_file_name INTEGER, song_id INTEGER)",
  "CREATE TABLE file (id INTEGER, name VARCHAR, kind VARCHAR, rows INTEGER, refused INTEGER, reasons VARCHAR, first_day DATE, last_day DATE, span VARCHAR, receipt VARCHAR, precedence VARCHAR, series VARCHAR)",
  "CREATE TABLE meta (name VARCHAR, value VARCHAR)",
  ...Object.entries<Table>(tables).flatMap(([name, { columns }]) => {
    const list = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    return [name, replaced(name)].map((table) => `CREATE TABLE ${table} (${list.join(", ")}, file INTEGER)`);
  }),
].join(";\n");

/** Adds the rows that `rows` selects to the figures of a file that is already in the table `file`. */
export async function addRows(
  database: Database,
  name: TableName,
  file: number,
  rows: string,
): Promise<void> {
  await database.run(`INSERT INTO ${name} BY NAME SELECT *, ${file} AS file FROM (${rows})`);
  if (await findShared(database, name, file)) await decideShared(database, name);
}

/** Removes a file with its rows; rows that they replaced count again. */
export async function removeRows(database: Database, file: number): Promise<void> {
  for (const name of TABLES) {
    const isShared = await findShared(database, name, file);
    for (const table of [name, replaced(name)])
      await database.run(`DELETE FROM ${table} WHERE file = ${file}`);
    if (isShared) await decideShared(database, name);
  }
  await database.run(`DELETE FROM song_name WHERE file = ${file}`);
  await database.run(`DELETE FROM file WHERE id = ${file}`);
}

/** Lists in `shared` the keys of rows that a file shares with others, and all keys of its windows; false if the list is empty. */
async function findShared(database: Database, name: TableName, file: number): Promise<boolean> {
  const rows = (columns: string, condition: string): string =>
    [name, replaced(name)]
      .map((table) => `SELECT ${columns} FROM ${table} WHERE ${condition}`)
      .join(" UNION ALL ");
  const keys = keysOf(name).join(", ");
  const isThere = async (from: string): Promise<boolean> =>
    (await database.rows(`SELECT 1 AS found FROM (${from}) LIMIT 1`)).length > 0;
  if (!(await isThere(rows("file", `file <> ${file}`)))) return false;
  // A separate table, so that the join is built on the rows of the file and not on all the others.
  await database.run(`CREATE OR REPLACE TEMP TABLE own AS ${rows(keys, `file = ${file}`)}`);
  const ofWindow = SPANNED.includes(name) ? `UNION ${rows(keys, "span IN (SELECT span FROM own)")}` : "";
  await database.run(
    `CREATE OR REPLACE TEMP TABLE shared AS ((${rows(keys, `file <> ${file}`)}) INTERSECT (FROM own)) ${ofWindow}`,
  );
  return isThere("FROM shared");
}

/**
 * Decides which rows count for the keys in `shared`: those of the file with the highest precedence. A windowed table that shares rows
 * with a later download of its series does not count at all, since rows that are missing from the later one no longer exist.
 */
async function decideShared(database: Database, name: TableName): Promise<void> {
  const keys = keysOf(name);
  const list = keys.join(", ");
  const isSame = (left: string, right: string): string =>
    keys.map((column) => `${left}.${column} IS NOT DISTINCT FROM ${right}.${column}`).join(" AND ");
  const isOne = isSame("old", "shared");
  const copy = tableOf(name).key.length > 0 ? "1" : `row_number() OVER (PARTITION BY file, ${list})`;
  await database.run(`
    CREATE OR REPLACE TEMP TABLE candidate AS
    SELECT old.*, ${copy} AS copy, f.precedence, f.series
    FROM (FROM ${name} UNION ALL FROM ${replaced(name)}) AS old JOIN file AS f ON f.id = old.file SEMI JOIN shared ON ${isOne}`);
  const outdated = `SELECT old.file FROM candidate AS old JOIN candidate AS new ON old.series = new.series AND old.precedence < new.precedence AND ${isSame("old", "new")}`;
  const isOutdated = SPANNED.includes(name) ? `file IN (${outdated})` : "false";
  await database.run(`
    CREATE OR REPLACE TEMP TABLE decided AS
    SELECT * EXCLUDE (copy, precedence, series, is_outdated),
      NOT is_outdated AND rank() OVER (PARTITION BY copy, ${list} ORDER BY is_outdated, precedence DESC) = 1 AS counts
    FROM (SELECT *, ${isOutdated} AS is_outdated FROM candidate)`);
  for (const [table, condition] of [
    [name, "counts"],
    [replaced(name), "NOT counts"],
  ] as const) {
    await database.run(`DELETE FROM ${table} AS old USING shared WHERE ${isOne}`);
    await database.run(`INSERT INTO ${table} SELECT * EXCLUDE (counts) FROM decided WHERE ${condition}`);
  }
}

function keysOf(name: TableName): readonly string[] {
  const { key, columns } = tableOf(name);
  return key.length > 0 ? key : Object.keys(columns);
}

/** The table with the rows that another file replaces. */
function replaced(table: string): string {
  return `replaced_${table}`;
}
