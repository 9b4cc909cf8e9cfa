import type { Database } from "./database.ts";
import type { DayRange } from "./day.ts";
import { textOf, type ResultRow } from "./result-row.ts";
import { CHANGE, IN_PREVIOUS, IN_RANGE, SERIES, parametersOf, type Scope } from "./scope.ts";

/** The first and last day with daily figures. */
export async function dailyCoverage(database: Database): Promise<DayRange | undefined> {
  return coverageOf(
    await database.rows(`SELECT min(date)::VARCHAR AS first, max(date)::VARCHAR AS last FROM (SELECT coalesce(a.date, s.date) AS date, coalesce(a.plays, s.plays) AS plays
    FROM account_day a FULL JOIN (SELECT date, sum(plays) AS plays FROM song_day GROUP BY date) s ON a.date = s.date) AS daily`),
  );
}

/** Sum, average and best day of the plays, and sum and average of the range before. */
export async function playsIn(database: Database, scope: Scope): Promise<ResultRow> {
  const sql = `
    WITH ${SERIES}, sums AS (
      SELECT sum(plays) FILTER (${IN_RANGE}) AS current, sum(plays) FILTER (${IN_PREVIOUS}) AS previous,
        count(*) FILTER (${IN_RANGE}) AS days, count(*) FILTER (${IN_PREVIOUS}) AS previous_days
      FROM series),
    best AS (SELECT date, plays FROM series WHERE ${IN_RANGE} ORDER BY plays DESC, date LIMIT 1)
    SELECT current::BIGINT AS plays, previous::BIGINT AS previous, ${CHANGE},
      round(current / nullif(days, 0))::BIGINT AS average, round(previous / nullif(previous_days, 0))::BIGINT AS previous_average,
      (SELECT date::VARCHAR FROM best) AS best_day, (SELECT plays::BIGINT FROM best) AS best_plays
    FROM sums`;
  const [row] = await database.rows(sql, parametersOf(scope));
  return row ?? {};
}

/** Plays by buckets of `size` days from the range's first day on, each beside the same bucket of the range before. */
export async function trendIn(database: Database, scope: Scope, size: 1 | 7): Promise<readonly ResultRow[]> {
  const sql = `
    WITH ${SERIES},
    now AS (SELECT (date - $from::DATE) // $size AS bucket, sum(plays) AS plays FROM series WHERE ${IN_RANGE} GROUP BY 1),
    before AS (SELECT (date - $previousFrom::DATE) // $size AS bucket, sum(plays) AS plays FROM series WHERE ${IN_PREVIOUS} GROUP BY 1),
    joined AS (
      SELECT bucket, now.plays AS current, before.plays AS previous
      FROM range(0, ($to::DATE - $from::DATE) // $size + 1) AS buckets(bucket)
      LEFT JOIN now USING (bucket) LEFT JOIN before USING (bucket))
    SELECT ($from::DATE + (bucket * $size)::INTEGER)::VARCHAR AS first,
      least($from::DATE + (bucket * $size + $size - 1)::INTEGER, $to::DATE)::VARCHAR AS last,
      current::BIGINT AS plays, previous::BIGINT AS previous, ${CHANGE}
    FROM joined ORDER BY bucket`;
  return database.rows(sql, { ...parametersOf(scope), size });
}

/** Days of the range and the one before, from the series' first day on, that no file has. */
export async function missingDays(database: Database, scope: Scope): Promise<readonly string[]> {
  const first = scope.previous?.from ?? scope.range.from;
  const sql = `
    WITH ${SERIES}
    SELECT day::DATE::VARCHAR AS day FROM generate_series($first::DATE, $to::DATE, INTERVAL 1 DAY) AS days(day)
    WHERE day::DATE >= (SELECT min(date) FROM series) AND day::DATE NOT IN (SELECT date FROM series)
    ORDER BY 1`;
  return (await database.rows(sql, { ...parametersOf(scope), first })).map((row) => textOf(row, "day"));
}

/** The range out of a `first` and a `last` column. */
export function coverageOf([row]: readonly ResultRow[]): DayRange | undefined {
  const from = row === undefined ? "" : textOf(row, "first");
  const to = row === undefined ? "" : textOf(row, "last");
  return from === "" || to === "" ? undefined : { from, to };
}
