import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import fc from "fast-check";
import { RemoveCommand } from "../remove-command.ts";
import tables from "../store/tables.json" with { type: "json" };
import { gatewayIn } from "./gateway-harness.ts";

const DISTROKID =
  "Reporting Date,Sale Month,Store,Title,ISRC,Quantity,Song/Album,Country of Sale,Earnings (USD)";
const [ISRC, OTHER_ISRC] = ["TWA452300001", "TWA452300002"];

const timeline = (from: number, to: number, factor: number): string =>
  `date,streams\n${Array.from({ length: to - from + 1 }, (_, index) => `2026-05-0${from + index},${(from + index) * factor}\n`).join("")}`;
const audience = (from: number, to: number, factor: number): string =>
  `date,listeners,monthly listeners,streams,followers\n${Array.from({ length: to - from + 1 }, (_, index) => `2026-05-0${from + index},${factor},9,${factor * 2},1\n`).join("")}`;
const statement = (...rows: readonly string[]): string =>
  `${DISTROKID}\n${rows.map((row) => `2026-07-01,${row},TW,0.50\n`).join("")}`;
const songs = (...rows: readonly string[]): string =>
  `song,listeners,streams,saves,release_date\n${rows.map((row) => `${row}\n`).join("")}`;

/** Files that have days, sales, titles and ISRCs in common. */
const POOL: readonly (readonly [name: string, content: string])[] = [
  ["Beta-timeline.csv", timeline(1, 4, 10)],
  ["Beta-timeline (1).csv", timeline(2, 4, 11)],
  ["Beta-timeline (2).csv", timeline(1, 6, 12)],
  [`Beta [${ISRC}]-timeline.csv`, timeline(3, 5, 13)],
  [`Beta [${OTHER_ISRC}]-timeline.csv`, timeline(2, 5, 14)],
  ["Two_-timeline.csv", timeline(1, 2, 15)],
  ["songs.csv", songs("Beta,1,2,3,2024-03-15", "Beta,4,5,6,2025-03-15", "Gamma,7,8,9,2024-01-01")],
  ["songs 2.csv", songs("Beta,2,3,4,2024-03-15", "Two?,2,3,4,2024-04-15")],
  [
    "one.csv",
    statement(
      `2026-05,Spotify,Beta,${OTHER_ISRC},3,Song`,
      `2026-05,Spotify,Beta,${OTHER_ISRC},3,Song`,
      `2026-05,Spotify,Beta,${ISRC},3,Song`,
    ),
  ],
  [
    "two.csv",
    statement(`2026-05,Spotify,Beta,${OTHER_ISRC},3,Song`, "2026-06,Tidal,Gamma,TWA452300003,4,Song"),
  ],
  [
    "three.csv",
    statement(
      ...Array.from({ length: 3 }, () => `2026-05,Spotify,Beta,${OTHER_ISRC},3,Song`),
      "2026-06,Tidal,Two?,,4,Song",
    ),
  ],
  ["Me-audience-timeline.csv", audience(1, 3, 5)],
  ["Me-audience-timeline (1).csv", audience(2, 5, 6)],
  ["places.csv", "Country or Region,Plays,Shazams\nJapan,40,2\nUnited Kingdom,30,1\n"],
  ["places 2.csv", "Country or Region,Plays,Shazams\nJapan,41,2\nFrance,31,1\n"],
  ["Geography 2026-09-01_2026-09-30 Mira.csv", "Geography,Views\nTotal,70\nUS,50\nJP,20\n"],
  ["Geography 2026-10-01_2026-10-31 Mira.csv", "Geography,Views\nTotal,90\nUS,60\nFR,30\n"],
  ["Age 2026-09.csv", "Viewer age,Views (%)\n18–24 years,40\n25–34 years,60\n"],
  ["Age 2026-10.csv", "Viewer age,Views (%)\n18–24 years,30\n35–44 years,70\n"],
  ["Table.csv", "Content,Video title,Video publish time,Views\nab,Gamma (Official Video),2026-01-01,9\n"],
  [
    "Table 2.csv",
    "Content,Video title,Video publish time,Views\nab,Two?,2026-01-01,7\nac,Beta,2026-01-02,8\n",
  ],
  // A later download of a window replaces a whole table, one of another window nothing.
  ["Me-songs-28day.csv", songs("Beta,1,2,3,2024-03-15", "Gamma,7,8,9,2024-01-01")],
  ["Me-songs-28day (1).csv", songs("Beta,2,3,4,2024-03-15", "Delta,7,8,9,2024-01-01")],
  ["Me-songs-28day (2).csv", songs("Delta,2,3,4,2024-01-01")],
  ["You-songs-28day.csv", songs("Delta,5,6,7,2024-01-01", "Gamma,1,1,1,2024-01-01")],
  ["Me-songs-all.csv", songs("Beta,0,20,0,2024-03-15", "Delta,0,30,0,2024-01-01")],
];

