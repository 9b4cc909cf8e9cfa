/**
 * Writes skills/music-gateway/sample/: one made-up artist in the column formats of Spotify for Artists,
 * YouTube Studio and DistroKid. Seeded, so that every run writes the same bytes.
 *
 *   node --conditions=@skillctl/source --import tsx scripts/sample-data.ts
 */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** One song of the made-up catalogue. `level` is the daily plays it settles at, `isrc` empty while unpaid. */
interface SampleSong {
  readonly title: string;
  readonly isrc: string;
  readonly released: string;
  readonly level: number;
  /** Name of the timeline file without its ending, where it is not the title with forbidden characters replaced. */
  readonly file?: string;
  readonly video?: string;
}

const ARTIST = "Mira Lin";
const FIRST_DAY = "2026-04-01";
const LAST_DAY = "2026-10-31";
const MISSING_DAYS: ReadonlySet<string> = new Set(["2026-06-14", "2026-08-23", "2026-10-12"]);
const STATEMENT_MONTHS = ["2026-04", "2026-05", "2026-06", "2026-07", "2026-08"] as const;
const STORES: readonly (readonly [name: string, share: number, pay: number])[] = [
  ["Spotify", 0.62, 0.0031],
  ["Apple Music", 0.23, 0.0064],
];
const COUNTRIES: readonly (readonly [code: string, share: number])[] = [
  ["TW", 0.31],
  ["US", 0.22],
  ["MY", 0.15],
  ["JP", 0.12],
  ["HK", 0.09],
  ["SG", 0.07],
  ["GB", 0.04],
];

const SONGS: readonly SampleSong[] = [
  { title: "晚安", isrc: "TWA452300001", released: "2023-11-11", level: 210 },
  { title: "海盐", isrc: "TWA452400002", released: "2024-03-15", level: 940, video: "海盐" },
  { title: "风筝", isrc: "TWA452400003", released: "2024-09-20", level: 560, video: "风筝" },
  { title: "Blue River", isrc: "TWA452500004", released: "2025-02-14", level: 720, video: "Blue River" },
  { title: "夜に咲く", isrc: "TWA452500005", released: "2025-06-06", level: 430 },
  { title: "文艺复兴", isrc: "TWA452500006", released: "2025-10-31", level: 380, video: "文艺复兴" },
  { title: "Golden Hour", isrc: "TWA452500007", released: "2025-12-05", level: 510, video: "Golden Hour" },
  { title: "Paper | Planes", isrc: "TWA452600008", released: "2026-03-06", level: 260 },
  { title: "Where Are You?", isrc: "TWA452600009", released: "2026-05-29", level: 330 },
  { title: "晚安", isrc: "TWA452600010", released: "2026-06-19", level: 180, file: "晚安 [TWA452600010]" },
  { title: "Blue River (Live)", isrc: "TWA452600011", released: "2026-07-10", level: 240 },
  { title: "文艺复兴 (Remix)", isrc: "TWA452600012", released: "2026-08-21", level: 300 },
  { title: "星の手紙", isrc: "", released: "2026-09-11", level: 610, video: "星の手紙" },
  { title: "后来的海", isrc: "", released: "2026-09-25", level: 450 },
];

