/** A small made-up collection in a DuckDB of its own, and its rows for recomputing figures in plain JavaScript. */
import { DuckDBInstance } from "@duckdb/node-api";
import { addDays, addMonths } from "../question/day.ts";
import type { Collection } from "./collection.ts";

type Cell = string | number | null;

const TABLES = `
  CREATE TABLE song(id INTEGER PRIMARY KEY, title VARCHAR NOT NULL, isrc VARCHAR, released_on DATE);
  CREATE TABLE song_day(date DATE, song_id INTEGER, store VARCHAR, plays BIGINT);
  CREATE TABLE account_day(date DATE, store VARCHAR, plays BIGINT, listeners BIGINT, monthly_listeners BIGINT, followers BIGINT, saves BIGINT, playlist_adds BIGINT);
  CREATE TABLE song_total(song_id INTEGER, store VARCHAR, first_day DATE, last_day DATE, plays BIGINT, listeners BIGINT, saves BIGINT, shazams BIGINT);
  CREATE TABLE place_total(country VARCHAR, city VARCHAR, store VARCHAR, first_day DATE, last_day DATE, plays BIGINT, listeners BIGINT, shazams BIGINT);
  CREATE TABLE playlist(title VARCHAR, author VARCHAR, store VARCHAR, listeners BIGINT, plays BIGINT, added_on DATE);
  CREATE TABLE video(video_id VARCHAR, title VARCHAR, song_id INTEGER, published_on DATE, views BIGINT, watch_hours DOUBLE, subscribers BIGINT, impressions BIGINT, revenue DECIMAL(28,9), currency VARCHAR);
  CREATE TABLE video_day(date DATE, video_id VARCHAR, title VARCHAR, song_id INTEGER, views BIGINT, watch_hours DOUBLE, subscribers BIGINT);
  CREATE TABLE sale(month DATE, store VARCHAR, country VARCHAR, song_id INTEGER, units BIGINT, amount DECIMAL(28,9), currency VARCHAR, distributor VARCHAR);`;

export const FIRST = "2026-05-01";
export const LAST = "2026-10-31";
export const MISSING = "2026-10-12";
const DROP = ["2026-10-14", "2026-10-15"];

export const SONGS = [
  { id: 1, title: "海盐", releasedOn: "2024-03-15", base: 2000 },
  { id: 2, title: "风筝", releasedOn: "2024-09-20", base: 700 },
  { id: 3, title: "Ocean", releasedOn: "2025-02-14", base: 900 },
  { id: 4, title: "Golden Hour", releasedOn: "2026-09-10", base: 500 },
  { id: 5, title: "July", releasedOn: "2023-07-01", base: 300 },
] as const;

let state = 20_261_123;
/** 0 to 1, the same in every run. */
function chance(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
}

const days: string[] = [];
for (let day = FIRST; day <= LAST; day = addDays(day, 1)) if (day !== MISSING) days.push(day);
const weekly = (day: string): number =>
  [1.15, 0.9, 0.92, 0.95, 1, 1.12, 1.26][new Date(day).getUTCDay()] ?? 1;
const story = (id: number, day: string): number =>
  id === 1 && DROP.includes(day) ? 0.05 : id === 5 && day >= "2026-10-01" ? 2 : 1;

export const songDays = SONGS.flatMap(({ id, base, releasedOn }) =>
  days
    .filter((date) => date >= releasedOn)
    .map((date) => ({
      date,
      id,
      plays: Math.round(base * weekly(date) * (0.97 + 0.06 * chance()) * story(id, date)),
    })),
);
export const accountDays = days.map((date, place) => {
  const plays = songDays.reduce((sum, one) => (one.date === date ? sum + one.plays : sum), 0);
  return {
    date,
    plays,
    listeners: Math.round(plays / 2),
    monthly: 30_000 + place * 7,
    followers: 8000 + place * 5 + (place % 3),
    saves: 20 + (place % 11),
    adds: 10 + (place % 7),
  };
});
export const STORES = ["Spotify", "Apple Music", "Deezer"];
export const COUNTRIES = ["US", "JP", "DE"];
export const sales = [0, 1, 2, 3, 4, 5].flatMap((months) =>
  SONGS.slice(0, 3).flatMap(({ id }) =>
    STORES.flatMap((store) =>
      COUNTRIES.map((country) => {
        const units = 50 + Math.round(900 * chance());
        const currency = store === "Deezer" ? "EUR" : "USD";
        return {
          month: addMonths("2026-04-01", months),
          store,
          country,
          id,
          units,
          cents: 1 + Math.round(units * 0.4),
          currency,
        };
      }),
    ),
  ),
);

