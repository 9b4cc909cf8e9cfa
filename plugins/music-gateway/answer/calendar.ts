import { addDays, type DayRange } from "../question/day.ts";
import type { Language, Split } from "../question/query.ts";
import type { Wording } from "./wording.ts";

/** "Plays by week", "播放量·按周". */
export function bySplit(name: string, split: Split | undefined, wording: Wording): string {
  if (split === undefined) return name;
  const by = wording.say("split", { NAME: wording.split(split).toLowerCase() });
  return `${name}${wording.language === "zh" ? "·" : " "}${by}`;
}

/** First and last day as people write them: "Sep 1 – 30, 2026", "2026年9月1日至30日". */
export function calendarDays(range: DayRange, language: Language): string {
  return written(range, language, "year month day");
}

/** A step of a time axis: "Sep 7 – 13", "Sep 2026"; its key where that is short enough. */
export function stepLabel(key: string, split: Split, language: Language): string {
  const isMonth = split === "month";
  if (!isMonth && split !== "day" && split !== "week") return key;
  const from = isMonth ? `${key}-01` : key;
  const to = split === "week" ? addDays(from, 6) : from;
  return written({ from, to }, language, isMonth ? "year month" : "month day");
}

const PARTS = {
  "year month day": { year: "numeric", month: "short", day: "numeric" },
  "year month": { year: "numeric", month: "short" },
  "month day": { month: "short", day: "numeric" },
} as const;
/** By language and parts: one takes as long to make as hundreds of dates to write. */
const formats = new Map<string, Intl.DateTimeFormat>();

function written({ from, to }: DayRange, language: Language, parts: keyof typeof PARTS): string {
  const locale = language === "zh" ? "zh-CN" : "en";
  const key = `${locale} ${parts}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...PARTS[parts], timeZone: "UTC" });
  formats.set(key, format);
  return format.formatRange(new Date(from), new Date(to)).replaceAll("\u2009", " ");
}
