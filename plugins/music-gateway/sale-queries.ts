import type { Database } from "./database.ts";
import type { DayRange } from "./day.ts";
import { coverageOf } from "./play-queries.ts";
import type { ResultRow } from "./result-row.ts";
import { CHANGE, parametersOf, type Scope } from "./scope.ts";

const OF_SONG = "($song::INTEGER IS NULL OR song_id = $song::INTEGER)";
const IN_MONTHS = "month BETWEEN $from::DATE AND $to::DATE";

/** The first day of the first and the last day of the last month with a statement. */
export async function statementCoverage(database: Database): Promise<DayRange | undefined> {
  return coverageOf(
    await database.rows(
      "SELECT min(month)::VARCHAR AS first, last_day(max(month))::VARCHAR AS last FROM sale",
    ),
  );
}

/** Quantities by country of sale, all of them, largest first. The scope's ranges are whole months. */
export async function regionsIn(database: Database, scope: Scope): Promise<readonly ResultRow[]> {
  const sql = `
    WITH sums AS (
      SELECT country, sum(units) FILTER (${IN_MONTHS}) AS current,
        sum(units) FILTER (month BETWEEN $previousFrom::DATE AND $previousTo::DATE) AS previous
      FROM sale WHERE ${OF_SONG} GROUP BY country)
    SELECT row_number() OVER (ORDER BY current DESC, country)::INTEGER AS rank, country, current::BIGINT AS plays,
      round(100.0 * current / nullif(sum(current) OVER (), 0), 1)::DOUBLE AS share, ${CHANGE}
    FROM sums WHERE current IS NOT NULL ORDER BY rank LIMIT 250`;
  return database.rows(sql, parametersOf(scope));
}

/** Quantity and income by month and currency. Amounts are decimal text with two places. */
export async function incomeByMonth(database: Database, scope: Scope): Promise<readonly ResultRow[]> {
  const sql = `
    SELECT strftime(month, '%Y-%m') AS month, currency, sum(units)::BIGINT AS quantity, round(sum(amount), 2)::DECIMAL(28, 2)::VARCHAR AS amount
    FROM sale WHERE ${IN_MONTHS} AND ${OF_SONG} GROUP BY ALL ORDER BY 1, 2 LIMIT 240`;
  return database.rows(sql, parametersOf(scope));
}

/** Income by song and currency, the largest ten of each currency. */
export async function incomeBySong(database: Database, scope: Scope): Promise<readonly ResultRow[]> {
  const sql = `
    WITH sums AS (
      SELECT song_id, currency, sum(amount) AS earned FROM sale WHERE ${IN_MONTHS} AND ${OF_SONG} GROUP BY ALL)
    SELECT row_number() OVER (PARTITION BY currency ORDER BY earned DESC, song_id)::INTEGER AS rank, song.id, title, currency,
      round(earned, 2)::DECIMAL(28, 2)::VARCHAR AS amount
    FROM sums JOIN song ON song.id = song_id QUALIFY rank <= 10 ORDER BY currency, rank`;
  return database.rows(sql, parametersOf(scope));
}
