import { lengthOf, type DayRange } from "../question/day.ts";
import { isOfChange, type Filters, type Split } from "../question/query.ts";
import { filterOf } from "../model.ts";
import { isCut, isTimeSplit, isWeekly, stepAfter, stepDays, stepsIn } from "./calendar.ts";
import type { Series } from "./figures.ts";
import { valueName } from "./totals.ts";
import type { Question, Wording } from "./wording.ts";
import type { Plan } from "./plan.ts";

/** A measure in a table by a split, or one of the songs, countries or stores that are compared. */
export interface Term extends Series {
  readonly plan: Plan;
  /** The name of its column in the data. */
  readonly id: string;
  readonly name: string;
}

/** Each step of the period with the step at the same position in the comparison period. */
export type Steps = ReadonlyMap<string, string | undefined>;

/** The columns next to each other in a table: measures with their comparison, or one for each of two songs. */
export function termsOf(
  question: Question,
  plans: readonly Plan[],
  split: Split,
  steps: Steps,
): readonly Term[] {
  const { wording, reading } = question;
  return plans.flatMap((plan): readonly Term[] => {
    const { measure, slice } = plan;
    const name = valueName(plan, wording);
    const members = isTimeSplit(split) && reading.group === undefined ? membersOf(plan, wording) : [];
    if (members.length < 2) return [{ plan, id: measure, name, ...seriesOf(question, plan, split, steps) }];
    return members.map(([member, filters], at) => ({
      plan,
      id: `${measure}_${at + 1}`,
      name: plans.length > 1 ? `${name}: ${member}` : member,
      now: { ...slice, filters: { ...slice.filters, ...filters } },
    }));
  });
}

export function stepsOf({ slice, period: { range, comparison } }: Plan, split: Split): Steps {
  const { weekdays, ...filters } = slice.filters;
  const now = stepsIn(range, split, weekdays);
  const before = isOfMembers(filters) ? [] : stepsIn(comparison, split, weekdays);
  for (let last = now.at(-1); last !== undefined && now.length < before.length; last = now.at(-1))
    now.push(stepAfter(last, split));
  return new Map(now.map((key, at) => [key, before[at]]));
}

/** Whether songs, countries or stores are compared over time. */
function isOfMembers({ songs = [], countries = [], stores = [] }: Filters): boolean {
  return [songs, countries, stores].some((all) => all.length > 1);
}

function membersOf({ slice }: Plan, wording: Wording): readonly (readonly [string, Filters])[] {
  const { songs = [], countries = [], stores = [] } = slice.filters;
  if (songs.length > 1) return songs.map((id) => [wording.song(id), { songs: [id] }]);
  if (countries.length > 1) return countries.map((code) => [wording.country(code), { countries: [code] }]);
  return stores.map((store) => [store, { stores: [store] }]);
}

/** The figures of a plan and their comparison: those of another period, or of the previous step. */
function seriesOf({ reading }: Question, plan: Plan, split: Split, steps: Steps): Series {
  const { slice, data, period } = plan;
  const { range, comparison } = period;
  if (reading.group !== undefined) return { now: slice };
  if (!isTimeSplit(split)) {
    // Shares refer to all rows, even if only two are compared.
    const filters = { ...slice.filters };
    const own = filterOf(split);
    if (own !== undefined) delete filters[own];
    const now = { ...slice, filters };
    return { now, before: comparison && { ...now, range: comparison } };
  }
  if (comparison !== undefined) {
    const places = new Map([...steps].map(([now, before]) => [before, now]));
    const keyNow = isWeekly(split) ? undefined : (key: string): string | undefined => places.get(key);
    return { now: slice, before: { ...slice, range: comparison }, keyNow };
  }
  const [first] = steps.keys();
  const isGrowth = reading.isGrowth || isOfChange(reading.order);
  if (!isGrowth || first === undefined || range === undefined) return { now: slice };
  // A step that the period cuts short is not compared, and neither is the one after it.
  const { from } = stepDays(stepAfter(first, split, -1), split);
  const isHeld = data !== undefined && from >= data.from && !isCut(first, split, range);
  const whole = { from: isHeld ? from : range.from, to: range.to };
  const keyNow = (key: string): string | undefined => {
    const next = stepAfter(key, split);
    return isCut(key, split, whole) || isCut(next, split, range) ? undefined : next;
  };
  return { now: slice, before: { ...slice, range: whole }, keyNow };
}

/** The name of a key; for weeks, their days within a range, or nothing for steps after it. */
export function keyLabel(key: string, split: Split, wording: Wording, range?: DayRange): string {
  if (split === "song") return wording.song(key);
  if (split === "country") return wording.country(key);
  if (split === "weekday") return wording.weekday(Number(key));
  if (split === "weekpart") return wording.say(key === "weekend" ? "weekend" : "working-days");
  if (!isTimeSplit(split)) return key === "" ? wording.say("unknown-place") : key;
  if (range === undefined || key === "") return key;
  const { from, to } = stepDays(key, split);
  if (from > range.to) return "";
  if (split !== "week") return key;
  const days = { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to };
  const length = lengthOf(days);
  return length === 7 ? wording.range(days) : `${wording.range(days)} (${wording.days(length)})`;
}
