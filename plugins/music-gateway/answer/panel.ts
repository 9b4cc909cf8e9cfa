import type { BarSeriesOption, LineSeriesOption } from "echarts/charts";
import type { LegendComponentOption, TitleComponentOption } from "echarts/components";
import { grouped, type Cell, type Chart } from "./rectangle.ts";
import type { Wording } from "./wording.ts";
import style from "./picture-style.json" with { type: "json" };

/** The width of a picture, its margins, and the space for the names of bars, for their figures and for axis labels. */
export interface Frame {
  readonly width: number;
  readonly margin: number;
  readonly names: number;
  readonly figures: number;
  readonly axis: number;
}

/** A picture by itself, and a picture on a page: on a screen or paper, and on a phone. */
export const FRAMES = {
  alone: { width: 960, margin: 24, names: 230, figures: 100, axis: 78 },
  page: { width: 720, margin: 0, names: 220, figures: 90, axis: 70 },
  phone: { width: 350, margin: 0, names: 122, figures: 66, axis: 54 },
} as const satisfies Readonly<Record<string, Frame>>;
const PLOT = 220;
const BAR = 14;
export const LINE = 26;
const MOST_BARS = 30;
const MOST_SERIES = style.series.length;
/** The width of a legend entry with a long name. */
const ENTRY = 226;
/** A single line with at most this many points shows their figures; above the second number points have no marks. */
const FEW_POINTS = 12;
const MARKED_POINTS = 62;

export const [PAGE = "", INK = "", SOFT = "", GRID = ""] = [
  style.page,
  style.ink,
  style.soft,
  style.grid,
].map(([light]) => light);
export const COLOURS = style.series.map(([light = ""]) => light);

/** The position of a chart in a picture. The id distinguishes its names from those of other charts. */
interface Place {
  readonly top: number;
  readonly id: string;
  readonly hasTitle: boolean;
  readonly frame: Frame;
}

/** One chart as components of ECharts, `height` pixels high. */
interface Panel {
  readonly height: number;
  readonly titles: readonly TitleComponentOption[];
  readonly legends: readonly LegendComponentOption[];
  readonly grid: object;
  readonly xAxis: object;
  readonly yAxis: object;
  readonly series: readonly (BarSeriesOption | LineSeriesOption)[];
}

export function panelOf(whole: Chart, { top, id, hasTitle, frame }: Place, wording: Wording): Panel {
  const chart = drawn(whole);
  const left =
    whole.series.length -
    chart.series.length +
    (chart.kind === "bars" ? whole.labels.length - chart.labels.length : 0);
  const names = uniqueNames(chart, id);
  const plotTop = top + (hasTitle ? LINE : 0);
  const rows = names.length > 1 ? Math.ceil(names.length / Math.max(1, Math.floor(frame.width / ENTRY))) : 0;
  const plot = plotTop + rows * LINE + 18;
  const partial = chart.kind === "line" && chart.partial?.some(Boolean) === true;
  const notes = [
    ...(partial ? [wording.say("incomplete")] : []),
    ...(left > 0 ? [wording.say("not-drawn", { COUNT: String(left) }, left)] : []),
  ];
  const { height, ...components } =
    chart.kind === "line" ? lines(chart, names, plot, frame) : bars(chart, names, plot, frame);
  const below = plot + height + LINE + 8;
  return {
    ...components,
    height: below + notes.length * LINE - top,
    titles: [
      ...(hasTitle ? [textLine(chart.title, top, frame, { fontWeight: 600 })] : []),
      ...notes.map((note, place) =>
        textLine(note, below + place * LINE, frame, { color: SOFT, fontSize: 12 }),
      ),
    ],
    legends: rows === 0 ? [] : [legendOf(names, plotTop, frame)],
  };
}

/** The part of a chart that is drawn. A line starts at its first figure: nothing is drawn before a release. */
function drawn(chart: Chart): Chart {
  const series = chart.series.slice(0, MOST_SERIES);
  const first = Math.max(
    0,
    chart.labels.findIndex((_, at) => series.some(({ points }) => isFigure(points[at]))),
  );
  const cut = <T>(all: readonly T[]): readonly T[] =>
    chart.kind === "bars" ? all.slice(0, MOST_BARS) : all.slice(first);
  return {
    ...chart,
    labels: cut(chart.labels),
    series: series.map((one) => ({ ...one, points: cut(one.points) })),
    ...(chart.partial && { partial: cut(chart.partial) }),
    ...(chart.turns && { turns: cut(chart.turns) }),
  };
}

/** Legends identify series by name, so each name must be unique. */
function uniqueNames({ series, title }: Chart, id: string): readonly string[] {
  const seen = new Map<string, number>();
  return series.map(({ name }) => {
    const plain = clean(name) || `${clean(title)} ${id}`;
    const times = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, times);
    return times === 1 ? plain : `${plain} (${times})`;
  });
}

