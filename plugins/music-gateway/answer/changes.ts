import { addDays, type DayRange } from "../question/day.ts";
import type { Reading } from "../question/reading.ts";
import type { Chart } from "./chart.ts";
import type { Collection } from "./collection.ts";
import { figuresBy, textOf } from "./figures.ts";
import { change, count, difference, marked, table, type Blocks } from "./markdown.ts";
import type { Plan } from "./plan.ts";
import { changeOf } from "./rows.ts";
import type { Wording } from "./wording.ts";

/** Four weeks before and after. */
const REACH_DAYS = 28;
/** Fewer days of the same weekday than this say nothing. */
const FEWEST = 3;
/** The median of distances times this is a spread like a standard deviation. */
const SPREAD = 1.4826;
const TIMES_SPREAD = 3;
const LEAST_SHARE = 0.15;
const MOST_DAYS = 31;
const MOST_SONGS = 3;
/** A song that moved less than this part of the day's change did not carry it. */
const LEAST_CARRIED = 0.1;

interface Unusual {
  readonly day: string;
  readonly value: number;
  readonly usual: number;
}

/** Days that leave the usual pattern of their weekday, with how much and which songs carried them. */
export async function changesBlocks(
  collection: Collection,
  plan: Plan,
  reading: Reading,
  wording: Wording,
): Promise<Blocks> {
  const { slice, period, data } = plan;
  const { range } = period;
  if (range === undefined || data === undefined)
    return { blocks: [wording.say("no-figures", { NAME: wording.measure(plan.measure) })], charts: [] };
  const around = { from: addDays(range.from, -REACH_DAYS), to: addDays(range.to, REACH_DAYS) };
  const daily = await figuresBy(collection, { ...slice, range: around }, "day");
  const values = new Map(daily.map(({ key, value }) => [key, value]));
  const judged = daysIn(range).flatMap((day) => judgedDay(day, values));
  const sign = { fall: -1, grow: 1, none: 0 }[reading.direction ?? "none"];
  const unusual = judged.filter(
    (one) => one.isUnusual && (sign === 0 || Math.sign(one.value - one.usual) === sign),
  );
  const value = judged.reduce((sum, one) => sum + one.value, 0);
  const usual = judged.reduce((sum, one) => sum + one.usual, 0);
  const name = wording.measure(plan.measure);
  const totals = [
    [name, count(value), count(usual), difference(value - usual), change(changeOf(value, usual))],
  ];
  const points = (figure: (one: Unusual) => number): Chart["series"][number]["points"] =>
    judged.map((one) => ({ value: figure(one), text: count(figure(one)) }));
  const charts: readonly Chart[] = [
    {
      kind: "line",
      title: name,
      labels: judged.map(({ day }) => day),
      series: [
        { name, points: points(({ value: one }) => one) },
        { name: wording.say("usual"), points: points(({ usual: one }) => one) },
      ],
    },
  ];
  const columns = [wording.say("usual"), wording.say("difference"), wording.say("change-of-periods")];
  const blocks = [
    ...(reading.asksWhy ? [wording.say("reasons")] : []),
    table([wording.say("figure"), wording.say("this-period"), ...columns], totals),
  ];
  if (unusual.length === 0) {
    blocks.push(wording.say(sign === 0 ? "no-changes" : sign < 0 ? "no-changes-fall" : "no-changes-grow"));
    return { blocks: [...blocks, wording.say("changes-rule")], charts };
  }
  const rows = [];
  for (const one of unusual.slice(0, MOST_DAYS)) {
    rows.push([
      one.day,
      count(one.value),
      count(one.usual),
      difference(one.value - one.usual),
      change(changeOf(one.value, one.usual)),
      (await carriersOf(collection, plan, one)).join(wording.say("comma")),
    ]);
  }
  blocks.push(
    table([wording.split("day"), name, ...columns, wording.say("carried-by")], rows),
    wording.say("changes-rule"),
  );
  return { blocks, charts };
}

/** A day against the same weekday in the weeks around it; nothing where too few of them have figures. */
function judgedDay(
  day: string,
  values: ReadonlyMap<string, number>,
): readonly (Unusual & { readonly isUnusual: boolean })[] {
  const value = values.get(day);
  const others = sameWeekdays(day).flatMap((other) => values.get(other) ?? []);
  if (value === undefined || others.length < FEWEST) return [];
  const usual = median(others);
  const spread = SPREAD * median(others.map((other) => Math.abs(other - usual)));
  const isUnusual = Math.abs(value - usual) > Math.max(TIMES_SPREAD * spread, LEAST_SHARE * usual);
  return [{ day, value, usual, isUnusual }];
}

/** The songs whose plays moved most in the direction of the day. */
async function carriersOf(
  collection: Collection,
  { slice, measure }: Plan,
  { day, value, usual }: Unusual,
): Promise<readonly string[]> {
  const isOfSong = (slice.filters.songs?.length ?? 0) === 1;
  if (measure !== "plays" || isOfSong) return [];
  const others = sameWeekdays(day);
  const names = others.map((_, place) => `$d${place}::DATE`);
  const sign = value < usual ? 1 : -1;
  const rows = await collection.rows(
    `WITH days AS (SELECT song_id, date, sum(plays) AS plays FROM song_day WHERE date IN ($day::DATE, ${names.join(", ")}) GROUP BY 1, 2),
      moved AS (
        SELECT song_id, coalesce(max(plays) FILTER (date = $day::DATE), 0)
          - coalesce(median(plays) FILTER (date <> $day::DATE), 0) AS change
        FROM days GROUP BY song_id)
      SELECT song_id, change::DOUBLE AS change FROM moved WHERE change * $sign < 0 ORDER BY abs(change) DESC, song_id LIMIT ${MOST_SONGS}`,
    { day, sign, ...Object.fromEntries(others.map((other, place) => [`d${place}`, other])) },
  );
  const carried = rows.filter(
    (row) => Math.abs(Number(row["change"])) >= LEAST_CARRIED * Math.abs(value - usual),
  );
  return carried.map((row) => {
    const title =
      collection.catalog.songs.find(({ id }) => String(id) === textOf(row, "song_id"))?.title ?? "";
    return `${marked(title)} ${difference(Number(row["change"]))}`;
  });
}

function sameWeekdays(day: string): readonly string[] {
  return [-28, -21, -14, -7, 7, 14, 21, 28].map((days) => addDays(day, days));
}

function daysIn({ from, to }: DayRange): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
