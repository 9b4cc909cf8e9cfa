import { addDays, yearOf } from "../question/day.ts";
import type { Database } from "../store/database.ts";
import type { SongRegister } from "../store/songs.ts";

/** A song that shares its title with another, and the evidence in the files for its release. */
interface Twin {
  readonly id: number;
  /** The latest possible release: the first day with plays, or the end of the first statement month plus the time for preorders. */
  readonly latest?: string;
  /** The first day with plays, on which a song begins that was released after the others. */
  readonly first?: string;
  /** The year in its ISRC, which is assigned at or before the release. */
  readonly isrcYear?: number;
}

/** With more songs of one title, not all pairs are tried. */
const MOST = 6;

/**
 * A table of totals distinguishes songs of one title only by their release days. Assigns each such row the one song whose plays and
 * ISRC allow that day. If the files allow several, the rows become separate songs, so that no song gets another song's figures.
 */
export async function pairReleases(database: Database, register: SongRegister): Promise<void> {
  const rows = await database.rows(
    `SELECT named, released_on::VARCHAR AS day, count(DISTINCT read_song_id)::INTEGER AS songs
     FROM (FROM song_total UNION ALL FROM replaced_song_total) WHERE released_on IS NOT NULL GROUP BY ALL ORDER BY ALL`,
  );
  // If the tables of several accounts read a day as different songs, one of them would count twice.
  const uneven = new Set(rows.filter(({ songs }) => Number(songs) > 1).map(({ named }) => String(named)));
  const daysOf = new Map<string, string[]>();
  for (const { named, day } of rows)
    daysOf.set(String(named), [...(daysOf.get(String(named)) ?? []), String(day)]);
  const groups = [...daysOf]
    .map(([named, days]) => ({ named, days, songs: register.songsOfTitle(named) }))
    .filter(({ named }) => !uneven.has(named))
    .filter(({ songs, days }) => songs.length > 1 && songs.length <= MOST && days.length <= songs.length);
  if (groups.length === 0) return;
  const ids = groups.flatMap(({ songs }) => songs.map(({ id }) => id)).join(", ");
  const found = await database.rows(
    `SELECT id, first::VARCHAR AS first, coalesce(first + 1, last_day(month) + 92)::VARCHAR AS latest FROM (SELECT unnest([${ids}]) AS id)
     LEFT JOIN (SELECT song_id, min(date) AS first FROM song_day WHERE plays > 0 GROUP BY ALL) AS plays ON plays.song_id = id
     LEFT JOIN (SELECT song_id, min(month) AS month FROM sale WHERE units > 0 GROUP BY ALL) AS sales ON sales.song_id = id`,
  );
  const facts = new Map(found.map((row) => [Number(row["id"]), row]));
  const pairs = groups.flatMap(({ named, days, songs }) => {
    const twins = songs.map(({ id, isrc }): Twin => {
      const { first, latest } = facts.get(id) ?? {};
      return {
        id,
        ...(typeof first === "string" && { first }),
        ...(typeof latest === "string" && { latest }),
        ...(isrc !== undefined && { isrcYear: yearOfIsrc(isrc) }),
      };
    });
    const own =
      paired(days, twins) ??
      days.map((_, place) => register.idOf({ title: named, order: songs.length + place }));
    return days.map((day, place) => [named, day, own[place] ?? 0]);
  });
  await database.run("CREATE OR REPLACE TEMP TABLE pair (named VARCHAR, day DATE, song_id INTEGER)");
  await database.append("pair", pairs);
  for (const table of ["song_total", "replaced_song_total"])
    await database.run(
      `UPDATE ${table} AS total SET song_id = pair.song_id FROM pair WHERE pair.named = total.named AND day = released_on`,
    );
}

/** Gives the rows the songs as which they were originally read; the next file is compared with those. */
export async function unpairReleases(database: Database): Promise<void> {
  for (const table of ["song_total", "replaced_song_total"])
    await database.run(
      `UPDATE ${table} SET song_id = read_song_id WHERE song_id IS DISTINCT FROM read_song_id`,
    );
}

/** The song of each release day; undefined if the files allow several. */
function paired(days: readonly string[], twins: readonly Twin[]): readonly number[] | undefined {
  const all = pairings(days, twins);
  const score = (songs: readonly Twin[]): number =>
    songs.filter(({ first }, place) => first !== undefined && isNextTo(days[place] ?? "", first)).length;
  const best = Math.max(...all.map(score));
  const most = all.filter((songs) => score(songs) === best);
  // Songs without any evidence in the files are interchangeable.
  const keyOf = (songs: readonly Twin[]): string =>
    songs
      .map(({ id, latest, isrcYear }) => (latest === undefined && isrcYear === undefined ? "" : id))
      .join();
  return new Set(most.map(keyOf)).size === 1 ? most[0]?.map(({ id }) => id) : undefined;
}

/** Each way to assign every day a song that may have been released on it. */
function pairings([day, ...days]: readonly string[], twins: readonly Twin[]): readonly (readonly Twin[])[] {
  if (day === undefined) return [[]];
  return twins
    .filter(({ latest = day, isrcYear = 0 }) => day <= latest && isrcYear <= yearOf(day))
    .flatMap((twin) =>
      pairings(
        days,
        twins.filter((other) => other !== twin),
      ).map((rest) => [twin, ...rest]),
    );
}

function isNextTo(day: string, first: string): boolean {
  return addDays(day, -1) <= first && first <= addDays(day, 1);
}

/** `TWSK32600006` is of 2026, `USRC19900001` of 1999. */
function yearOfIsrc(isrc: string): number {
  const year = Number(isrc.replaceAll("-", "").slice(5, 7));
  return year + (year < 70 ? 2000 : 1900);
}
