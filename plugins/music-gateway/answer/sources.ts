import type { Measure, Split } from "../question/query.ts";

/** A table of figures: what can be asked of it. Every identifier of a statement stands here. */
export interface Source {
  readonly table: TableName;
  /** day and month: a series. window: sums of the days a file covers. */
  readonly grain: "day" | "month" | "window";
  /** Columns, or constants, by what figures are split or narrowed by. */
  readonly columns: Readonly<Partial<Record<Split, string>>>;
  /** Kinds of file the figures come from. */
  readonly kinds: readonly string[];
}

export type TableName =
  | "account_day"
  | "song_day"
  | "song_total"
  | "place_total"
  | "playlist"
  | "video"
  | "video_day"
  | "sale";

/** Where a measure stands, and how it is brought together over days: last is the figure of the last day. */
export interface Candidate {
  readonly source: Source;
  readonly column: string;
  readonly how: "sum" | "average" | "last" | "gained";
  /** Currency column of amounts of money. */
  readonly currency?: string;
  /** Only for figures that are split or narrowed by country or store. */
  readonly isOfStatements?: boolean;
}

const SOURCES = {
  account_day: source("account_day", "day", { store: "store" }, ["spotify-audience"]),
  song_day: source("song_day", "day", { song: "song_id", store: "store" }, ["spotify-timeline"]),
  sale: source(
    "sale",
    "month",
    { song: "song_id", store: "store", country: "country", source: "distributor" },
    ["distrokid-statement", "tunecore-statement"],
  ),
  video_day: source("video_day", "day", { song: "song_id", video: "title", store: "'YouTube'" }, [
    "youtube-chart",
    "youtube-totals",
  ]),
  video: source("video", "window", { song: "song_id", video: "title", store: "'YouTube'" }, [
    "youtube-table",
  ]),
  song_total: source("song_total", "window", { song: "song_id", store: "store" }, [
    "spotify-songs",
    "apple-songs",
  ]),
  place_total: source("place_total", "window", { country: "country", city: "city", store: "store" }, [
    "apple-places",
  ]),
  playlist: source("playlist", "window", { playlist: "title", store: "store" }, ["spotify-playlists"]),
} as const;

function source(
  table: TableName,
  grain: Source["grain"],
  columns: Source["columns"],
  kinds: readonly string[],
): Source {
  return { table, grain, columns, kinds };
}

const of = (name: TableName, column: string, how: Candidate["how"] = "sum"): Candidate => ({
  source: SOURCES[name],
  column,
  how,
});

/** Where each measure is looked for, in this order. */
export const CANDIDATES: Readonly<Record<Measure, readonly Candidate[]>> = {
  plays: [
    of("account_day", "plays"),
    of("song_day", "plays"),
    { ...of("sale", "units"), isOfStatements: true },
    of("song_total", "plays"),
    of("place_total", "plays"),
    of("playlist", "plays"),
  ],
  listeners: [
    of("account_day", "listeners", "average"),
    of("song_total", "listeners"),
    of("place_total", "listeners"),
    of("playlist", "listeners"),
  ],
  monthly_listeners: [of("account_day", "monthly_listeners", "last")],
  followers: [of("account_day", "followers", "last")],
  followers_gained: [of("account_day", "followers", "gained")],
  saves: [of("account_day", "saves"), of("song_total", "saves")],
  playlist_adds: [of("account_day", "playlist_adds")],
  units: [of("sale", "units")],
  income: [
    { ...of("sale", "amount"), currency: "currency" },
    { ...of("video", "revenue"), currency: "currency" },
  ],
  views: [of("video_day", "views"), of("video", "views")],
  watch_hours: [of("video_day", "watch_hours"), of("video", "watch_hours")],
  subscribers: [of("video_day", "subscribers"), of("video", "subscribers")],
  impressions: [of("video", "impressions")],
  shazams: [of("song_total", "shazams"), of("place_total", "shazams")],
};
