import { quoted, type Database } from "../store/database.ts";
import type { SongRegister } from "../store/songs.ts";
import { insertSales, mergeFresh, tableOf } from "../store/catalog.ts";
import type { Format, Layout, CellType } from "./format.ts";
import { timelineSong, windowIn } from "./names.ts";
import places from "../question/places.json" with { type: "json" };
import others from "./country-names.json" with { type: "json" };

/** What a cell of a type is when it cannot be read, for "streams is no count". */
const FAULTS: Readonly<Partial<Record<CellType, string>>> = {
  day: "no day",
  month: "no month",
  count: "no count",
  average: "no number",
  number: "no number",
  amount: "no amount",
  currency: "no currency",
};

const FIGURES: ReadonlySet<CellType> = new Set(["count", "average", "number"]);

const DAYS = [
  "%Y/%m/%d",
  "%Y.%m.%d",
  "%Y年%m月%d日",
  "%b %d, %Y",
  "%B %d, %Y",
  "%d %b %Y",
  "%d %B %Y",
  "%m/%d/%Y",
  "%Y%m%d",
];
const MONTHS = ["%b %Y", "%B %Y", "%Y年%m月", "%Y/%m", "%m/%Y", "%b-%y", "%Y%m"];
const listed = (formats: readonly string[]): string =>
  `[${formats.map((format) => `'${format}'`).join(", ")}]`;

/** The SQL that reads a cell of text; NULL where it is none of the type. */
function cellSql(type: CellType, cell: string, hasDecimalComma: boolean): string {
  const figure = hasDecimalComma
    ? `replace(replace(trim(${cell}), '.', ''), ',', '.')`
    : `replace(trim(${cell}), ',', '')`;
  switch (type) {
    case "text":
    case "country":
      return `nullif(trim(${inertSql(cell)}), '')`;
    case "line":
      return `nullif(trim(${inertSql(`regexp_replace(${cell}, '\\s+', ' ', 'g')`)}), '')`;
    case "day":
      return daySql(cell);
    case "month":
      return `date_trunc('month', coalesce(TRY_CAST(${cell} || '-01' AS DATE), try_strptime(trim(${cell}), ${listed(MONTHS)})::DATE, ${daySql(cell)}))::DATE`;
    case "count": {
      // 1.000 may be a thousand: only a file of decimal commas says so.
      const grouped = hasDecimalComma ? "\\d{1,3}(?:\\.\\d{3})+" : "\\d{1,3}(?:,\\d{3})+";
      const whole = hasDecimalComma
        ? `replace(${cell}, '.', '')`
        : `replace(split_part(${cell}, '.', 1), ',', '')`;
      return `CASE WHEN regexp_full_match(${cell}, '\\s*-?\\d+\\s*') THEN TRY_CAST(${cell} AS BIGINT)
        WHEN regexp_full_match(${cell}, '\\s*-?(?:${grouped}|\\d+)(?:\\.0{1,2}|\\.0{4,})?\\s*') THEN TRY_CAST(${whole} AS BIGINT) END`;
    }
    case "average":
      return `round(TRY_CAST(${figure} AS DOUBLE))::BIGINT`;
    case "number":
      return `TRY_CAST(${figure} AS DOUBLE)`;
    case "amount":
      return `coalesce(${hasDecimalComma ? "" : `TRY_CAST(${cell} AS DECIMAL(18, 9)), `}TRY_CAST(ltrim(${figure}, '$€£¥ ') AS DECIMAL(28, 9)))`;
    case "currency":
      return `CASE WHEN regexp_full_match(trim(${cell}), '[A-Za-z]{3}') THEN upper(trim(${cell})) END`;
    case "isrc":
      return `CASE WHEN regexp_full_match(replace(upper(trim(${cell})), '-', ''), '[A-Z]{2}[A-Z0-9]{3}\\d{7}') THEN replace(upper(trim(${cell})), '-', '') END`;
  }
}

/** Without controls and the signs that turn text (Unicode: Bidi_Control): names of songs and places stand in answers. */
function inertSql(cell: string): string {
  return `regexp_replace(${cell}, '[\\p{Cc}\\p{Zl}\\p{Zp}\\x{061C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]+', '', 'g')`;
}

/** No expression twice: DuckDB would then compute it for every row, also where the first way succeeds. */
function daySql(cell: string): string {
  return `coalesce(TRY_CAST(${cell} AS DATE), try_strptime(trim(${cell}), ${listed(DAYS)})::DATE)`;
}

