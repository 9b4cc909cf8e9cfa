/**
 * The figures of a made-up artist, from which the export files are written (`export-files.ts`). Seeded: every run makes the same figures.
 *
 * These properties give each question one right answer:
 * - the plays of the account on a day are the sum of the song timelines on that day, no more and no less;
 * - the totals of the channel on a day are the sum of its videos, and its table the sum of all days;
 * - every file ends with the same day, so that "last month" has one meaning;
 * - each of the two statements has its own currency.
 */

/** A first and a last day, both counted. */
type Period = readonly [first: string, last: string];

const A_DAY_MS = 86_400_000;

export function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * A_DAY_MS).toISOString().slice(0, 10);
}

function weekday(day: string): keyof typeof OF_WEEKDAY {
  return (["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const)[new Date(day).getUTCDay()] ?? "sun";
}

/** Every day of a period. */
function daysOf([first, last]: Period): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shifted(day, 1)) days.push(day);
  return days;
}

/** Every month that begins in a period, as `2026-09`. */
function monthsOf([first, last]: Period): readonly string[] {
  return [...new Set(daysOf([first, last]).map((day) => day.slice(0, 7)))];
}

export const FIRST_DAY = "2025-11-01";
export const LAST_DAY = "2026-10-31";
/** Days that Spotify's files lack. */
const MISSING_DAYS: readonly string[] = ["2026-03-17", "2026-08-09"];
/** The statement begins earlier than the daily figures: 14 months. */
const STATEMENT_MONTHS = monthsOf(["2025-09-01", LAST_DAY]);
const TUNECORE_MONTHS = monthsOf(["2026-03-01", LAST_DAY]);

export const ARTIST = "Noa Ferris";
export const TITLES = [
  "海盐",
  "风筝",
  "风筝 (伴奏)",
  "夜に咲く",
  "Blue River",
  "Golden Hour (Remix)",
  "Paper Planes",
  "Lantern",
] as const;
export type Title = (typeof TITLES)[number];

const BASE: Readonly<Record<Title, number>> = {
  海盐: 2100,
  风筝: 720,
  "风筝 (伴奏)": 95,
  夜に咲く: 310,
  "Blue River": 980,
  "Golden Hour (Remix)": 240,
  "Paper Planes": 540,
  Lantern: 860,
};
export const RELEASES: Readonly<Record<Title, string>> = {
  海盐: "2024-03-15",
  风筝: "2024-09-20",
  "风筝 (伴奏)": "2024-09-20",
  夜に咲く: "2025-04-04",
  "Blue River": "2025-02-14",
  "Golden Hour (Remix)": "2025-08-29",
  "Paper Planes": "2023-11-10",
  Lantern: "2026-05-08",
};
const OF_WEEKDAY = { mon: 0.9, tue: 0.92, wed: 0.95, thu: 1, fri: 1.12, sat: 1.26, sun: 1.15 };

/** The account's best day: one song is everywhere for a day. */
const PEAK = { day: "2026-06-20", title: "夜に咲く" as Title };
/** Three days on which one song all but stops. */
const DROP = { days: ["2026-10-14", "2026-10-15", "2026-10-16"], title: "海盐" as Title };

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The plays of a song on a day in relation to its usual ones: the events that the questions are about. */
function story(title: Title, day: string): number {
  if (title === PEAK.title && day === PEAK.day) return 22;
  if (title === DROP.title && DROP.days.includes(day)) return 0.06;
  if (title === "夜に咲く" && day >= "2026-09-01") return 2.6;
  if (title === "Paper Planes" && day >= "2026-09-01") return 0.45;
  if (title === "Lantern") return 1 + 2.5 * Math.exp(-daysOf([RELEASES.Lantern, day]).length / 12);
  return 1;
}

export interface SongDay {
  readonly title: Title;
  readonly date: string;
  readonly plays: number;
}

const all = daysOf([FIRST_DAY, LAST_DAY]);
const spotifyDays = all.filter((day) => !MISSING_DAYS.includes(day));
const chance = random(20_261_123);

export const songDays: readonly SongDay[] = TITLES.flatMap((title) =>
  spotifyDays
    .filter((date) => date >= RELEASES[title])
    .map((date) => {
      const growth = 1 + 0.25 * (all.indexOf(date) / all.length);
      const noise = 0.95 + 0.1 * chance();
      const plays = BASE[title] * growth * OF_WEEKDAY[weekday(date)] * noise * story(title, date);
      return { title, date, plays: Math.round(plays) };
    }),
);

export const audienceDays = (() => {
  let followers = 8_214;
  return spotifyDays.map((date) => {
    const plays = songDays.reduce((sum, one) => (one.date === date ? sum + one.plays : sum), 0);
    followers += Math.round(plays / 900 + 4 * chance() - 1);
    return {
      date,
      plays,
      listeners: Math.round(plays * (0.52 + 0.03 * chance())),
      monthlyListeners: Math.round(31_000 + 9_000 * (all.indexOf(date) / all.length) + 400 * chance()),
      followers,
      saves: Math.round((plays / 55) * (0.9 + 0.2 * chance())),
      playlistAdds: Math.round((plays / 95) * (0.9 + 0.2 * chance())),
    };
  });
})();

