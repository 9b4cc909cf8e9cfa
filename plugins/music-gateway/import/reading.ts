import { quoted, type Database, type ResultRow } from "../store/database.ts";
import type { SongName } from "../store/songs.ts";
import { ALL_TIME, rangeOf, unstatedSpan, type Span } from "../store/spans.ts";
import { addRows, tableOf } from "../store/tables.ts";
import { cellSql } from "./cells.ts";
import { countryCode } from "./countries.ts";
import { ExactSum, figureIn } from "./figures.ts";
import type { CellType, Format, Layout } from "./formats.ts";
import { spanInName, tableInName, timelineSong } from "./names.ts";
import { REPEATS, type LeftOut, type Receipt } from "./receipt.ts";
import { isFigure, type Survey } from "./survey.ts";

/** The end of the message about an unreadable cell: "streams is not a whole number". */
const FAULTS: Readonly<Partial<Record<CellType, string>>> = {
  day: "not a date",
  month: "not a month",
  count: "not a whole number",
  average: "not a number",
  number: "not a number",
  amount: "not an amount",
  currency: "not a currency",
};

const UNSIGNED: ReadonlySet<CellType> = new Set(["count", "average", "number"]);

/** A file to read: UTF-8 text at a path, with its original name. */
export interface SourceFile {
  readonly path: string;
  readonly name: string;
  /** The zip folder that contained it, even if it has been unpacked. */
  readonly from?: string;
  readonly layout: Layout;
  readonly survey: Survey;
  /** The number of lines above the rows; 0 for a copy, which only has rows. */
  readonly skip: number;
}

/** The result of reading one file. */
export interface ReadResult {
  readonly rows: number;
  readonly refused: number;
  /** The first reasons, each with its line number. */
  readonly reasons: readonly string[];
  readonly window: { readonly from: string; readonly to: string } | null;
  /** The window of a table of sums; null for daily or monthly rows. */
  readonly span: Span | null;
  readonly receipt: Receipt;
  /** Why no rows of the file may be stored, although they are readable. */
  readonly fault?: string;
}

const NAMED_REASONS = 5;
const REJECTS: Readonly<Record<string, string>> = {
  "MISSING COLUMNS": "a column is missing",
  "TOO MANY COLUMNS": "there are more columns than in the header",
  "UNQUOTED VALUE": "a quoted cell does not end",
  "LINE SIZE OVER MAXIMUM": "the line is too long",
};

/**
 * Reads a file into the table `incoming`: typed columns, and the reason why a row is unusable. Numbers and days of
 * songs, places and currencies become those of the tables later.
 */