const LANGUAGES = ["en", "zh-Hans", "zh-Hant", "fr", "de", "es", "ja"];
/** Names that statements use and the language data do not. */
const OTHERS: ReadonlyMap<string, string> = new Map(Object.entries(others));

let names: ReadonlyMap<string, string> | undefined;

/** The ISO 3166 code of a country that a file names by code or name; null when there is none. */
function countryCode(text: string): string | null {
  const name = text.trim().toLowerCase();
  if (/^[a-z]{2}$/u.test(name)) return OTHERS.get(name) ?? name.toUpperCase();
  names ??= allNames();
  return names.get(name) ?? null;
}

function allNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: "region" });
    for (const code of places.codes.split(" ")) {
      const name = (display.of(code) ?? code).toLowerCase();
      if (!found.has(name)) found.set(name, code);
    }
  }
  return new Map([...found, ...OTHERS]);
}

/** A file that is to be read: UTF-8 at a path, under the name it came with. */
export interface SourceFile {
  readonly path: string;
  readonly name: string;
  /** The zip folder it came in. */
  readonly from?: string;
  readonly layout: Layout;
}

/** What was read out of a file. */
export interface ReadResult {
  readonly rows: number;
  readonly refused: number;
  /** The first reasons, each with its line. */
  readonly reasons: readonly string[];
  readonly window: { readonly from: string; readonly to: string } | null;
}

const NAMED_REASONS = 5;
const REJECTS: Readonly<Record<string, string>> = {
  "MISSING COLUMNS": "a column is missing",
  "TOO MANY COLUMNS": "there are more columns than in the header",
  "UNQUOTED VALUE": "a quoted cell does not end",
  "LINE SIZE OVER MAXIMUM": "the line is too long",
};

/**
 * Reads a file into the table `incoming`: typed by column, with the reason why a row cannot be used. Numbers and days
 * of songs, places and currencies become those of the tables later.
 */
export async function readIncoming(
  database: Database,
  { path, name, from, layout }: SourceFile,
): Promise<ReadResult> {
  if (await isRagged(database, path, layout))
    return {
      rows: 0,
      refused: 0,
      reasons: ["its lines have far more columns than the header"],
      window: null,
    };
  let rejects = await readWith(database, path, layout, '"');
  // A statement with tabs may have quotes that are part of a title.
  if (rejects > 0 && layout.delimiter === "\t") {
    const unquoted = await readWith(database, path, layout, "");
    if (unquoted < rejects) rejects = unquoted;
    else await readWith(database, path, layout, '"');
  }
  const day = dayColumn(layout);
  const latest = `max(${day}) FILTER (reason IS NULL)`;
  const last = layout.format.table === "sale" ? `last_day(${latest})` : latest;
  const [sums = {}] = await database.rows(`
    SELECT count(*) FILTER (reason IS NULL)::BIGINT AS used, count(*) FILTER (reason <> '')::BIGINT AS refused,
      ${day === undefined ? "NULL AS first, NULL AS last" : `min(${day}) FILTER (reason IS NULL)::VARCHAR AS first, (${last})::DATE::VARCHAR AS last`}
    FROM incoming`);
  const refused = Number(sums["refused"]) + rejects;
  const stated = windowIn(name) ?? windowIn(from ?? "");
  const [first, end] = [sums["first"], sums["last"]];
  const dated = typeof first === "string" && typeof end === "string" ? { from: first, to: end } : undefined;
  return {
    rows: Number(sums["used"]),
    refused,
    reasons: refused === 0 ? [] : await firstReasons(database, layout),
    window: dated ?? stated ?? null,
  };
}

