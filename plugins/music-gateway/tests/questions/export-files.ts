/** The made-up figures as the files that a musician downloads, in the layout, the marks and the encoding of each product. */
import { zipSync } from "fflate";
import {
  ARTIST,
  audienceDays,
  FIRST_DAY,
  LAST_DAY,
  playlists,
  RELEASES,
  sales,
  songDays,
  songWindows,
  type SongDay,
  type Title,
  TITLES,
  videoDays,
  videos,
  shifted,
} from "./exports.ts";

type Cell = string | number;

const BOM = "\uFEFF";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
const utf16le = (text: string): Uint8Array => Buffer.from(text, "utf16le");

/** Cells in quotes where the text needs them. */
function table(separator: string, rows: readonly (readonly Cell[])[], end = "\n"): string {
  const cell = (value: Cell): string => {
    const text = String(value);
    return text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(separator) + end).join("");
}

const withSeparators = (value: number): string => value.toLocaleString("en-US");
const fraction = (micros: number): string => (micros / 1_000_000).toFixed(6);

function timeline(rows: readonly SongDay[]): Uint8Array {
  return utf8(BOM + table(",", [["date", "streams"], ...rows.map(({ date, plays }) => [date, plays])]));
}

/** One timeline for each song. One song has a second download, which begins later and reaches further. */
function timelines(): Readonly<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const title of TITLES) {
    const own = songDays.filter((one) => one.title === title);
    files[`${title}-timeline.csv`] = timeline(
      title === "风筝" ? own.filter(({ date }) => date <= "2026-08-31") : own,
    );
  }
  const later = songDays.filter((one) => one.title === "风筝" && one.date >= "2026-07-01");
  files["风筝-timeline (1).csv"] = timeline(later);
  return files;
}

function audience(): Uint8Array {
  const header = [
    "date",
    "listeners",
    "monthly listeners",
    "monthly active listeners",
    "super listeners",
    "streams",
    "playlist adds",
    "saves",
    "followers",
  ];
  const rows = audienceDays.map((day) => [
    day.date,
    day.listeners,
    day.monthlyListeners,
    Math.round(day.monthlyListeners * 0.36),
    Math.round(day.monthlyListeners * 0.024),
    day.plays,
    day.playlistAdds,
    day.saves,
    day.followers,
  ]);
  return utf8(BOM + table(",", [header, ...rows]));
}

function songsTable(): Uint8Array {
  const rows = songWindows.map((row) => [
    row.title,
    row.listeners,
    row.plays,
    row.saves,
    RELEASES[row.title],
  ]);
  return utf8(BOM + table(",", [["song", "listeners", "streams", "saves", "release_date"], ...rows]));
}

function playlistsTable(): Uint8Array {
  const rows = playlists.map((row) => [row.title, row.author, row.listeners, row.plays, row.added]);
  return utf8(table(",", [["title", "author", "listeners", "streams", "date_added"], ...rows]));
}

const isrcOf = (title: Title): string => `QZNF0260000${TITLES.indexOf(title) + 1}`;
const upcOf = (title: Title): string => `19803311000${TITLES.indexOf(title) + 1}`;

/** Of a statement, DistroKid's rows: tab, UTF-8, no mark. */
function distroKid(): Uint8Array {
  const header =
    "Reporting Date,Sale Month,Store,Artist,Title,ISRC,UPC,Quantity,Team Percentage,Song/Album,Country of Sale,Songwriter Royalties Withheld,Earnings (USD)";
  const rows = sales
    .filter(({ distributor }) => distributor === "DistroKid")
    .map((one) => [
      `${one.month}-28`,
      one.month,
      one.store,
      ARTIST,
      one.title,
      isrcOf(one.title),
      upcOf(one.title),
      one.units,
      100,
      "Song",
      one.country,
      0,
      fraction(one.micros),
    ]);
  return utf8(table("\t", [header.split(","), ...rows]));
}

