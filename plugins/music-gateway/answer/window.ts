import { formatOf } from "../import/format.ts";
import { isFilledBy, type Candidate } from "../model.ts";
import { back, isSame, lengthOf } from "../question/day.ts";
import { isOfChange, type Measure } from "../question/query.ts";
import { isSinceRelease, type Time } from "../question/times.ts";
import type { Catalog } from "../store/catalog.ts";
import { ALL_TIME, isUnstated, lengthIn, rangeOf, type Span } from "../store/spans.ts";
import type { Slice } from "./figures.ts";
import type { Period } from "./period.ts";
import type { Question, Wording } from "./wording.ts";

/** The window that answers a question without a period is the one closest to this length, in days. */
const DEFAULT_DAYS = 30;

/** The candidates; sums occur once for each window in the files, starting with the most likely window. */
export function inWindows(
  candidates: readonly Candidate[],
  { reading, collection: { catalog } }: Question,
): readonly Candidate[] {
  const isOfAll = reading.times.some(({ isEver }) => isEver === true);
  return candidates.flatMap((candidate) => {
    if (candidate.source.grain !== "window") return [candidate];
    const spans = catalog.files
      .filter((file) => isFilledBy(candidate.source, file, formatOf(file.kind)))
      .flatMap(({ span }) => span ?? [])
      .toReversed();
    return [...new Set(spans)]
      .toSorted((left, right) => (isOfAll ? daysOf(right) - daysOf(left) : 0) || compare(left, right))
      .map((span) => ({ ...candidate, source: { ...candidate.source, span } }));
  });
}

/** A window with its days, if it matches the requested period; any window matches if no period is requested. */
export function windowPeriod(
  question: Question,
  span: Span,
  released: string | undefined,
): Period | undefined {
  const { reading } = question;
  const [first, second] = reading.times;
  const isCompared =
    second !== undefined ||
    reading.comparison !== undefined ||
    isOfChange(reading.order) ||
    reading.kind === "reasons";
  if (isCompared || (first !== undefined && !covers(span, first, question, released))) return undefined;
  const isShorter = first?.isEver === true && span !== ALL_TIME;
  return { range: rangeOf(span), by: "file", span, ...(isShorter && { fallback: "longest-window" }) };
}

/** Why the sums of these windows do not answer the question. */
export function otherWindows(
  { reading, wording }: Question,
  measure: Measure,
  windows: readonly string[],
): string {
  const NAME = wording.measure(measure);
  const ASKED = reading.times[0]?.text ?? wording.say("change");
  return wording.say("only-window", { NAME, WINDOW: wording.list(windows), ASKED }, windows.length);
}

export function windowName(span: Span, wording: Wording): string {
  const range = rangeOf(span);
  if (range !== undefined) return wording.range(range);
  if (span === ALL_TIME) return wording.say("all-time");
  const length = lengthIn(span);
  if (length === undefined) return wording.say("window-unknown");
  return wording.say(`last-${length.unit}s`, { COUNT: String(length.count) }, length.count);
}

/** Files with the same figures and stores that do not state their window, so that their figures are not added. */
export function unstatedBeside({ files }: Catalog, slices: readonly Slice[]): readonly string[] {
  const isLeft = (file: Catalog["files"][number]): boolean => {
    const format = formatOf(file.kind);
    const store = format?.constants?.["store"];
    return slices.some(({ candidate: { source, column }, filters: { stores } }) => {
      const { span, ...table } = source;
      const isOther = span !== undefined && span !== file.span && isFilledBy(table, file, format);
      const isOfStore = store === undefined || stores?.includes(store) !== false;
      return isOther && isOfStore && format !== undefined && column in format.columns;
    });
  };
  return files
    .filter((file) => file.span !== null && isUnstated(file.span) && isLeft(file))
    .map(({ name }) => name);
}

/** Two reference days: a period that has a window's length on one of them by chance does not have it on both. */
const LAST_DAYS = ["2026-06-15", "2004-11-02"];

/** Whether a period matches a window. A shorter window also answers a question about all time; the answer names it. */
function covers(span: Span, time: Time, { today }: Question, released: string | undefined): boolean {
  if (time.isEver === true || (span === ALL_TIME && isSinceRelease(time))) return true;
  const range = rangeOf(span);
  const length = lengthIn(span);
  if (range !== undefined) {
    const now = today === undefined || today < range.to ? range.to : today;
    return isSame(time.days({ data: range, today: now, released }), range);
  }
  return (
    length !== undefined &&
    LAST_DAYS.every((to) =>
      isSame(time.days({ data: { from: "1990-01-01", to }, today: to }), back(length.count, length.unit, to)),
    )
  );
}

/** Sorts windows by how close they are to the default length, then latest first. */
function compare(left: Span, right: Span): number {
  const distance = (span: Span): number => {
    const days = Math.abs(daysOf(span) - DEFAULT_DAYS);
    return days <= 2 ? 0 : days;
  };
  const end = (span: Span): string => rangeOf(span)?.to ?? "";
  return distance(left) - distance(right) || (end(left) < end(right) ? 1 : end(left) > end(right) ? -1 : 0);
}

/** The length by which windows are sorted: one of unknown length comes between stated lengths and all time. */
function daysOf(span: Span): number {
  const range = rangeOf(span);
  const length = lengthIn(span);
  if (range !== undefined) return lengthOf(range);
  if (length === undefined) return span === ALL_TIME ? 2e6 : 1e6;
  return length.count * (length.unit === "day" ? 1 : 30);
}
