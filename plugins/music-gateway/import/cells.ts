import { dayForms, MONTH_FORMS, type DayOrder } from "./days.ts";
import { figurePattern, thousandsLike, type DecimalSign } from "./figures.ts";
import type { CellType } from "./formats.ts";
import { quoted } from "../store/database.ts";

/** Settings for reading the cells of a file. */
interface Conventions {
  readonly decimal: DecimalSign;
  readonly dates: DayOrder | null;
}

const ISRC = String.raw`'[A-Z]{2}[A-Z0-9]{3}\d{7}'`;
/** Text of printable ASCII, kana and Han, without surrounding spaces: it needs no cleaning, which halves the time. */
const PLAIN = "'[!-~ぁ-ヿ一-鿿](?:[ -~ぁ-ヿ一-鿿]*[!-~ぁ-ヿ一-鿿])?'";

/** The SQL expression that converts a cell of text to a type; NULL if it cannot. */
export function cellSql(type: CellType, cell: string, { decimal, dates }: Conventions): string {
  switch (type) {
    case "text":
    case "country":
      return textSql(cell);
    case "line":
      return `nullif(trim(${inertSql(`regexp_replace(${cell}, '\\s+', ' ', 'g')`)}), '')`;
    case "day":
      return daySql(cell, dates);
    case "month":
      return `date_trunc('month', coalesce(TRY_CAST(CASE WHEN ${cell} LIKE '____-__' THEN ${cell} || '-01' END AS DATE), try_strptime(trim(${cell}), ${listed(MONTH_FORMS)})::DATE, ${daySql(cell, dates)}, ${quarterSql(cell)}))::DATE`;
    case "stamp":
      // The day of an ISO date is its own text.
      return `CASE WHEN ${cell} LIKE '____-__-__' AND TRY_CAST(${cell} AS DATE) IS NOT NULL THEN ${cell} ELSE coalesce(${daySql(cell, dates)}::VARCHAR, ${textSql(cell)}) END`;
    case "count":
      return `coalesce(CASE WHEN NOT contains(${cell}, '.') THEN TRY_CAST(${cell} AS BIGINT) END, ${wholeSql(cell, decimal)})`;
    case "average":
    case "number":
    case "amount":
      return figureSql(cell, decimal);
    case "currency":
      return `CASE WHEN regexp_full_match(trim(${cell}), '[A-Za-z]{3}') THEN upper(trim(${cell})) END`;
    case "isrc":
      return `CASE WHEN regexp_full_match(${cell}, ${ISRC}) THEN ${cell} WHEN regexp_full_match(replace(upper(trim(${cell})), '-', ''), ${ISRC}) THEN replace(upper(trim(${cell})), '-', '') END`;
  }
}

/** Most figures are plain; only the others need the slower pattern. */
function figureSql(cell: string, decimal: DecimalSign): string {
  const plain =
    decimal === "point"
      ? `TRY_CAST(${cell} AS DECIMAL(18, 9))`
      : `CASE WHEN NOT contains(${cell}, '.') THEN TRY_CAST(replace(${cell}, ',', '.') AS DECIMAL(18, 9)) END`;
  return `coalesce(${plain}, ${patternSql(cell, decimal)})`;
}

function patternSql(cell: string, decimal: DecimalSign): string {
  const bare = `regexp_replace(replace(${cell}, '−', '-'), ${quoted(decimal === "point" ? "[^-+0-9.eE]" : "[^-+0-9,eE]")}, '', 'g')`;
  const digits = decimal === "point" ? bare : `replace(${bare}, ',', '.')`;
  return `CASE WHEN regexp_full_match(trim(${cell}), ${quoted(figurePattern(decimal))}) THEN TRY_CAST(${digits} AS DECIMAL(28, 9)) END`;
}

function wholeSql(cell: string, decimal: DecimalSign): string {
  const figure = patternSql(cell, decimal);
  return `CASE WHEN NOT regexp_full_match(trim(${cell}), ${quoted(thousandsLike(decimal))}) AND ${figure} = trunc(${figure}) THEN TRY_CAST(${figure} AS BIGINT) END`;
}

function textSql(cell: string): string {
  return `CASE WHEN regexp_full_match(${cell}, ${PLAIN}) THEN ${cell} ELSE nullif(trim(${inertSql(cell)}), '') END`;
}

/** Removes control characters and Unicode Bidi_Control characters, since names of songs and places appear in answers. */
function inertSql(cell: string): string {
  return `regexp_replace(${cell}, '[\\p{Cc}\\p{Zl}\\p{Zp}\\x{061C}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]+', '', 'g')`;
}

/**
 * Each expression occurs only once: DuckDB would compute a repeated one for every row, even if the first alternative succeeds. The cast is
 * limited to ISO dates, since DuckDB also accepts words such as "epoch" and short years.
 */
function daySql(cell: string, dates: DayOrder | null): string {
  return `coalesce(TRY_CAST(CASE WHEN ${cell} LIKE '____-__-__%' THEN ${cell} END AS DATE), CASE WHEN regexp_matches(${cell}, '[0-9]') THEN try_strptime(trim(${cell}), ${listed(dayForms(dates))})::DATE END)`;
}

/** A quarter counts as its last month, in which it is accounted for: `2Q2026`, `Q2 2026`. */
function quarterSql(cell: string): string {
  const quarter = `regexp_extract(upper(trim(${cell})), '^Q?([1-4])Q?[ -]?(\\d{4})$', ['quarter', 'year'])`;
  return `CASE WHEN regexp_full_match(upper(trim(${cell})), '(Q[1-4]|[1-4]Q)[ -]?\\d{4}') THEN TRY_CAST(${quarter}.year || '-' || (${quarter}.quarter::INTEGER * 3) || '-01' AS DATE) END`;
}

function listed(formats: readonly string[]): string {
  return `[${formats.map(quoted).join(", ")}]`;
}