/** The collection; closed by the test that opens it. */
export async function openedCollection(): Promise<Collection & { readonly close: () => void }> {
  const instance = await DuckDBInstance.create(":memory:");
  const session = await instance.connect();
  await session.run(TABLES);
  const put = async (table: string, rows: readonly (readonly Cell[])[]): Promise<void> => {
    const text = rows.map(
      (row) =>
        `(${row.map((cell) => (typeof cell === "string" ? `'${cell}'` : String(cell ?? "NULL"))).join(",")})`,
    );
    await session.run(`INSERT INTO ${table} VALUES ${text.join(",")}`);
  };
  await put(
    "song",
    SONGS.map(({ id, title, releasedOn }) => [id, title, null, releasedOn]),
  );
  await put(
    "song_day",
    songDays.map(({ date, id, plays }) => [date, id, "Spotify", plays]),
  );
  await put(
    "account_day",
    accountDays.map((one) => [
      one.date,
      "Spotify",
      one.plays,
      one.listeners,
      one.monthly,
      one.followers,
      one.saves,
      one.adds,
    ]),
  );
  await put(
    "song_total",
    SONGS.map(({ id }) => [id, "Spotify", "2026-10-04", LAST, 1000 * id, 500 * id, 30 * id, null]),
  );
  await put("place_total", [
    ["US", "Boston", "Apple Music", "2026-10-04", LAST, 1234, null, 5],
    ["JP", "Tokyo", "Apple Music", "2026-10-04", LAST, 4321, null, 9],
  ]);
  await put("playlist", [["Harbour", "me", "Spotify", 400, 900, "2026-05-15"]]);
  await put("video", [
    ["v1", "Ocean", 3, "2025-02-14", 90_000, 812.5, 40, 7000, null, null],
    ["v2", "Making of", null, "2026-05-14", 3000, 20, 4, 900, null, null],
  ]);
  await put(
    "video_day",
    days.flatMap((date) => [
      [date, "v1", "Ocean", 3, 70, null, null],
      [date, null, null, null, 100, null, null],
    ]),
  );
  await put(
    "sale",
    sales.map((one) => [
      one.month,
      one.store,
      one.country,
      one.id,
      one.units,
      one.cents / 100,
      one.currency,
      "DistroKid",
    ]),
  );
  const kinds = {
    "audience.csv": "spotify-audience",
    "statement.tsv": "distrokid-statement",
    "songs.csv": "spotify-songs",
  };
  const files = [
    ...SONGS.map(({ title }) => ({ name: `${title}-timeline.csv`, kind: "spotify-timeline", refused: 0 })),
    ...Object.entries(kinds).map(([name, kind]) => ({ name, kind, refused: 1 })),
  ];
  return {
    source: "imports",
    catalog: {
      songs: SONGS.map(({ id, title, releasedOn }) => ({ id, title, releasedOn })),
      stores: [...STORES, "YouTube"],
      countries: COUNTRIES,
      files,
    },
    rows: async (sql, parameters = {}) => {
      const types = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null));
      const reader = await session.runAndReadAll(sql, types);
      return reader.getRowObjectsJS() as Awaited<ReturnType<Collection["rows"]>>;
    },
    close: () => {
      session.closeSync();
      instance.closeSync();
    },
  };
}
