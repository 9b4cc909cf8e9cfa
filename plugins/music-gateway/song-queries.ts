import type { Database } from "./database.ts";
import type { ResultRow } from "./result-row.ts";
import { CHANGE, IN_PREVIOUS, IN_RANGE, parametersOf, type Scope } from "./scope.ts";

/** The most songs of one answer. */
export const MAX_SONGS = 500;

/** Whether there are daily figures by song; without them the songs table's sums are used. */
export async function hasDailySongs(database: Database): Promise<boolean> {
  return (await database.rows("SELECT 1 AS found FROM song_day LIMIT 1")).length > 0;
}

/** All songs by plays, with their share of all songs' plays; `$limit` of them, or the one song. */
export async function songsIn(
  database: Database,
  scope: Scope,
  limit: number,
): Promise<readonly ResultRow[]> {
  const sql = `
    WITH sums AS (
      SELECT song_id, sum(plays) FILTER (${IN_RANGE}) AS current, sum(plays) FILTER (${IN_PREVIOUS}) AS previous
      FROM song_day GROUP BY song_id),
    ${rankedFrom("sums")}
    SELECT rank, id, title, plays, share, ${CHANGE} FROM ranked
    WHERE $song::INTEGER IS NULL OR id = $song::INTEGER ORDER BY rank LIMIT $limit`;
  return database.rows(sql, { ...parametersOf(scope), limit });
}

/** The same out of the songs table: the sums of the window it was exported for. */
export async function snapshotSongs(
  database: Database,
  songId: number | undefined,
  limit: number,
): Promise<readonly ResultRow[]> {
  const sql = `
    WITH sums AS (SELECT song_id, plays AS current, NULL AS previous FROM song_total),
    ${rankedFrom("sums")}
    SELECT rank, id, title, plays, share FROM ranked
    WHERE $song::INTEGER IS NULL OR id = $song::INTEGER ORDER BY rank LIMIT $limit`;
  return database.rows(sql, { song: songId ?? null, limit });
}

/** Videos by views, as the table data have them. */
export async function videosIn(database: Database): Promise<readonly ResultRow[]> {
  return database.rows("SELECT title, views FROM video ORDER BY views DESC, title LIMIT 10");
}

function rankedFrom(sums: string): string {
  return `ranked AS (
      SELECT row_number() OVER (ORDER BY current DESC NULLS LAST, song.id)::INTEGER AS rank, song.id, title,
        current, previous, current::BIGINT AS plays,
        round(100.0 * current / nullif(sum(current) OVER (), 0), 1)::DOUBLE AS share
      FROM song LEFT JOIN ${sums} ON song_id = song.id)`;
}