export async function readIncoming(database: Database, source: SourceFile): Promise<ReadResult> {
  const { layout, survey } = source;
  await database.expect(survey.rows);
  const rejects = await readWith(database, source);
  const span = spanOf(source, await forgetZeros(database, layout));
  const figures = Object.keys(layout.columns).filter((column) => isFigure(typeOf(layout, column)));
  const day = dayColumn(layout);
  const latest =
    day === undefined ? "NULL" : layout.format.table === "sale" ? `last_day(max(${day}))` : `max(${day})`;
  const groups = await database.rows(`
    SELECT reason, count(*)::BIGINT AS rows, ${day === undefined ? "NULL" : `min(${day})::VARCHAR`} AS first, (${latest})::DATE::VARCHAR AS last
      ${figures.map((column) => `, sum(${column})::VARCHAR AS ${column}`).join("")}
    FROM incoming GROUP BY reason ORDER BY rows DESC, reason`);
  const used = groups.find(({ reason }) => reason === null) ?? {};
  const others = groups.filter(({ reason }) => reason !== null);
  const omitted = layout.format.omit?.reason ?? "";
  const refused = others.reduce(
    (sum, { reason, rows }) => sum + (reason === omitted ? 0 : Number(rows)),
    rejects,
  );
  const [first, end] = [used["first"], used["last"]];
  const dated = typeof first === "string" && typeof end === "string" ? { from: first, to: end } : undefined;
  const sumsOf = (row: ResultRow) =>
    figures.map((column) => ({ column: labelOf(layout, column), sum: exact([row[column]]) }));
  const broken: readonly LeftOut[] =
    rejects === 0 ? [] : [{ reason: "the number of cells differs from the header", rows: rejects, sums: [] }];
  const receipt: Receipt = {
    rows: survey.rows + rejects,
    encoding: survey.encoding,
    decimal: survey.decimal,
    dates: survey.dates,
    currencies: await currenciesOf(database, layout),
    sums: figures.map((column) => ({
      column: labelOf(layout, column),
      file: survey.sums[column] ?? "0",
      stored: exact([used[column]]),
    })),
    leftOut: [
      ...others.map((row) => ({
        reason: row["reason"] === "" ? REPEATS : String(row["reason"]),
        rows: Number(row["rows"]),
        sums: sumsOf(row),
      })),
      ...broken,
    ],
  };
  const read = groups.reduce((sum, { rows }) => sum + Number(rows), 0);
  const unequal = figures.find((column) => exact(groups.map((row) => row[column])) !== survey.sums[column]);
  const fault =
    read !== survey.rows
      ? `two readers disagree on the number of rows: DuckDB finds ${read}, the other ${survey.rows}`
      : unequal !== undefined
        ? `two readers disagree on ${labelOf(layout, unequal)}: DuckDB finds ${exact(groups.map((row) => row[unequal]))} in all, the other ${survey.sums[unequal] ?? "0"}`
        : await repeated(database, layout);
  return {
    rows: Number(used["rows"] ?? 0),
    refused,
    reasons: refused === 0 ? [] : await firstReasons(database, source, omitted),
    window: dated ?? rangeOf(span ?? "") ?? null,
    span,
    receipt,
    ...(fault !== undefined && { fault }),
  };
}

/** Clears the columns that an all-time table does not provide, and returns whether it is one. */
async function forgetZeros(database: Database, { format, columns }: Layout): Promise<boolean> {
  const unknown = (format.zeroInAllTime ?? []).filter((column) => columns[column] !== undefined);
  const [first] = unknown;
  if (first === undefined) return false;
  const zeros = unknown.map((column) => `max(${column}) = 0 AND max(plays) > 0 AS ${column}`);
  const [row = {}] = await database.rows(`SELECT ${zeros.join(", ")} FROM incoming`);
  if (row[first] !== true) return false;
  const empty = unknown.filter((column) => row[column] === true);
  await database.run(`UPDATE incoming SET ${empty.map((column) => `${column} = NULL`).join(", ")}`);
  return true;
}

function spanOf({ name, from, layout, survey }: SourceFile, isAllTime: boolean): Span | null {
  const { columns } = tableOf(layout.format.table);
  if (!("span" in columns) || dayColumn(layout) !== undefined) return null;
  const stated = survey.window ?? spanInName(name, from);
  return stated ?? (isAllTime ? ALL_TIME : unstatedSpan(tableInName(name, from)));
}

function typeOf({ format }: Layout, column: string): CellType {
  return format.columns[column]?.type ?? "text";
}

function labelOf({ format }: Layout, column: string): string {
  return format.columns[column]?.label ?? column;
}

/** The exact sum of decimal numbers. */
function exact(texts: readonly (ResultRow[string] | undefined)[]): string {
  const sum = new ExactSum();
  for (const text of texts) {
    const figure = typeof text === "string" ? figureIn(text, "point", false) : undefined;
    if (figure !== undefined) sum.add(figure);
  }
  return String(sum);
}

async function currenciesOf(database: Database, { columns, currency }: Layout): Promise<string[]> {
  if (columns["currency"] === undefined)
    return currency === undefined || columns["amount"] === undefined ? [] : [currency];
  const rows = await database.rows(
    "SELECT DISTINCT currency FROM incoming WHERE reason IS NULL ORDER BY currency LIMIT 20",
  );
  return rows.map((row) => String(row["currency"]));
}

