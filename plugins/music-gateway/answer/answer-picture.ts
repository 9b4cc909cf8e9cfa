import type { DayRange } from "../question/day.ts";
import type { Asked } from "../question/follow-up.ts";
import { isOfChange } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import { answerTo, type Answer } from "./answer.ts";
import { bySplit, calendarDays } from "./calendar.ts";
import { chartsOf, type Chart } from "./rectangle.ts";
import { valueName } from "./totals.ts";
import { filterParts, kindOf } from "./understood.ts";

/**
 * Draws the figures of an answer as an SVG picture; for several songs, the figures of each song's answer side by side.
 * Returns undefined if the answer has no figures.
 */
export async function pictureOf(
  message: string,
  songIds: readonly number[],
  earlier: readonly Asked[],
  collection: Collection,
  today: string,
): Promise<string | undefined> {
  const songs = songIds.length === 0 ? [undefined] : songIds;
  const answers = await Promise.all(
    songs.map(async (songId) => {
      const answer = await answerTo({ message, songId }, earlier, collection, today);
      const { wording } = answer.question;
      const name = songId === undefined ? "" : wording.song(songId);
      const charts = answer.sections.flatMap(({ blocks }) => chartsOf(blocks));
      return { ...headlineOf(answer), wording, name, charts };
    }),
  );
  const drawn = answers.filter(({ charts }) => charts.length > 0);
  const [first] = drawn;
  if (first === undefined) return undefined;
  const { picture } = await import("./picture.ts");
  const words = [...drawn.flatMap(({ subjects }) => subjects), ...drawn.flatMap(({ days }) => days)];
  const subtitle = [...new Set(words)].join(" · ");
  const notes = collection.source === "sample" ? [first.wording.say("sample")] : [];
  return picture(sideBySide(drawn), { title: first.title, subtitle, notes }, first.wording);
}

/** Merges the charts of several songs' answers: charts with the same points become one, with a series per song. */
function sideBySide(
  answers: readonly { readonly name: string; readonly charts: readonly Chart[] }[],
): readonly Chart[] {
  const [first] = answers;
  if (first === undefined || answers.length === 1) return first?.charts ?? [];
  const shapeOf = (charts: readonly Chart[]): string =>
    JSON.stringify(charts.map(({ kind, title, labels, series }) => [kind, title, labels, series.length]));
  const isOne = first.charts.every(({ series }) => series.length === 1);
  if (!isOne || answers.some(({ charts }) => shapeOf(charts) !== shapeOf(first.charts)))
    return answers.flatMap(({ name, charts }) =>
      charts.map((chart) => ({ ...chart, title: `${name} · ${chart.title}` })),
    );
  return first.charts.map((chart, at) => ({
    ...chart,
    series: answers.flatMap(({ name, charts }) =>
      (charts[at]?.series ?? []).map((series) => ({ ...series, name })),
    ),
  }));
}

/** The subject of an answer: its figures and split, followed by its filters and days. */
function headlineOf({ question, plans }: Answer) {
  const { reading, wording } = question;
  const [plan] = plans;
  const { kind, order } = reading;
  const isFigures = kind === "figures";
  const isChinese = wording.language === "zh";
  const names = [...new Set(plans.map((one) => valueName(one, wording)))];
  const figures = bySplit(wording.list(names), isFigures ? plan?.split : undefined, wording);
  const moves = isFigures && order !== undefined && isOfChange(order) ? wording.say(`order-${order}`) : "";
  const of = kind === "overview" ? "" : [figures, moves].filter(Boolean).join(isChinese ? "，" : ", ");
  const { range, comparison } = plan?.period ?? {};
  const days = (one: DayRange): string => calendarDays(one, wording.language);
  return {
    title: [capital(kindOf(reading, wording)), of].filter(Boolean).join(isChinese ? "：" : ": "),
    subjects: filterParts(question, plan).map(capital),
    days: [
      ...(range === undefined ? [] : [days(range)]),
      ...(comparison === undefined ? [] : [wording.say("compared", { RANGE: days(comparison) })]),
    ],
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
