/** The order of day and month in dates such as 05/09/2026. */
export type DayOrder = "day-first" | "month-first";

const NUMBERS = /^\s*(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:\s.*)?$/u;

/** The day, yyyy-mm-dd, of a numeric date that ends in a year of two or four digits; undefined for other text. In dates with points, the day always comes first. */
export function dayIn(text: string, order: DayOrder): string | undefined {
  const [, first = "", sign, second = "", written = ""] = NUMBERS.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const year = written.length === 2 ? `20${written}` : written;
  const isDayFirst = sign === "." || order === "day-first";
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(iso);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? undefined : iso;
}

/** Whether the last two digits of a date are an unlikely year, so that the date may begin with its year. */
export function hasDoubtfulYear(text: string): boolean {
  const year = NUMBERS.exec(text)?.[4] ?? "";
  return year.length === 2 && (year < "10" || year > "49");
}

const TIMES = ["", " %H:%M", " %H:%M:%S", " %I:%M%p", " %I:%M:%S %p"];

/** The `strptime` formats for a file's dates. Without a known order, both orders give the same days. */
export function dayForms(order: DayOrder | null): readonly string[] {
  const numbers = order === "month-first" ? ["%m/%d/", "%m-%d-"] : ["%d/%m/", "%d-%m-"];
  // %y comes first, because %Y also accepts two digits, as the year 26.
  const forms = ["%y", "%Y"].flatMap((year) =>
    ["%d.%m.", ...numbers].flatMap((form) => TIMES.map((time) => form + year + time)),
  );
  return [
    ...forms,
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y年%m月%d日",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d %b %Y",
    "%d %B %Y",
    "%Y%m%d",
  ];
}

/** Formats for months, tried before those for days. */
export const MONTH_FORMS = [
  "%Y-%m",
  "%b %Y",
  "%B %Y",
  "%Y年%m月",
  "%Y/%m",
  "%m/%Y",
  "%b-%y",
  "%Y%m",
  "%YM%m",
];