/** Finds a day or video that occurs twice in a file: the file is split by a column that the format lacks, so neither row is the whole figure. */
async function repeated(database: Database, { format, columns }: Layout): Promise<string | undefined> {
  const key = tableOf(format.table).onceInFile.filter((column) => columns[column] !== undefined);
  if (key.length === 0) return undefined;
  const [row] = await database.rows(
    `SELECT count(*)::BIGINT AS times, ${key.map((column) => `${column}::VARCHAR AS ${column}`).join(", ")} FROM incoming WHERE reason IS NULL GROUP BY ALL HAVING count(*) > 1 LIMIT 1`,
  );
  if (row === undefined) return undefined;
  const day = row["date"] === undefined ? "a video" : String(row["date"]);
  return `${day} occurs in it ${Number(row["times"])} times: the file is split by a column that is not read, or several files were joined. ${format.download}`;
}

/** Stores the rows of `incoming` in their table as rows of the file with this id. `idOf` returns the id of the song in a row. */
export async function takeIncoming(
  database: Database,
  { name, layout }: SourceFile,
  { span }: ReadResult,
  id: number,
  idOf: (name: SongName) => number,
): Promise<void> {
  const { format } = layout;
  const { columns } = tableOf(format.table);
  const values: Record<string, string> = {};
  for (const column of Object.keys(columns)) {
    if (layout.columns[column] !== undefined) values[column] = `i.${column}`;
  }
  for (const [column, value] of Object.entries(format.constants ?? {})) values[column] = quoted(value);
  if (span !== null) values["span"] = quoted(span);
  if ("currency" in columns && layout.currency !== undefined) values["currency"] = quoted(layout.currency);
  const joins: string[] = [];
  if ("country" in values) {
    await mapCountries(database);
    values["country"] = "place.code";
    joins.push("LEFT JOIN place ON place.name IS NOT DISTINCT FROM i.country");
  }
  if (format.songInName === true) values["song_id"] = String(idOf(timelineSong(name)));
  else if ("song_id" in columns && layout.columns["title"] !== undefined && !("title" in columns)) {
    await mapSongs(database, layout, idOf);
    values["song_id"] = "named.song_id";
    if ("named" in columns) [values["named"], values["read_song_id"]] = ["i.title", "named.song_id"];
    const sameIsrc = layout.columns["isrc"] === undefined ? "" : "AND named.isrc IS NOT DISTINCT FROM i.isrc";
    joins.push(
      `LEFT JOIN named ON named.title = i.title ${sameIsrc} ${isTotal(format) ? "AND named.row = i.rowid" : ""}`,
    );
  }
  const list = Object.entries(values).map(([column, sql]) => `${sql} AS ${column}`);
  const rows = `SELECT ${list.join(", ")} FROM incoming i ${joins.join(" ")} WHERE i.reason IS NULL`;
  await addRows(database, format.table, id, rows);
}