/** Puts the rows of `incoming` into their table. `precedence` decides between two files that have the same row. */
export async function takeIncoming(
  database: Database,
  { name, layout }: SourceFile,
  { window }: ReadResult,
  precedence: string,
  register: SongRegister,
): Promise<void> {
  const { format } = layout;
  const { columns, key } = tableOf(format.table);
  const values: Record<string, string> = {};
  for (const column of Object.keys(columns)) {
    if (layout.columns[column] !== undefined) values[column] = `i.${column}`;
  }
  for (const [column, value] of Object.entries(format.constants ?? {})) values[column] = quoted(value);
  if ("first_day" in columns && window !== null) {
    values["first_day"] = `DATE ${quoted(window.from)}`;
    values["last_day"] = `DATE ${quoted(window.to)}`;
  }
  if ("currency" in columns && layout.currency !== undefined) values["currency"] = quoted(layout.currency);
  const joins: string[] = [];
  if ("country" in values) {
    await mapCountries(database);
    values["country"] = "place.code";
    joins.push("LEFT JOIN place ON place.name IS NOT DISTINCT FROM i.country");
  }
  if (format.songInName === true) values["song_id"] = String(register.idOf(timelineSong(name)));
  else if ("song_id" in columns && layout.columns["title"] !== undefined && !("title" in columns)) {
    await mapSongs(database, layout, register);
    values["song_id"] = "named.song_id";
    const sameIsrc = layout.columns["isrc"] === undefined ? "" : "AND named.isrc IS NOT DISTINCT FROM i.isrc";
    joins.push(
      `LEFT JOIN named ON named.title = i.title ${sameIsrc} ${isTotal(format) ? "AND named.row = i.rowid" : ""}`,
    );
  }
  const list = Object.entries(values).map(([column, sql]) => `${sql} AS ${column}`);
  const rows = `SELECT ${list.join(", ")}, i.rowid AS place_in_file FROM incoming i ${joins.join(" ")} WHERE i.reason IS NULL`;
  if (format.table === "sale") return insertSales(database, rows);
  const missing = Object.entries(columns).filter(([column]) => values[column] === undefined);
  const nulls = missing.map(([column, type]) => `, NULL::${type} AS ${column}`).join("");
  await database.run(`
    CREATE OR REPLACE TEMP TABLE fresh AS
    SELECT *, ${quoted(precedence)} AS precedence FROM (SELECT *${nulls} FROM (${rows}))
    QUALIFY row_number() OVER (PARTITION BY ${key.join(", ")} ORDER BY place_in_file DESC) = 1`);
  await mergeFresh(database, format.table);
}

/** DuckDB takes time in line with the square of the columns that a line has too many: 20 million of them take a second. */
const MOST_RAGGED = 20_000_000;

async function isRagged(database: Database, path: string, { delimiter, width }: Layout): Promise<boolean> {
  const options =
    "auto_detect = false, header = false, ignore_errors = true, hive_partitioning = false, compression = 'none'";
  const [row] = await database.rows(`
    SELECT sum(extra * extra) AS work FROM (
      SELECT greatest(0, length(text) - length(replace(text, ${quoted(delimiter)}, '')) - ${width})::DOUBLE AS extra FROM (
        SELECT regexp_replace(line, '"[^"]*"', '', 'g') AS text
        FROM read_csv(${quoted(literalPath(path))}, ${options}, delim = chr(1), quote = '', escape = '', columns = {'line': 'VARCHAR'})))`);
  return Number(row?.["work"] ?? 0) > MOST_RAGGED;
}

/** Answers how many lines are no rows of the table. */
async function readWith(database: Database, path: string, layout: Layout, quote: string): Promise<number> {
  const { format, delimiter, headerLines, width, columns } = layout;
  const names = Array.from({ length: width }, (_, index) => `${quoted(`c${index}`)}: 'VARCHAR'`);
  const options = [
    "auto_detect = false, header = false, ignore_errors = true, store_rejects = true",
    // Of a path only the file counts: neither values in the names of folders nor a compression by its ending.
    "hive_partitioning = false, compression = 'none'",
    `skip = ${headerLines}, delim = ${quoted(delimiter)}, quote = ${quoted(quote)}, escape = ${quoted(quote)}`,
    `columns = {${names.join(", ")}}`,
  ];
  const source = `read_csv(${quoted(literalPath(path))}, ${options.join(", ")})`;
  const hasCommas = delimiter === ";" && (await usesDecimalComma(database, source, layout));
  const cells = Object.entries(columns).map(([name, index]) => {
    const type = format.columns[name]?.type ?? "text";
    const fallback = format.titleFallback === undefined ? undefined : columns[format.titleFallback];
    const own = quote === "" ? unquotedSql(`c${index}`) : `c${index}`;
    const cell =
      name === "title" && fallback !== undefined ? `coalesce(nullif(trim(${own}), ''), c${fallback})` : own;
    return { name, cell, sql: cellSql(type, cell, hasCommas) };
  });
  const typed = cells.flatMap(({ name, cell, sql }) => [
    `${sql} AS ${name}`,
    ...filledSql(format, name, cell),
  ]);
  const { omit } = format;
  const omitted = omit === undefined ? undefined : columns[omit.column];
  const values = (omit?.values ?? []).map(quoted).join(", ");
  typed.push(`${omitted === undefined ? "false" : `lower(trim(c${omitted})) IN (${values})`} AS omitted`);
  await database.run("DROP TABLE IF EXISTS reject_errors; DROP TABLE IF EXISTS reject_scans");
  await database.run(`
    CREATE OR REPLACE TEMP TABLE incoming AS
    SELECT ${Object.keys(columns).join(", ")}, ${reasonSql(layout)} AS reason FROM (SELECT ${typed.join(", ")} FROM ${source})`);
  const [row] = await database.rows("SELECT count(DISTINCT line)::BIGINT AS lines FROM reject_errors");
  return Number(row?.["lines"] ?? 0);
}

