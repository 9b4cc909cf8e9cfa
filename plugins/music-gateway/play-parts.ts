import type { Asked, Holdings, Part, Period } from "./asked.ts";
import { lengthOf } from "./day.ts";
import type { KindName } from "./export-kinds.ts";
import { bucketOf } from "./families.ts";
import { change, count, marked, share, table, type Section } from "./markdown.ts";
import { daysAsked, spelt } from "./periods.ts";
import { dailyCoverage, playsIn, trendIn } from "./play-queries.ts";
import { numberOf, textOf, type ResultRow } from "./result-row.ts";
import { MAX_SONGS, hasDailySongs, snapshotSongs, songsIn, videosIn } from "./song-queries.ts";
import { sentence } from "./texts.ts";

/** Where daily figures come from. */
const DAILY: readonly KindName[] = ["spotify-audience", "spotify-timeline"];
/** How many songs stand below the plays of an account. */
const TOP_SONGS = 10;

/** Plays, trend, ranking and overview: all that the daily figures answer. */
export async function playsPart(asked: Asked, holdings: Holdings): Promise<Part> {
  const { language, words } = asked;
  const data = await dailyCoverage(holdings.database);
  if (data === undefined) {
    const songs = await rankingSection(asked, holdings, undefined, MAX_SONGS);
    return {
      kinds: ["spotify-songs"],
      sections: [{ heading: words.plays, blocks: [sentence("no-daily", language)] }, songs],
      period: undefined,
    };
  }
  const period = daysAsked(asked, data);
  if (typeof period === "string")
    return { kinds: DAILY, sections: [{ heading: words.period, blocks: [period] }], period: undefined };
  const sections: Section[] = [];
  if (asked.family === "trend") sections.push(await trendSection(asked, holdings, period));
  else if (asked.family !== "ranking" || asked.song !== undefined)
    sections.push(await playsSection(asked, holdings, period));
  if (asked.family === "overview" || asked.family === "unknown") {
    sections.push(
      await rankingSection(asked, holdings, period, MAX_SONGS),
      await trendSection(asked, holdings, period),
    );
    if (asked.song === undefined) sections.push(...(await videoSections(asked, holdings)));
  } else if (asked.family === "ranking")
    sections.push(await rankingSection(asked, holdings, period, MAX_SONGS));
  else if (asked.family === "plays") sections.push(await rankingSection(asked, holdings, period, TOP_SONGS));
  const kinds: readonly KindName[] = (await hasDailySongs(holdings.database))
    ? DAILY
    : [...DAILY, "spotify-songs"];
  const hasVideos = sections.some(({ heading }) => heading === words.videos);
  const [first, ...others] = sections;
  const opened =
    first === undefined ? [] : [{ ...first, blocks: [period.intro, ...first.blocks] }, ...others];
  return { kinds: hasVideos ? [...kinds, "youtube-table"] : kinds, sections: opened, period };
}

async function playsSection(
  { words, song }: Asked,
  { database }: Holdings,
  { scope }: Period,
): Promise<Section> {
  const row = await playsIn(database, scope);
  const best = textOf(row, "best_day");
  const rows = [
    [
      words.totalPlays,
      count(numberOf(row, "plays")),
      count(numberOf(row, "previous")),
      change(numberOf(row, "change")),
    ],
    [words.averagePlays, count(numberOf(row, "average")), count(numberOf(row, "previous_average")), "—"],
    [words.bestDay, best === "" ? "—" : `${count(numberOf(row, "best_plays"))} (${best})`, "—", "—"],
  ];
  return { heading: song === undefined ? words.plays : words.songPlays, blocks: [table(words.metric, rows)] };
}

async function trendSection(asked: Asked, { database }: Holdings, { scope }: Period): Promise<Section> {
  const { words } = asked;
  const size = bucketOf(asked.question) ?? (asked.family !== "trend" || lengthOf(scope.range) > 31 ? 7 : 1);
  const rows = await trendIn(database, scope, size);
  const cells = rows.map((row) => [
    spelt({ from: textOf(row, "first"), to: textOf(row, "last") }, words.to),
    count(numberOf(row, "plays")),
    count(numberOf(row, "previous")),
    change(numberOf(row, "change")),
  ]);
  const total = await playsIn(database, scope);
  const sum = [
    words.totalPlays,
    count(numberOf(total, "plays")),
    count(numberOf(total, "previous")),
    change(numberOf(total, "change")),
  ];
  return { heading: words.trend, blocks: [table(words.metric, [sum]), table(words.bucket, cells)] };
}

async function rankingSection(
  asked: Asked,
  { database, songs }: Holdings,
  period: Period | undefined,
  limit: number,
): Promise<Section> {
  const { words, language } = asked;
  const isDaily = period !== undefined && (await hasDailySongs(database));
  const rows = isDaily
    ? await songsIn(database, period.scope, limit)
    : await snapshotSongs(database, asked.song?.id, limit);
  const blocks: string[] = [];
  if (rows.every((row) => numberOf(row, "plays") === undefined)) blocks.push(sentence("no-songs", language));
  else if (!isDaily) blocks.push(sentence("snapshot", language));
  if (rows.length > 0) blocks.push(table(words.song, rows.map(songCells)));
  if (asked.song === undefined && limit === MAX_SONGS && songs.length > limit) {
    blocks.push(sentence("cut", language, { COUNT: String(limit) }));
  }
  return { heading: words.ranking, blocks };
}

async function videoSections({ words }: Asked, { database }: Holdings): Promise<readonly Section[]> {
  const rows = await videosIn(database);
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [textOf(row, "title"), count(numberOf(row, "views"))]);
  return [{ heading: words.videos, blocks: [table(words.video, cells)] }];
}

function songCells(row: ResultRow): readonly string[] {
  return [
    String(numberOf(row, "rank")),
    marked(textOf(row, "title")),
    String(numberOf(row, "id")),
    count(numberOf(row, "plays")),
    share(numberOf(row, "share")),
    change(numberOf(row, "change")),
  ];
}