/** Reads the file into `incoming`. Returns the number of lines that are not rows of the table. */
async function readWith(database: Database, { path, layout, survey, skip }: SourceFile): Promise<number> {
  const { format, delimiter, width, columns } = layout;
  const { quote } = survey;
  const names = Array.from({ length: width }, (_, index) => `${quoted(`c${index}`)}: 'VARCHAR'`);
  const options = [
    "auto_detect = false, header = false, ignore_errors = true, store_rejects = true",
    // DuckDB must not derive columns from folder names or a compression from the extension of the path.
    "hive_partitioning = false, compression = 'none'",
    `skip = ${skip}, delim = ${quoted(delimiter)}, quote = ${quoted(quote)}, escape = ${quoted(quote)}`,
    `columns = {${names.join(", ")}}`,
  ];
  const own = (index: number): string => (quote === "" ? unquotedSql(`c${index}`) : `c${index}`);
  const isOneOf = (column: string, values: readonly string[]): string => {
    const index = columns[column];
    return index === undefined ? "false" : `lower(trim(${own(index)})) IN (${values.map(quoted).join(", ")})`;
  };
  const { omit, albums } = format;
  const isAlbum = albums === undefined ? "false" : isOneOf(albums.column, albums.values);
  const typed = Object.entries(columns).flatMap(([name, index]) => {
    const fallback = format.titleFallback === undefined ? undefined : columns[format.titleFallback];
    const isFallen = name === "title" && fallback !== undefined;
    const cell = isFallen ? `coalesce(nullif(trim(${own(index)}), ''), ${own(fallback)})` : own(index);
    const sql = cellSql(typeOf(layout, name), cell, survey);
    return [`${ofAlbum(name, sql, isAlbum)} AS ${name}`, ...filledSql(format, name, cell)];
  });
  typed.push(`${omit === undefined ? "false" : isOneOf(omit.column, omit.values)} AS omitted`);
  typed.push(`${isAlbum} AS is_album`);
  await database.run("DROP TABLE IF EXISTS reject_errors; DROP TABLE IF EXISTS reject_scans");
  await database.run(`
    CREATE OR REPLACE TEMP TABLE incoming AS
    SELECT ${Object.keys(columns).join(", ")}, is_album, ${reasonSql(layout)} AS reason
    FROM (SELECT ${typed.join(", ")} FROM read_csv(${quoted(literalPath(path))}, ${options.join(", ")}))`);
  const [row] = await database.rows("SELECT count(DISTINCT line)::BIGINT AS lines FROM reject_errors");
  return Number(row?.["lines"] ?? 0);
}

/** Marks the title of an album and clears its ISRC, so that it is not taken for the song of the same name. */
function ofAlbum(name: string, sql: string, isAlbum: string): string {
  if (name === "isrc") return `CASE WHEN NOT (${isAlbum}) THEN ${sql} END`;
  return name === "title" ? `${sql} || CASE WHEN ${isAlbum} THEN ' (album)' ELSE '' END` : sql;
}

/** Distinguishes a missing optional figure from an unreadable one. */
function filledSql(format: Format, name: string, cell: string): readonly string[] {
  const column = format.columns[name];
  if (column?.optional !== true || FAULTS[column.type] === undefined) return [];
  return [`trim(${cell}) NOT IN ('', '-', '–', '—', 'N/A', 'n/a') AS has_${name}`];
}

/** Why a row is not stored; the empty text for a row that repeats the sum of others. */
function reasonSql({ format, columns }: Layout): string {
  const cases = [`WHEN omitted THEN ${quoted(format.omit?.reason ?? "")}`];
  for (const [name, { type, label, optional, signed }] of Object.entries(format.columns)) {
    if (columns[name] === undefined) continue;
    const fault = FAULTS[type];
    const isNone = `(${name} IS NULL${UNSIGNED.has(type) && signed !== true ? ` OR ${name} < 0` : ""})`;
    if (name === "title" && format.table === "sale")
      cases.push("WHEN title IS NULL THEN 'the song has no title'");
    else if (type === "day" || type === "month")
      cases.push(
        `WHEN ${optional === true ? `has_${name} AND ` : ""}(${name} IS NULL OR ${name} NOT BETWEEN DATE '1900-01-01' AND DATE '2100-12-31') THEN ${quoted(`${label} is ${fault ?? ""}`)}`,
      );
    else if (optional !== true)
      cases.push(`WHEN ${isNone} THEN ${quoted(`${label} is ${fault ?? "empty"}`)}`);
    else if (fault !== undefined)
      cases.push(`WHEN has_${name} AND ${isNone} THEN ${quoted(`${label} is ${fault}`)}`);
  }
  return `CASE ${cases.join(" ")} END`;
}