/** Whether an optional figure is there: an empty one is missing, not unreadable. */
function filledSql(format: Format, name: string, cell: string): readonly string[] {
  const column = format.columns[name];
  if (column?.optional !== true || FAULTS[column.type] === undefined) return [];
  return [`trim(${cell}) NOT IN ('', '-', '–', '—', 'N/A', 'n/a') AS has_${name}`];
}

/** Why a row cannot be used; the empty text for one that is left out because others say the same. */
function reasonSql({ format, columns }: Layout): string {
  const cases = ["WHEN omitted THEN ''"];
  for (const [name, { type, label, optional, signed }] of Object.entries(format.columns)) {
    if (columns[name] === undefined) continue;
    const fault = FAULTS[type];
    const isNone = `(${name} IS NULL${FIGURES.has(type) && signed !== true ? ` OR ${name} < 0` : ""})`;
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

async function firstReasons(database: Database, { headerLines }: Layout): Promise<readonly string[]> {
  const cells = await database.rows(
    `SELECT rowid::BIGINT AS place, reason FROM incoming WHERE reason <> '' ORDER BY rowid LIMIT ${NAMED_REASONS}`,
  );
  const rejects = await database.rows(
    "SELECT line::BIGINT AS line, any_value(error_type)::VARCHAR AS type FROM reject_errors GROUP BY line ORDER BY line LIMIT 1000",
  );
  const broken = rejects.map((row) => ({
    line: Number(row["line"]),
    reason: REJECTS[String(row["type"])] ?? "it is no row of the table",
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

/** Songs of one title in one table are told apart by their release, the older first. */
async function mapSongs(
  database: Database,
  { format, columns }: Layout,
  register: SongRegister,
): Promise<void> {
  const isrc = columns["isrc"] === undefined ? "NULL" : "isrc";
  const order = columns["released_on"] === undefined ? "rowid" : "released_on, rowid";
  const names = isTotal(format)
    ? `SELECT title, ${isrc} AS isrc, rowid::BIGINT AS row,
         (row_number() OVER (PARTITION BY title ORDER BY ${order}) - 1)::INTEGER AS place FROM incoming WHERE reason IS NULL ORDER BY ${order}`
    : `SELECT title, ${isrc} AS isrc, NULL AS row, 0 AS place FROM incoming WHERE reason IS NULL GROUP BY 1, 2 ORDER BY min(rowid)`;
  const rows = await database.rows(names);
  await database.run(
    "CREATE OR REPLACE TEMP TABLE named (title VARCHAR, isrc VARCHAR, row INTEGER, song_id INTEGER)",
  );
  await database.append(
    "named",
    rows.map((row) => {
      const title = String(row["title"]);
      const known = typeof row["isrc"] === "string" ? { isrc: row["isrc"] } : {};
      const id = register.idOf({ title, order: Number(row["place"]), ...known });
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

/** Files of some countries have `1.234,56`, and `1.234` for a count; decided once for a file. */
async function usesDecimalComma(
  database: Database,
  source: string,
  { format, columns }: Layout,
): Promise<boolean> {
  const figures = Object.entries(columns).flatMap(([name, index]) => {
    const type = format.columns[name]?.type ?? "";
    if (type === "count") return [`regexp_full_match(c${index}, '\\s*-?\\d{1,3}(?:\\.\\d{3})+\\s*')`];
    const isFigure = ["amount", "number", "average"].includes(type);
    return isFigure ? [`regexp_matches(c${index}, '\\.\\d{3},|,\\d{1,2}$|,\\d{4,}$')`] : [];
  });
  if (figures.length === 0) return false;
  const [row] = await database.rows(`SELECT bool_or(${figures.join(" OR ")}) AS comma FROM ${source}`);
  return row?.["comma"] === true;
}

/** Without the quotes round a cell, where quotes are read as signs like others. */
function unquotedSql(cell: string): string {
  return `CASE WHEN length(${cell}) > 1 AND ${cell}[1] = '"' AND ${cell}[-1] = '"' THEN replace(${cell}[2:-2], '""', '"') ELSE ${cell} END`;
}

/** A path in which no sign stands for several files. */
function literalPath(path: string): string {
  return path.replaceAll(/[[*?]/gu, "[$&]");
}
