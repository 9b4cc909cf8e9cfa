import type { DayRange } from "./day.ts";

/** A query as schemas/music-gateway/query.json states it. */
export interface Query {
  language: Language;
  kind: "overview" | "figures" | "changes";
  measures: Measure[];
  split?: Split;
  filters: Filters;
  period: DayRange & { by: "question" | "default" | "file" };
  comparison?: DayRange & { with: Comparison };
  order?: Order;
  rows?: number;
  average?: boolean;
}

export type Language = "zh" | "en";
export type Comparison = "period" | "previous" | "year-before";
export type Order = "most" | "least" | "growth" | "fall";
export type Measure =
  | "plays"
  | "listeners"
  | "monthly_listeners"
  | "followers"
  | "followers_gained"
  | "saves"
  | "playlist_adds"
  | "units"
  | "income"
  | "views"
  | "watch_hours"
  | "subscribers"
  | "impressions"
  | "shazams";
export type Split =
  | "day"
  | "week"
  | "month"
  | "quarter"
  | "year"
  | "weekday"
  | "weekpart"
  | "song"
  | "country"
  | "city"
  | "store"
  | "source"
  | "video"
  | "playlist";

export interface Filters {
  songs?: number[];
  countries?: string[];
  stores?: string[];
  weekdays?: number[];
  withoutSongs?: number[];
  withoutCountries?: string[];
  withoutStores?: string[];
}
