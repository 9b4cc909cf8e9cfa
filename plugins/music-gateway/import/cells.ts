import type { CellType } from "./format.ts";

/** What a cell of a type is when it cannot be read, for "streams is no count". */
export const FAULTS: Readonly<Partial<Record<CellType, string>>> = {
  day: "no day",
  month: "no month",
  count: "no count",
  average: "no number",
  number: "no number",
  amount: "no amount",
  currency: "no currency",
};

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
export function cellSql(type: CellType, cell: string, hasDecimalComma: boolean): string {
  const figure = hasDecimalComma
    ? `replace(replace(trim(${cell}), '.', ''), ',', '.')`
    : `replace(trim(${cell}), ',', '')`;
  switch (type) {
    case "text":
      return `nullif(trim(${cell}), '')`;
    case "line":
      return `nullif(trim(regexp_replace(${cell}, '\\s+', ' ', 'g')), '')`;
    case "day":
      return daySql(cell);
    case "month":
      return `date_trunc('month', coalesce(TRY_CAST(${cell} || '-01' AS DATE), try_strptime(trim(${cell}), ${listed(MONTHS)})::DATE, ${daySql(cell)}))::DATE`;
    case "count": {
      const grouped = hasDecimalComma ? "\\d{1,3}(?:\\.\\d{3})+" : "\\d{1,3}(?:,\\d{3})+";
      const whole = hasDecimalComma
        ? `replace(${cell}, '.', '')`
        : `replace(split_part(${cell}, '.', 1), ',', '')`;
      return `CASE WHEN regexp_full_match(${cell}, '\\s*-?\\d+\\s*') THEN TRY_CAST(${cell} AS BIGINT)
        WHEN regexp_full_match(${cell}, '\\s*-?(?:${grouped}|\\d+)(?:\\.0+)?\\s*') THEN TRY_CAST(${whole} AS BIGINT) END`;
    }
    case "average":
      return `round(TRY_CAST(${figure} AS DOUBLE))::BIGINT`;
    case "number":
      return `TRY_CAST(${figure} AS DOUBLE)`;
    case "amount":
      return `coalesce(${hasDecimalComma ? "" : `TRY_CAST(${cell} AS DECIMAL(18, 9)), `}TRY_CAST(ltrim(${figure}, '$€£¥ ') AS DECIMAL(28, 9)))`;
    case "currency":
      return `CASE WHEN regexp_full_match(trim(${cell}), '[A-Za-z]{3}') THEN upper(trim(${cell})) END`;
    case "country":
      return `nullif(trim(${cell}), '')`;
    case "isrc":
      return `CASE WHEN regexp_full_match(replace(upper(trim(${cell})), '-', ''), '[A-Z]{2}[A-Z0-9]{3}\\d{7}') THEN replace(upper(trim(${cell})), '-', '') END`;
  }
}

/** No expression twice: DuckDB would then compute it for every row, also where the first way succeeds. */
function daySql(cell: string): string {
  return `coalesce(TRY_CAST(${cell} AS DATE), try_strptime(trim(${cell}), ${listed(DAYS)})::DATE)`;
}
