import type { Parameters } from "./database.ts";
import type { DayRange } from "./day.ts";

/** What figures are about: a range, the equal range before it, and one song or the whole account. */
export interface Scope {
  readonly range: DayRange;
  /** Undefined when it is not inside the data, so that a change would mean nothing. */
  readonly previous: DayRange | undefined;
  readonly songId: number | undefined;
}

/** Holds no day of any export. */
const NEVER = "1900-01-01";

/** The named parameters of a statement about a scope. */
export function parametersOf({ range, previous, songId }: Scope): Parameters {
  return {
    from: range.from,
    to: range.to,
    previousFrom: previous?.from ?? NEVER,
    previousTo: previous?.to ?? NEVER,
    song: songId ?? null,
  };
}

/** Days and plays of the account, or of the one song. */
export const SERIES = `
  series AS (
    SELECT date, plays FROM (SELECT coalesce(a.date, s.date) AS date, coalesce(a.plays, s.plays) AS plays
    FROM account_day a FULL JOIN (SELECT date, sum(plays) AS plays FROM song_day GROUP BY date) s ON a.date = s.date) AS daily WHERE $song::INTEGER IS NULL
    UNION ALL SELECT date, plays FROM song_day WHERE song_id = $song::INTEGER
  )`;
export const IN_RANGE = "date BETWEEN $from::DATE AND $to::DATE";
export const IN_PREVIOUS = "date BETWEEN $previousFrom::DATE AND $previousTo::DATE";
export const CHANGE =
  "CASE WHEN previous > 0 THEN round(100.0 * (current - previous) / previous, 1)::DOUBLE END AS change";
