/** What comes first in dates such as 05/09/2026. */
export type DayOrder = "day-first" | "month-first";

const NUMBERS = /^\s*(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:\s.*)?$/u;

/** The day, yyyy-mm-dd, of a date in numbers that ends in its year; undefined where it is none. With points the day comes first everywhere. */
export function dayIn(text: string, order: DayOrder): string | undefined {
  const [, first = "", sign, second = "", year = ""] = NUMBERS.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const isDayFirst = sign === "." || order === "day-first";
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(iso);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? undefined : iso;
}

const TIMES = ["", " %H:%M", " %H:%M:%S"];

/** Forms of `strptime` for a file's dates; without an order its dates say the same in both. */
export function dayForms(order: DayOrder | null): readonly string[] {
  const numbers = order === "month-first" ? ["%m/%d/%Y", "%m-%d-%Y"] : ["%d/%m/%Y", "%d-%m-%Y"];
  const forms = ["%d.%m.%Y", ...numbers].flatMap((form) => TIMES.map((time) => form + time));
  return [
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y年%m月%d日",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d %b %Y",
    "%d %B %Y",
    "%Y%m%d",
    ...forms,
  ];
}

/** Forms of months, after which a day of the month is tried. */
export const MONTH_FORMS = ["%b %Y", "%B %Y", "%Y年%m月", "%Y/%m", "%m/%Y", "%b-%y", "%Y%m"];
