import type { Database } from "./database.ts";
import type { ResultRow } from "./result-row.ts";
import { IN_PREVIOUS, IN_RANGE, parametersOf, type Scope } from "./scope.ts";

/**
 * Followers and listeners of the account in a range and in the one before. Listeners are averaged and never
 * added up: the same person counts every day anew. Undefined when no file has them for the range.
 */
export async function audienceIn(database: Database, scope: Scope): Promise<ResultRow | undefined> {
  const sql = `
    SELECT max_by(followers, date) FILTER (${IN_RANGE})::BIGINT AS followers,
      max_by(followers, date) FILTER (${IN_PREVIOUS})::BIGINT AS previous_followers,
      (max_by(followers, date) FILTER (${IN_RANGE}) - min_by(followers, date) FILTER (${IN_RANGE}))::BIGINT AS gained,
      (max_by(followers, date) FILTER (${IN_PREVIOUS}) - min_by(followers, date) FILTER (${IN_PREVIOUS}))::BIGINT AS previous_gained,
      max_by(monthly_listeners, date) FILTER (${IN_RANGE})::BIGINT AS monthly,
      max_by(monthly_listeners, date) FILTER (${IN_PREVIOUS})::BIGINT AS previous_monthly,
      round(avg(listeners) FILTER (${IN_RANGE}))::BIGINT AS average,
      round(avg(listeners) FILTER (${IN_PREVIOUS}))::BIGINT AS previous_average,
      max(listeners) FILTER (${IN_RANGE})::BIGINT AS best,
      arg_max(date, (listeners, -(date - DATE '1900-01-01'))) FILTER (${IN_RANGE})::VARCHAR AS best_day
    FROM account_day`;
  const [row] = await database.rows(sql, parametersOf(scope));
  return row?.["followers"] === null ? undefined : row;
}
