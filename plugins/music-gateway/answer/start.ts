import { addDays } from "../question/day.ts";
import { unitOf } from "../model.ts";
import { stepLabel } from "./calendar.ts";
import { changeOf, currenciesOf, figuresBy } from "./figures.ts";
import type { Plan } from "./plan.ts";
import { change, column, figured, rectangle, worded, type Block, type Chart } from "./rectangle.ts";
import type { Question } from "./wording.ts";

/** Weekdays differ, so days are averaged over a week. */
const WEEK_DAYS = 7;
/** An average of fewer days is not significant. */
const FEWEST_DAYS = 4;
/** A smaller share of the higher point is not a growth or fall. */
const LEAST_MOVE = 0.1;

/** The average per day of the week that ends on a day, or the figure of a month. */
interface Point {
  readonly key: string;
  readonly value: number;
}

/** The largest growth or fall of a period, from its start to its end, or the highest point; and the last point. */
export async function startBlocks(question: Question, plan: Plan): Promise<readonly Block[]> {
  const { collection, reading, wording } = question;
  const { slice, measure, period } = plan;
  if (period.range === undefined) return [wording.say("no-rows")];
  const isPeak = reading.kind === "peak";
  const isFall = reading.direction === "fall";
  const isMonthly = slice.candidate.source.grain === "month";
  const split = isMonthly ? "month" : "day";
  const figures = await figuresBy(collection, slice, split);
  const unit = unitOf(measure);
  const label = isMonthly
    ? wording.measure(measure)
    : wording.say("week-average", { NAME: wording.measure(measure) });
  const blocks = currenciesOf(figures).flatMap((currency): Block[] => {
    const own = figures.filter((one) => one.currency === currency);
    const points = isMonthly ? own : weeklyAverages(own);
    const named = (text: string): string => (currency === "" ? text : `${text} (${currency})`);
    const name = named(label);
    const last = points.at(-1);
    const move = isPeak ? highest(points) : largestMove(points, isFall ? -1 : 1);
    const [start] = move;
    if (start === undefined || last === undefined)
      return [
        wording.say(isFall ? "start-no-fall" : "start-no-growth", { NAME: named(wording.measure(measure)) }),
      ];
    const steps = [...new Set([...move, last])];
    const table = rectangle<Point>(
      [
        column(split, isMonthly ? wording.split("month") : wording.say("week-to"), "text", ({ key }) =>
          worded(key),
        ),
        column(measure, name, unit, ({ value }) => figured(value, unit)),
        column("change", wording.say("change-of-periods"), "percent", (point) =>
          change(changeOf(point.value, steps[steps.indexOf(point) - 1]?.value)),
        ),
      ],
      steps,
    );
    const chart: Chart = {
      kind: "line",
      title: name,
      labels: points.map(({ key }) => stepLabel(key, split, wording.language)),
      series: [{ name: "", points: points.map(({ value }) => figured(value, unit)) }],
      turns: points.map((point) => move.includes(point)),
    };
    const found = isPeak
      ? start === last
        ? "peak-last"
        : "peak-passed"
      : isFall
        ? "start-fall"
        : "start-growth";
    return [
      wording.say(found, { DAY: start.key }),
      ...(start === points[0] ? [wording.say("milestone-from", { FROM: own[0]?.key ?? "" })] : []),
      { ...table, charts: [chart] },
    ];
  });
  const rule = isPeak ? "peak-rule" : "start-rule";
  return [...blocks, wording.say(isMonthly ? `${rule}-month` : rule)];
}

/** The daily average of each whole week of figures, by the last day of the week. */
function weeklyAverages(days: readonly Point[]): readonly Point[] {
  const first = addDays(days[0]?.key ?? "", WEEK_DAYS - 1);
  return days.flatMap(({ key }, at) => {
    const from = addDays(key, 1 - WEEK_DAYS);
    const week = days.slice(Math.max(0, at + 1 - WEEK_DAYS), at + 1).filter((one) => one.key >= from);
    const value = week.reduce((sum, one) => sum + one.value, 0) / week.length;
    return key < first || week.length < FEWEST_DAYS ? [] : [{ key, value }];
  });
}

function highest(points: readonly Point[]): readonly Point[] {
  return points.toSorted((left, right) => right.value - left.value).slice(0, 1);
}

/** The two points between which figures changed most in a direction; empty if they hardly changed. */
function largestMove(points: readonly Point[], sign: 1 | -1): readonly Point[] {
  let [start] = points;
  let most: readonly [Point, Point] | undefined;
  const size = ([from, to]: readonly [Point, Point]): number => sign * (to.value - from.value);
  for (const point of points) {
    // Among equal points, the last one is the start of the change.
    if (start === undefined || sign * (point.value - start.value) <= 0) start = point;
    else if (most === undefined || size([start, point]) > size(most)) most = [start, point];
  }
  const isMove = most && size(most) >= LEAST_MOVE * Math.max(...most.map(({ value }) => value));
  return most && isMove ? most : [];
}
