import { dayOf, readDay, type Day } from "./day.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A count of 0 to 2^53 - 1 with or without `1,234` separators; undefined when the cell is none. */
export function readCount(cell: string | undefined): number | undefined {
  const text = (cell ?? "").trim();
  if (!/^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?$/.test(text)) return undefined;
  const value = Number(text.replaceAll(",", ""));
  return Number.isSafeInteger(value) ? value : undefined;
}

/** An amount of money as decimal text with at most nine places, exact; undefined when the cell is none. */
export function readAmount(cell: string | undefined): string | undefined {
  const text = (cell ?? "").trim().replace(/^\$/, "");
  if (!/^-?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d+)?$/.test(text)) return undefined;
  const [whole = "0", places = ""] = text.replaceAll(",", "").split(".");
  return places === "" ? whole : `${whole}.${places.slice(0, 9)}`;
}

/** A day as `2026-09-20` or `Sep 20, 2026`. */
export function readDate(cell: string | undefined): Day | undefined {
  const text = (cell ?? "").trim();
  const named = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2}), (\d{4})$/.exec(text);
  if (named === null) return readDay(text);
  return dayOf(Number(named[3]), MONTHS.indexOf((named[1] ?? "").toLowerCase()) + 1, Number(named[2]));
}

/** The first day of a month given as `2026-09` or `2026-09-01`. */
export function readMonth(cell: string | undefined): Day | undefined {
  const match = /^(\d{4})-(\d{2})(?:-\d{2})?$/.exec((cell ?? "").trim());
  return match === null ? undefined : dayOf(Number(match[1]), Number(match[2]), 1);
}

/** An ISRC without hyphens, in upper case; undefined when the cell is none. */
export function readIsrc(cell: string | undefined): string | undefined {
  const text = (cell ?? "").trim().replaceAll("-", "").toUpperCase();
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(text) ? text : undefined;
}