const DAY_MS = 86_400_000;
const BYTE_ORDER_MARK = "\uFEFF";
/** Monday first: quiet at the start of the week, loud at its end. */
const WEEK = [0.9, 0.91, 0.94, 0.97, 1.12, 1.18, 1.04] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Mulberry32: small, seeded, the same on every machine. Answers 0 up to but not including 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function days(first: string, last: string): string[] {
  const from = Date.parse(first);
  const count = Math.round((Date.parse(last) - from) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(from + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Plays by day: a release starts high and settles, the week has its rhythm, the year a slow swell. */
function playsByDay(song: SampleSong, random: () => number): Map<string, number> {
  const plays = new Map<string, number>();
  for (const day of days(FIRST_DAY, LAST_DAY)) {
    const age = Math.round((Date.parse(day) - Date.parse(song.released)) / DAY_MS);
    const noise = 0.92 + random() * 0.16;
    if (age < 0 || MISSING_DAYS.has(day)) continue;
    const weekday = WEEK[(new Date(day).getUTCDay() + 6) % 7] ?? 1;
    const release = 1 + 3.2 * Math.exp(-age / 9);
    const swell = 1 + 0.12 * Math.sin((Date.parse(day) - Date.parse(FIRST_DAY)) / (DAY_MS * 34));
    plays.set(day, Math.round(song.level * weekday * release * swell * noise));
  }
  return plays;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function table(rows: readonly (readonly (string | number)[])[], mark = "", separator = ","): string {
  return mark + rows.map((row) => row.map((cell) => quoted(String(cell))).join(separator) + "\n").join("");
}

/** All files of the sample by name, in the order they are written. */
export function sampleFiles(): ReadonlyMap<string, string> {
  const random = randomOf(20_261_031);
  const plays = SONGS.map((song) => playsByDay(song, random));
  const files = new Map<string, string>();
  SONGS.forEach((song, index) => {
    const name = song.file ?? song.title.replaceAll(/[/\\:*?"<>|]/g, "_");
    files.set(`${name}-timeline.csv`, timeline(plays[index] ?? new Map()));
  });
  files.set(`${ARTIST}-songs-28day.csv`, songTable(plays, random));
  files.set(`${ARTIST}-audience-timeline.csv`, audience(plays, random));
  files.set("Table data.csv", videos(plays, random));
  files.set("DistroKid_statement.tsv", statement(plays, random));
  return files;
}

function timeline(plays: ReadonlyMap<string, number>): string {
  return table([["date", "streams"], ...plays], BYTE_ORDER_MARK);
}

function songTable(plays: readonly ReadonlyMap<string, number>[], random: () => number): string {
  const window = days(LAST_DAY, LAST_DAY).concat(days("2026-10-04", "2026-10-30"));
  const rows = SONGS.map((song, index) => {
    const streams = sum(window.map((day) => plays[index]?.get(day) ?? 0));
    return [
      song.title,
      Math.round(streams * (0.44 + random() * 0.1)),
      streams,
      Math.round(streams * 0.021),
      song.released,
    ];
  });
  rows.sort((left, right) => Number(right[2]) - Number(left[2]));
  return table([["song", "listeners", "streams", "saves", "release_date"], ...rows], BYTE_ORDER_MARK);
}

function audience(plays: readonly ReadonlyMap<string, number>[], random: () => number): string {
  const header = ["date", "listeners", "monthly listeners", "monthly active listeners", "super listeners"];
  const rows: (string | number)[][] = [[...header, "streams", "playlist adds", "saves", "followers"]];
  let followers = 8_420;
  let level = 0;
  for (const day of days(FIRST_DAY, LAST_DAY)) {
    const streams = sum(plays.map((song) => song.get(day) ?? 0));
    const listeners = Math.round(streams * (0.5 + random() * 0.06));
    followers += Math.round(listeners * 0.006 * random()) - 2;
    if (MISSING_DAYS.has(day)) continue;
    level = level === 0 ? listeners : level * 0.95 + listeners * 0.05;
    const monthly = Math.round(level * 11.4);
    const active = Math.round(monthly * 0.36);
    const added = Math.round(streams * 0.012);
    rows.push([
      day,
      listeners,
      monthly,
      active,
      Math.round(active * 0.07),
      streams,
      added,
      Math.round(streams * 0.02),
      followers,
    ]);
  }
  return table(rows, BYTE_ORDER_MARK);
}

function videos(plays: readonly ReadonlyMap<string, number>[], random: () => number): string {
  const header = ["Content", "Video title", "Video publish time", "Duration", "Views", "Watch time (hours)"];
  const rows: (string | number)[][] = [];
  const add = (title: string, published: string, views: number): void => {
    const id = Array.from(
      { length: 11 },
      () => "abcdefghijkmnopqrstuvwxyz23456789"[Math.floor(random() * 33)],
    ).join("");
    const seconds = 150 + Math.floor(random() * 120);
    const hours = ((views * seconds * 0.6) / 3600).toFixed(4);
    const [year = "", month = "", day = ""] = published.split("-");
    const date = `${MONTHS[Number(month) - 1] ?? ""} ${String(Number(day))}, ${year}`;
    rows.push([
      id,
      title,
      date,
      seconds,
      views,
      hours,
      Math.round(views * 0.004),
      views * 9,
      (4 + random() * 3).toFixed(2),
    ]);
  };
  SONGS.forEach((song, index) => {
    if (song.video !== undefined)
      add(song.video, song.released, Math.round(sum(plays[index]?.values() ?? []) * 0.6));
  });
  add("Studio diary\nsummer, part 1", "2026-09-20", 4_310);
  const total = (column: number): number => sum(rows.map((row) => Number(row[column])));
  const totals = ["Total", "", "", "", total(4), total(5).toFixed(4), total(6), total(7), "5.41"];
  return table([
    [...header, "Subscribers", "Impressions", "Impressions click-through rate (%)"],
    totals,
    ...rows,
  ]);
}

function statement(plays: readonly ReadonlyMap<string, number>[], random: () => number): string {
  const header = [
    "Reporting Date",
    "Sale Month",
    "Store",
    "Artist",
    "Title",
    "ISRC",
    "UPC",
    "Quantity",
    "Team Percentage",
  ];
  const rows: (string | number)[][] = [
    [...header, "Song/Album", "Country of Sale", "Songwriter Royalties Withheld", "Earnings (USD)"],
  ];
  for (const month of STATEMENT_MONTHS) {
    SONGS.forEach((song, index) => {
      const streams = sum(
        [...(plays[index] ?? [])].filter(([day]) => day.startsWith(month)).map(([, count]) => count),
      );
      if (song.isrc === "" || streams === 0) return;
      for (const [store, storeShare, pay] of STORES) {
        for (const [country, share] of COUNTRIES) {
          const quantity = Math.round(streams * storeShare * share * (0.85 + random() * 0.3));
          const upc = `19802${String(600_000 + index * 37)}`;
          const earned = (quantity * pay * (0.9 + random() * 0.2)).toFixed(8);
          rows.push([
            `${month}-28`,
            month,
            store,
            ARTIST,
            song.title,
            song.isrc,
            upc,
            quantity,
            100,
            "Song",
            country,
            0,
            earned,
          ]);
        }
      }
    });
    rows.push([
      `${month}-28`,
      month,
      "iTunes",
      ARTIST,
      "Tidal Letters",
      "",
      "198026999990",
      6,
      100,
      "Album",
      "US",
      0,
      "41.93000000",
    ]);
  }
  return table(rows, "", "\t");
}

async function writeSample(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) await rm(join(folder, name));
  for (const [name, content] of sampleFiles()) await writeFile(join(folder, name), content);
}

const here = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && resolve(process.argv[1]) === here) {
  await writeSample(join(here, "../../skills/music-gateway/sample"));
}
