import { addDays } from "../question/day.ts";
import type { Collection } from "../store/catalog.ts";
import { change, count, difference, table, type Chart, type Blocks, type Question } from "./wording.ts";
import { statementOf, textOf, changeOf } from "./figures.ts";
import type { Plan } from "./plan.ts";

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

/** A day against the median of the same weekday in the weeks around it. */
interface DayComparison {
  readonly day: string;
  readonly value: number;
  readonly usual: number;
  readonly isUnusual: boolean;
}

/** Days that leave the usual pattern of their weekday, with how much and which songs carried them. */
export async function changesBlocks(question: Question, plan: Plan): Promise<Blocks> {
  const { collection, reading, wording } = question;
  const name = wording.measure(plan.measure);
  if (plan.period.range === undefined)
    return { blocks: [wording.say("no-figures", { NAME: name })], charts: [] };
  const judged = await judgedDays(collection, plan);
  const sign = { fall: -1, grow: 1, none: 0 }[reading.direction ?? "none"];
  const unusual = judged.filter(
    ({ isUnusual, value, usual }) => isUnusual && (sign === 0 || Math.sign(value - usual) === sign),
  );
  const value = judged.reduce((sum, one) => sum + one.value, 0);
  const usual = judged.reduce((sum, one) => sum + one.usual, 0);
  const points = (figure: "value" | "usual"): Chart["series"][number]["points"] =>
    judged.map((one) => ({ value: one[figure], text: count(one[figure]) }));
  const chart: Chart = {
    kind: "line",
    title: name,
    labels: judged.map(({ day }) => day),
    series: [
      { name, points: points("value") },
      { name: wording.say("usual"), points: points("usual") },
    ],
  };
  const cells = (now: number, then: number): readonly string[] => [
    count(now),
    count(then),
    difference(now - then),
    change(changeOf(now, then)),
  ];
  const columns = [wording.say("usual"), wording.say("difference"), wording.say("change-of-periods")];
  const header = [wording.say("figure"), wording.say("this-period"), ...columns];
  const rows = await Promise.all(
    unusual.slice(0, MOST_DAYS).map(async (one) => {
      const carriers = wording.list(await carriersOf(question, plan, one));
      return [one.day, ...cells(one.value, one.usual), carriers];
    }),
  );
  const none = sign === 0 ? "no-changes" : sign < 0 ? "no-changes-fall" : "no-changes-grow";
  const blocks = [
    ...(reading.asksWhy ? [wording.say("reasons")] : []),
    table(header, [[name, ...cells(value, usual)]]),
    rows.length === 0
      ? wording.say(none)
      : table([wording.split("day"), name, ...columns, wording.say("carried-by")], rows),
    wording.say("changes-rule"),
  ];
  return { blocks, charts: [chart] };
}

/** The days of a plan; none where too few of the same weekday have figures. */
async function judgedDays(
  collection: Collection,
  { slice, period }: Plan,
): Promise<readonly DayComparison[]> {
  const { range } = period;
  if (range === undefined) return [];
  const around = { from: addDays(range.from, -REACH_DAYS), to: addDays(range.to, REACH_DAYS) };
  const { sql, parameters } = statementOf({ ...slice, range: around }, "day");
  const rows = await collection.rows(
    `WITH daily AS (SELECT key::DATE AS day, amount::DOUBLE AS value FROM (${sql})),
      judged AS (
        SELECT one.day, any_value(one.value) AS value, median(other.value) AS usual, mad(other.value) AS spread
        FROM daily one JOIN daily other
          ON one.day <> other.day AND abs(one.day - other.day) <= ${REACH_DAYS} AND (one.day - other.day) % 7 = 0
        WHERE one.day BETWEEN $first::DATE AND $last::DATE GROUP BY 1 HAVING count(*) >= ${FEWEST})
     SELECT day::VARCHAR AS day, value, usual,
       abs(value - usual) > greatest(${TIMES_SPREAD} * ${SPREAD} * spread, ${LEAST_SHARE} * usual) AS unusual
     FROM judged ORDER BY 1`,
    { ...parameters, first: range.from, last: range.to },
  );
  return rows.map((row) => ({
    day: textOf(row, "day"),
    value: Number(row["value"]),
    usual: Number(row["usual"]),
    isUnusual: row["unusual"] === true,
  }));
}

/** The songs whose plays moved most in the direction of the day. */
async function carriersOf(
  { collection, wording }: Question,
  { slice, measure }: Plan,
  { day, value, usual }: DayComparison,
): Promise<readonly string[]> {
  if (measure !== "plays" || slice.filters.songs?.length === 1) return [];
  const rows = await collection.rows(
    `WITH days AS (
        SELECT song_id, date, sum(plays) AS plays FROM song_day
        WHERE abs(date - $day::DATE) <= ${REACH_DAYS} AND (date - $day::DATE) % 7 = 0 GROUP BY 1, 2),
      moved AS (
        SELECT song_id, coalesce(max(plays) FILTER (date = $day::DATE), 0)
          - coalesce(median(plays) FILTER (date <> $day::DATE), 0) AS change
        FROM days GROUP BY song_id)
      SELECT song_id, change::DOUBLE AS change FROM moved
      WHERE change * $moved > 0 AND abs(change) >= ${LEAST_CARRIED} * abs($moved)
      ORDER BY abs(change) DESC, song_id LIMIT ${MOST_SONGS}`,
    { day, moved: value - usual },
  );
  return rows.map((row) => `${wording.song(textOf(row, "song_id"))} ${difference(Number(row["change"]))}`);
}