/** Spotify's songs table: the last 28 days, plays as in the timelines, saves in total as in the audience file. */
export const songWindows = (() => {
  const first = shifted(LAST_DAY, -27);
  const saves = audienceDays.reduce((sum, one) => (one.date >= first ? sum + one.saves : sum), 0);
  const rows = TITLES.map((title) => {
    const own = songDays.filter((one) => one.title === title && one.date >= first);
    const plays = own.reduce((sum, one) => sum + one.plays, 0);
    return { title, plays, listeners: Math.round(plays * 0.47) };
  });
  const plays = rows.reduce((sum, row) => sum + row.plays, 0);
  let left = saves;
  return rows.map((row, place) => {
    const own = place === rows.length - 1 ? left : Math.floor((saves * row.plays) / plays);
    left -= own;
    return { ...row, saves: own };
  });
})();

export const playlists = [
  { title: "海边的晚上", author: "Lin", listeners: 4_812, plays: 9_377, added: "2026-02-11" },
  { title: "Indie Harbour", author: "Spotify", listeners: 9_640, plays: 17_254, added: "2026-05-15" },
  { title: "Late, Slow & Quiet", author: "mo_k", listeners: 1_206, plays: 2_431, added: "2026-07-02" },
  { title: "J-Pop の夜", author: "Aiko", listeners: 3_350, plays: 6_118, added: "2026-09-03" },
];

/** One row of a statement. Amounts are whole millionths, so that sums are exact. */
interface Sale {
  readonly distributor: "DistroKid" | "TuneCore";
  readonly month: string;
  readonly store: string;
  readonly country: string;
  readonly title: Title;
  readonly units: number;
  readonly micros: number;
  readonly currency: "USD" | "EUR";
}

const STORES: Readonly<Record<string, readonly [share: number, microsEach: number]>> = {
  Spotify: [5, 3_500],
  "Apple Music": [3, 7_100],
  "YouTube Music": [2, 1_900],
  "Amazon Music": [1.2, 4_300],
  Deezer: [0.8, 4_700],
  TIDAL: [0.35, 12_400],
};
const COUNTRIES: Readonly<Record<string, number>> = {
  US: 5,
  JP: 4,
  GB: 3,
  DE: 2.3,
  FR: 1.8,
  BR: 1.4,
  KR: 1.1,
  CA: 0.8,
  MX: 0.5,
};

function salesOf(
  distributor: Sale["distributor"],
  titles: readonly Title[],
  months: readonly string[],
): readonly Sale[] {
  const isDistroKid = distributor === "DistroKid";
  const stores = Object.entries(STORES).filter((_, place) => isDistroKid || place < 3);
  const countries = Object.entries(COUNTRIES).filter((_, place) => isDistroKid || place < 5);
  return titles.flatMap((title) =>
    months
      .filter((one) => one >= RELEASES[title].slice(0, 7))
      .flatMap((one) =>
        stores.flatMap(([store, [share, microsEach]]) =>
          countries.map(([country, weight]): Sale => {
            const growth = 1 + 0.04 * STATEMENT_MONTHS.indexOf(one);
            const spread = 0.8 + 0.4 * chance();
            const units = Math.round((BASE[title] / 12) * share * weight * growth * spread);
            const micros = Math.round(units * microsEach * (0.9 + 0.2 * chance()));
            const currency = isDistroKid ? "USD" : "EUR";
            return { distributor, month: one, store, country, title, units, micros, currency };
          }),
        ),
      ),
  );
}

/** Two distributors: the older songs of one of them also run through the other. */
export const sales: readonly Sale[] = [
  ...salesOf("DistroKid", TITLES, STATEMENT_MONTHS),
  ...salesOf("TuneCore", ["Paper Planes", "Golden Hour (Remix)"], TUNECORE_MONTHS),
];

export const videos = [
  ["Qz81hYaln_0", "海盐", "2024-03-15", 168, 41_237, 512, 1_410_882],
  ["b1ueR1ver04", "Blue River", "2025-02-14", 201, 22_816, 287, 802_310],
  ["L4nternMv26", "Lantern", "2026-05-08", 187, 9_643, 341, 655_024],
  ["mAk1ng0fLtn", 'Making of "Lantern", part 1', "2026-05-22", 604, 7_128, 96, 98_770],
].map(([id, title, published, seconds, watchTenths, subscribers, impressions]) => ({
  id: String(id),
  title: String(title),
  published: String(published),
  seconds: Number(seconds),
  /** Tenths of an hour. */
  watchTenths: Number(watchTenths),
  subscribers: Number(subscribers),
  impressions: Number(impressions),
}));

export const videoDays = videos.flatMap((video, place) =>
  all.map((date) => {
    const usual = [310, 190, 240, 60][place] ?? 0;
    const views =
      date < video.published ? 0 : Math.round(usual * OF_WEEKDAY[weekday(date)] * (0.8 + 0.4 * chance()));
    return { video, date, views };
  }),
);
