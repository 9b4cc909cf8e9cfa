import { textOf } from "./figures.ts";
import { column, rectangle, worded, type Block } from "./rectangle.ts";
import type { Question } from "./wording.ts";

interface Release {
  readonly id: string;
  readonly releasedOn: string;
  readonly firstDay: string;
}

/** The release day of each song in the files, latest first, with its first day with figures. */
export async function releaseBlocks({ reading, wording, collection }: Question): Promise<readonly Block[]> {
  const { songs, withoutSongs = [] } = reading.filters;
  const found = await collection.rows(
    `SELECT id::VARCHAR AS id, released_on::VARCHAR AS released, first::VARCHAR AS first
     FROM song LEFT JOIN (SELECT song_id, min(date) AS first FROM song_day GROUP BY song_id) ON song_id = id
     ORDER BY coalesce(released_on, first) DESC NULLS LAST, id`,
  );
  const rows = found
    .map((row): Release => ({
      id: textOf(row, "id"),
      releasedOn: textOf(row, "released"),
      firstDay: textOf(row, "first"),
    }))
    .filter(({ id }) => songs?.includes(Number(id)) !== false && !withoutSongs.includes(Number(id)));
  if (rows.every(({ releasedOn }) => releasedOn === "")) return [wording.say("no-releases")];
  const table = rectangle<Release>(
    [
      column("song", wording.split("song"), "text", ({ id }) => worded(wording.song(id))),
      column("song_id", "songId", "count", ({ id }) => ({ value: Number(id), text: id })),
      column("released_on", wording.say("released-on"), "text", ({ releasedOn }) => worded(releasedOn)),
      column("first_day", wording.say("first-day"), "text", ({ firstDay }) => worded(firstDay)),
    ],
    rows.slice(0, 500),
  );
  return [table];
}