function lines(
  { labels, series, partial, turns }: Chart,
  names: readonly string[],
  top: number,
  { margin, axis }: Frame,
): Omit<Panel, "titles" | "legends"> {
  const hasFigures = series.length === 1 && labels.length <= FEW_POINTS;
  const isMarked = labels.length <= MARKED_POINTS;
  const values = series.flatMap(({ points }) => points.filter(isFigure).map(({ value }) => Number(value)));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const isPartial = (at: number): boolean => partial?.[at] === true;
  const edge = labels.length / 6;
  const turnCount = turns?.filter(Boolean).length ?? 0;
  const lowest = Math.min(...values.filter((_, place) => turns?.[place] === true));
  const line = (points: readonly Cell[], at: number, isDashed: boolean): LineSeriesOption => ({
    type: "line",
    name: names[at] ?? "",
    silent: true,
    showAllSymbol: true,
    symbol: isDashed ? "emptyCircle" : "circle",
    color: COLOURS[at] ?? INK,
    lineStyle: { width: 2, type: isDashed ? "dashed" : "solid" },
    data: points.map((point, place) => {
      const sides = [place - 1, place + 1];
      // A dashed line starts at the last whole step, which already has a mark.
      const isOwn = isDashed === isPartial(place);
      const isDrawn = isFigure(point) && (isOwn || (isDashed && sides.some(isPartial)));
      const isAlone = !sides.some((side) => isFigure(points[side]) && (isDashed || !isPartial(side)));
      const isTurn = turns?.[place] === true;
      const name = isTurn && !hasFigures ? `${labels[place] ?? ""}: ` : "";
      return {
        value: isDrawn ? point.value : "-",
        symbolSize: isOwn && (isMarked || isAlone || isTurn) ? (isTurn ? 8 : 5) : 0,
        label: {
          show: (hasFigures || isTurn) && isOwn && isDrawn,
          position: isTurn && turnCount > 1 && point.value === lowest ? "bottom" : "top",
          // Near the edges the label stays within the plot.
          align:
            !isTurn || hasFigures
              ? "center"
              : place < edge
                ? "left"
                : place > labels.length - edge
                  ? "right"
                  : "center",
          color: isTurn ? INK : SOFT,
          formatter: () => clean(`${name}${point.text}`),
        },
      };
    }),
  });
  const hasPartial = labels.some((_, place) => isPartial(place));
  return {
    height: PLOT,
    grid: { left: margin + axis, right: margin + 24, top, height: PLOT },
    xAxis: {
      ...AXIS_STYLE,
      type: "category",
      // Leaves room for the figures of the first and last point next to those of the axis.
      boundaryGap: hasFigures,
      data: labels.map(clean),
      axisLabel: {
        color: SOFT,
        hideOverlap: true,
        showMinLabel: true,
        showMaxLabel: true,
        // Keeps the first and last week name within the picture.
        ...(!hasFigures && { alignMinLabel: "left", alignMaxLabel: "right" }),
        width: hasFigures ? 110 : 160,
        overflow: "truncate",
      },
      splitLine: { show: false },
    },
    yAxis: {
      ...VALUE_AXIS,
      type: "value",
      // On an axis that starts at 0, a line that hardly moves would look flat.
      scale: least > 0 && most > least && (most - least) / most < 0.05,
    },
    series: series.flatMap(({ points }, at) =>
      (hasPartial ? [false, true] : [false]).map((isDashed) => line(points, at, isDashed)),
    ),
  };
}

function bars(
  { labels, series }: Chart,
  names: readonly string[],
  top: number,
  frame: Frame,
): Omit<Panel, "titles" | "legends"> {
  const height = labels.length * (series.length * (BAR + 2) + 10);
  const isNegative = series.some(({ points }) => points.some(({ value }) => Number(value) < 0));
  return {
    height,
    grid: {
      left: frame.margin + frame.names + (isNegative ? frame.figures : 0),
      right: frame.margin + frame.figures,
      top,
      height,
    },
    xAxis: { ...VALUE_AXIS, type: "value", splitNumber: frame.width < 500 ? 2 : 4 },
    yAxis: {
      ...AXIS_STYLE,
      type: "category",
      inverse: true,
      data: labels.map(clean),
      axisLabel: {
        color: INK,
        interval: 0,
        // Allows for fonts that differ by a tenth in width.
        width: 0.85 * frame.names,
        overflow: "truncate",
        ...(isNegative && { margin: frame.figures + 8 }),
      },
    },
    series: series.map(({ points }, at) => ({
      type: "bar",
      name: names[at] ?? "",
      silent: true,
      barWidth: BAR,
      barGap: "15%",
      color: COLOURS[at] ?? INK,
      data: points.map((point) => ({
        value: point.value ?? 0,
        label: {
          show: true,
          position: Number(point.value) < 0 ? "left" : "right",
          color: SOFT,
          formatter: () => clean(point.text),
        },
      })),
    })),
  };
}

const AXIS_STYLE = { axisLine: { onZero: true, lineStyle: { color: GRID } }, axisTick: { show: false } };
const VALUE_AXIS = {
  ...AXIS_STYLE,
  axisLine: { show: false },
  splitLine: { lineStyle: { color: GRID } },
  axisLabel: {
    color: SOFT,
    hideOverlap: true,
    formatter: (value: number) => grouped(String(Number(value.toPrecision(12)))),
  },
};

export function textLine(
  text: string,
  top: number,
  { width, margin }: Frame,
  textStyle: object,
): TitleComponentOption {
  // Allows for fonts of different widths.
  const fitting = { width: 0.8 * (width - 2 * margin), overflow: "truncate" as const };
  return {
    text: clean(text),
    left: margin,
    top,
    padding: 0,
    textStyle: { fontSize: 14, fontWeight: 400, color: INK, ...textStyle, ...fitting },
  };
}

function legendOf(names: readonly string[], top: number, { width, margin }: Frame): LegendComponentOption {
  const isShort = names.join("").length * 14 + names.length * 40 < width - 2 * margin;
  return {
    data: [...names],
    left: margin,
    width: width - 2 * margin,
    top,
    padding: 0,
    selectedMode: false,
    icon: "roundRect",
    itemGap: 24,
    itemWidth: 14,
    itemHeight: 10,
    textStyle: { color: INK, fontSize: 13, ...(isShort ? {} : { width: 180, overflow: "truncate" }) },
  };
}

function isFigure(point: Cell | undefined): point is Cell {
  return typeof point?.value === "number";
}

/** Removes characters that XML forbids, and those that change the writing direction. */
export function clean(content: string): string {
  return content.replaceAll(/[\p{Cc}\p{Cs}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
}