/** TuneCore's rows: comma, Latin 1 (the label has an accent), figures with separators in quotes, paid in another currency than sold. */
function tuneCore(): Uint8Array {
  const header =
    "Sales Period,Posted Date,Store Name,Country Of Sale,Artist,Release Type,Release Title,Song Title,Label,UPC,Optional UPC,TC Song ID,Optional ISRC,Sales Type,# Units Sold,Per Unit Price,Net Sales,Net Sales Currency,Exchange Rate,Total Earned,Currency";
  const rows = sales
    .filter(({ distributor }) => distributor === "TuneCore")
    .map((one) => [
      `${one.month}-01`,
      `${one.month}-27`,
      one.store,
      one.country,
      ARTIST,
      "Single",
      one.title,
      one.title,
      "Café Noir Records",
      upcOf(one.title),
      "",
      810_000 + TITLES.indexOf(one.title),
      isrcOf(one.title),
      "Streaming",
      withSeparators(one.units),
      fraction(one.micros / Math.max(one.units, 1)),
      fraction(one.micros * 1.25),
      "USD",
      "0.8",
      fraction(one.micros),
      "EUR",
    ]);
  return latin1(table(",", [header.split(","), ...rows], "\r\n"));
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const written = (day: string): string =>
  `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}, ${day.slice(0, 4)}`;

/** The three files of one export of YouTube Studio, which all have the same count of views. */
function youTube(): Readonly<Record<string, Uint8Array>> {
  const sum = (values: readonly number[]): number => values.reduce((one, next) => one + next, 0);
  const hours = (tenths: number): string => (tenths / 10).toFixed(4);
  const rows = videos.map((video) => [
    video.id,
    video.title,
    written(video.published),
    video.seconds,
    sum(videoDays.filter((day) => day.video === video).map(({ views }) => views)),
    hours(video.watchTenths),
    video.subscribers,
    video.impressions,
    "5.2",
  ]);
  const header = [
    "Content",
    "Video title",
    "Video publish time",
    "Duration",
    "Views",
    "Watch time (hours)",
    "Subscribers",
    "Impressions",
    "Impressions click-through rate (%)",
  ];
  const total = [
    "Total",
    "",
    "",
    "",
    sum(videoDays.map(({ views }) => views)),
    hours(sum(videos.map(({ watchTenths }) => watchTenths))),
    sum(videos.map(({ subscribers }) => subscribers)),
    sum(videos.map(({ impressions }) => impressions)),
    "5.2",
  ];
  const chart = videoDays.map(({ video, date, views }) => [
    date,
    video.id,
    video.title,
    written(video.published),
    video.seconds,
    views,
  ]);
  const days = [...new Set(videoDays.map(({ date }) => date))].map((date) => [
    date,
    sum(videoDays.filter((day) => day.date === date).map(({ views }) => views)),
  ]);
  return {
    "Table data.csv": utf8(table(",", [header, total, ...rows])),
    "Chart data.csv": utf8(
      table(",", [["Date", "Content", "Video title", "Video publish time", "Duration", "Views"], ...chart]),
    ),
    "Totals.csv": utf8(table(",", [["Date", "Views"], ...days])),
  };
}

/** Apple counts all time, and names no period. */
function appleSongs(): Uint8Array {
  const rows = songWindows.map(({ title, plays }, place) => [
    title,
    plays * 4 + 17,
    Math.round(plays / 31),
    Math.round(plays / 140) + place,
    place,
    Math.round(plays / 900),
  ]);
  return utf8(
    table(",", [
      ["Song", "Plays", "Average Daily Listeners", "Shazams", "Radio Spins", "Purchases"],
      ...rows,
    ]),
  );
}

const PLACES = ["美国", "日本", "英国", "德国", "法国", "巴西", "韩国", "加拿大", "墨西哥"];

function applePlaces(): Uint8Array {
  const rows = PLACES.map((place, rank) => {
    const plays = Math.round(88_000 / (rank + 1.4));
    return [place, plays, Math.round(plays / 33), Math.round(plays / 150), 9 - rank, Math.round(plays / 800)];
  });
  const header = ["国家或地区", "播放次数", "日均听众", "Shazam 次数", "电台播放次数", "购买次数"];
  return utf16le(BOM + table(";", [header, ...rows], "\r\n"));
}

const CITIES = [
  ["Tokyo", "Japan"],
  ["New York", "United States"],
  ["London", "United Kingdom"],
  ["Taipei", "Taiwan"],
  ["Paris", "France"],
  ["Seoul", "South Korea"],
  ["Osaka", "Japan"],
  ["Portland", "United States"],
] as const;

/** Of October. A city's plays are a part of those of its country. */
function appleCities(): Uint8Array {
  const rows = CITIES.map(([city, country], rank) => {
    const plays = Math.round(11_000 / (rank + 1.6));
    return [city, country, plays, Math.round(plays / 33), Math.round(plays / 150)];
  });
  const header = ["City", "Country or Region", "Plays", "Average Daily Listeners", "Shazams"];
  return utf8(table(",", [header, ...rows]));
}

const VIEWING = [
  "Tokyo, Japan",
  "New York, NY, USA",
  "Taipei City, Taiwan",
  "Portland, OR, USA",
  "Portland, ME, USA",
];

/** YouTube writes cities with their region and country, and lists only the largest ones. */
function youTubeCities(): Uint8Array {
  const rows = VIEWING.map((city, rank) => [`0x${rank}`, city, Math.round(2_400 / (rank + 1.3)), 9 - rank]);
  return utf8(
    table(",", [["Cities", "City name", "Views", "Watch time (hours)"], ["Total", "", 7_000, 60], ...rows]),
  );
}

/** Every file by its name, ready to be written into a folder. */
export function exportFiles(): Readonly<Record<string, Uint8Array>> {
  const tube = youTube();
  const archive = zipSync({ ...tube }, { mtime: new Date("2026-11-01T00:00:00Z") });
  return {
    ...timelines(),
    ...tube,
    [`${ARTIST}-audience-timeline.csv`]: audience(),
    [`${ARTIST}-songs-28day.csv`]: songsTable(),
    [`${ARTIST}-playlists.csv`]: playlistsTable(),
    "DistroKid_statement.tsv": distroKid(),
    "TuneCore_sales.csv": tuneCore(),
    [`Content ${FIRST_DAY}_${shifted(LAST_DAY, 1)} ${ARTIST}.zip`]: archive,
    "Apple Music songs.csv": appleSongs(),
    "Apple Music 地点.csv": applePlaces(),
    "Apple Music cities 2026-10-01_2026-10-31.csv": appleCities(),
    "Cities 2026-10-01_2026-10-31.csv": youTubeCities(),
  };
}