type Gateway = Awaited<ReturnType<typeof gatewayIn>>;

/** The tables with songs and files by their order instead of their ids, which depend on earlier imports. */
async function contentOf({ values }: Gateway): Promise<Readonly<Record<string, unknown>>> {
  const order = `WITH song_order AS (SELECT song_id, row_number() OVER (ORDER BY min(file * 1000 + number)) AS place FROM song_name GROUP BY 1),
    file_order AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM file)`;
  const songPlace = (column: string): string =>
    `(SELECT place FROM song_order AS so WHERE so.song_id = t.${column})`;
  const content: Record<string, unknown> = {
    file: await values(
      "SELECT name, kind, rows, first_day::VARCHAR, last_day::VARCHAR, span FROM file ORDER BY id",
    ),
    song: await values(
      `${order} SELECT title, isrc, released_on::VARCHAR, (SELECT place FROM song_order WHERE song_id = id) AS place FROM song ORDER BY place, title, isrc, 3`,
    ),
    catalog: (
      await values("SELECT json_extract(value, ['$.stores', '$.countries'])::VARCHAR FROM meta")
    ).flat(),
  };
  for (const [table, { columns }] of Object.entries(tables)) {
    const list = Object.keys(columns).map((column) =>
      column.endsWith("song_id") ? songPlace(column) : `t.${column}`,
    );
    const file = "(SELECT place FROM file_order WHERE id = t.file)";
    // Of equal sales of several statements any one counts.
    const own = table === "sale" ? list : [...list, file];
    content[table] = await values(
      `${order} SELECT (${own.join(", ")})::VARCHAR AS row FROM ${table} AS t ORDER BY row`,
    );
  }
  return content;
}

/**
 * Imports and removes random files, and compares the library with one that is built from the originals that are left, with and
 * without the ids of earlier songs.
 */
export async function comparePartitions(context: TestContext, seed: number, numRuns: number): Promise<void> {
  const some = (minLength: number, maxLength: number) =>
    fc.uniqueArray(fc.nat(POOL.length - 1), { minLength, maxLength });
  const steps = fc.tuple(some(10, POOL.length), some(3, 6), some(2, 4));
  const property = fc.asyncProperty(steps, async (changes) => {
    const gateway = await gatewayIn(context);
    const { library, collections } = gateway;
    const there = new Set<string>();
    for (const change of changes) {
      const files = change.map((place) => POOL[place] as (typeof POOL)[number]);
      const removed = files.map(([name]) => name).filter((name) => there.delete(name));
      const added = files.filter(([name]) => !removed.includes(name));
      if (removed.length > 0) await new RemoveCommand(library).run({ files: removed });
      if (added.length > 0) await gateway.take(Object.fromEntries(added));
      for (const [name] of added) there.add(name);
    }
    if (there.size === 0) return;
    const content = await contentOf(gateway);
    assert.equal((content["file"] as readonly unknown[]).length, there.size);
    await collections.close();
    for (const lost of [[], [join(library.folder, "songs.json")]]) {
      for (const path of [library.databasePath(await library.holdings()), ...lost]) await rm(path);
      const rebuilt = await gatewayIn({ after: () => undefined }, gateway.folder);
      assert.deepEqual(content, await contentOf(rebuilt), JSON.stringify(changes));
      await rebuilt.collections.close();
    }
  });
  // A title means another song, and equal sales come from another statement, when the first file is removed.
  const examples: [[number[], number[], number[]]][] = [[[[3, 4, 0], [3], []]], [[[10, 8, 9], [10], []]]];
  await fc.assert(property, { seed, numRuns, examples });
}
