import { isStep } from "../question/query.ts";
import { addDays, addMonths, daysIn, monthOf, weekdayOf, type DayRange } from "../question/day.ts";
import type { Language, Split } from "../question/query.ts";
import { TIME_SPLITS } from "./figures.ts";
import type { Wording } from "./wording.ts";

const MONTHS: Readonly<Partial<Record<Split, number>>> = { month: 1, quarter: 3, year: 12 };

/** Whether a split is by time: by steps of an axis, or by parts of the week. */
export function isTimeSplit(split: Split | undefined): boolean {
  return split !== undefined && TIME_SPLITS.includes(split);
}

export function isWeekly(split: Split | undefined): boolean {
  return split === "weekday" || split === "weekpart";
}

/** The key of the day, week, month, quarter or year that contains a day. */
function stepOf(day: string, split: Split): string {
  if (split === "day") return day;
  if (split === "week") return addDays(day, -weekdayOf(day));
  if (split === "month") return day.slice(0, 7);
  const year = day.slice(0, 4);
  return split === "year" ? year : `${year}-Q${Math.ceil(monthOf(day) / 3)}`;
}

/** The days of a step. */
export function stepDays(key: string, split: Split): DayRange {
  const months = MONTHS[split];
  if (months === undefined) return { from: key, to: split === "week" ? addDays(key, 6) : key };
  const [year = "", part = "1"] = key.split(/-Q?/);
  const from = `${year}-${String((Number(part) - 1) * (split === "quarter" ? 3 : 1) + 1).padStart(2, "0")}-01`;
  return { from, to: addDays(addMonths(from, months), -1) };
}

export function stepAfter(key: string, split: Split, count = 1): string {
  const { from, to } = stepDays(key, split);
  return stepOf(count < 0 ? addDays(from, -1) : addDays(to, 1), split);
}

/** The steps in a range; for a split by day, only the days on the given weekdays. */
export function stepsIn(range: DayRange | undefined, split: Split, weekdays?: readonly number[]): string[] {
  if (range === undefined || !isStep(split)) return [];
  const days = daysIn(range).filter((day) => split !== "day" || weekdays?.includes(weekdayOf(day)) !== false);
  return [...new Set(days.map((day) => stepOf(day, split)))];
}

/** Whether a step lies partly outside a range. */
export function isCut(key: string, split: Split, range: DayRange | undefined): boolean {
  if (range === undefined || !isStep(split)) return false;
  const { from, to } = stepDays(key, split);
  return from < range.from || to > range.to;
}

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

/** A step of a time axis: "Sep 7 – 13", "Sep 2026"; or its key if that is short enough. */
export function stepLabel(key: string, split: Split, language: Language): string {
  const isMonth = split === "month";
  if (!isMonth && split !== "day" && split !== "week") return key;
  return written(stepDays(key, split), language, isMonth ? "year month" : "month day");
}

const PARTS = {
  "year month day": { year: "numeric", month: "short", day: "numeric" },
  "year month": { year: "numeric", month: "short" },
  "month day": { month: "short", day: "numeric" },
} as const;
/** Cached by language and parts: making a formatter takes as long as formatting hundreds of dates. */
const formats = new Map<string, Intl.DateTimeFormat>();

function written({ from, to }: DayRange, language: Language, parts: keyof typeof PARTS): string {
  const locale = language === "zh" ? "zh-CN" : "en";
  const key = `${locale} ${parts}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...PARTS[parts], timeZone: "UTC" });
  formats.set(key, format);
  return format.formatRange(new Date(from), new Date(to)).replaceAll("\u2009", " ");
}