async function firstReasons(
  database: Database,
  { layout: { headerLines }, skip }: SourceFile,
  omitted: string,
): Promise<readonly string[]> {
  const cells = await database.rows(
    `SELECT rowid::BIGINT AS place, reason FROM incoming WHERE reason <> ${quoted(omitted)} ORDER BY rowid LIMIT ${NAMED_REASONS}`,
  );
  const rejects = await database.rows(
    "SELECT line::BIGINT AS line, any_value(error_type)::VARCHAR AS type FROM reject_errors GROUP BY line ORDER BY line LIMIT 1000",
  );
  const broken = rejects.map((row) => ({
    line: Number(row["line"]) + headerLines - skip,
    reason: REJECTS[String(row["type"])] ?? "the line is not a row of the table",
  }));
  const unread = cells.map((row) => {
    let line = headerLines + Number(row["place"]) + 1;
    for (const reject of broken) if (reject.line <= line) line += 1;
    return { line, reason: String(row["reason"]) };
  });
  return [...broken, ...unread]
    .toSorted((left, right) => left.line - right.line)
    .slice(0, NAMED_REASONS)
    .map(({ line, reason }) => `line ${line}: ${reason}`);
}

async function mapCountries(database: Database): Promise<void> {
  const found = await database.rows("SELECT DISTINCT country FROM incoming WHERE country IS NOT NULL");
  await database.run("CREATE OR REPLACE TEMP TABLE place (name VARCHAR, code VARCHAR)");
  await database.append(
    "place",
    found.map((row) => [String(row["country"]), countryCode(String(row["country"]))]),
  );
}

/** Assigns ids to songs. In a table of totals, songs with the same title are sorted by release, oldest first. Albums come after songs. */
async function mapSongs(
  database: Database,
  { format, columns }: Layout,
  idOf: (name: SongName) => number,
): Promise<void> {
  const isrc = columns["isrc"] === undefined ? "NULL" : "isrc";
  const order = columns["released_on"] === undefined ? "rowid" : "released_on, rowid";
  const names = isTotal(format)
    ? `SELECT title, ${isrc} AS isrc, rowid::BIGINT AS row,
         (row_number() OVER (PARTITION BY title ORDER BY ${order}) - 1)::INTEGER AS place FROM incoming WHERE reason IS NULL ORDER BY ${order}`
    : `SELECT title, ${isrc} AS isrc, NULL AS row, 0 AS place FROM incoming WHERE reason IS NULL GROUP BY 1, 2 ORDER BY bool_and(is_album), min(rowid)`;
  const rows = await database.rows(names);
  await database.run(
    "CREATE OR REPLACE TEMP TABLE named (title VARCHAR, isrc VARCHAR, row INTEGER, song_id INTEGER)",
  );
  await database.append(
    "named",
    rows.map((row) => {
      const title = String(row["title"]);
      const known = typeof row["isrc"] === "string" ? { isrc: row["isrc"] } : {};
      const id = idOf({ title, order: Number(row["place"]), ...known });
      return [title, known.isrc ?? null, typeof row["row"] === "number" ? row["row"] : null, id];
    }),
  );
}

function isTotal(format: Format): boolean {
  return format.table === "song_total";
}

function dayColumn({ format, columns }: Layout): string | undefined {
  return ["date", "month"].find((name) => name in format.columns && columns[name] !== undefined);
}

/** Removes the quotes around a cell if DuckDB treats quotes as ordinary characters. */
function unquotedSql(cell: string): string {
  return `CASE WHEN length(${cell}) > 1 AND ${cell}[1] = '"' AND ${cell}[-1] = '"' THEN replace(${cell}[2:-2], '""', '"') ELSE ${cell} END`;
}

/** Escapes the characters that DuckDB treats as patterns. */
function literalPath(path: string): string {
  return path.replaceAll(/[[*?]/gu, "[$&]");
}
