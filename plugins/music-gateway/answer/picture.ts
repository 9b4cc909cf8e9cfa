import { grouped } from "./rectangle.ts";
import { sideBySide, type Chart, type Drawable, type Point, type Series, type Wording } from "./wording.ts";
import style from "./picture-style.json" with { type: "json" };

const WIDTH = 960;
const MARGIN = 24;
/** Room for the names of bars, for their figures, and for the figures of an axis. */
const NAMES = 250;
const FIGURES = 110;
const AXIS = 84;
/** From the axis to the first point, whose figure has room there. */
const INSET = 34;
const PLOT = 220;
const BAR = 16;
const MOST_BARS = 30;
const MOST_SERIES = 8;
const MOST_TICKS = 8;
/** As many points of one line have room for their figures. */
const FEW_POINTS = 12;
/** Up to here points are marked; beyond they would be one band. */
const MARKED_POINTS = 62;

/** Colours are readable on white and on black; the second of each pair is for dark mode. */
const coloured = (mode: number): string =>
  style.colours.map((pair, at) => `.s${at}{fill:${pair[mode]};stroke:${pair[mode]}}`).join("");
const STYLE = [
  ...style.style,
  coloured(0),
  `@media(prefers-color-scheme:dark){${style.dark}${coloured(1)}}`,
  style.marks,
].join("");

/** A part of the picture: what it draws at a height, and how high it is. */
interface Part {
  readonly height: number;
  readonly draw: (top: number) => string;
}

/**
 * Charts below each other as SVG, without scripts and without anything that is loaded: the same charts, the same bytes.
 * Those of several songs stand side by side; `notes` say what else is to be known.
 */
export function picture(answers: readonly Drawable[], notes: readonly string[], wording: Wording): string {
  const titles = answers.map(({ title }) => title);
  const heads = titles.flatMap((title) => wrapped(title, (WIDTH - 2 * MARGIN) / 16.5, 3));
  const parts = [
    ...heads.map((line) => textLine("title", line)),
    ...sideBySide(answers).flatMap((chart) => panel(chart, wording)),
    ...notes
      .flatMap((note) => wrapped(note, (WIDTH - 2 * MARGIN) / 12.5, 3))
      .map((line) => textLine("soft", line)),
  ];
  let height = MARGIN;
  const drawn = parts.map((part) => {
    const text = part.draw(height);
    height += part.height;
    return text;
  });
  height += MARGIN;
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" style="max-width:100%;height:auto"`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" lang="${wording.language}" ${size}>`,
    `<title id="title">${escaped(titles.join(" "))}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    ...drawn,
    "</svg>",
  ].join("\n")}\n`;
}

function panel(chart: Chart, wording: Wording): readonly Part[] {
  const series = chart.series.slice(0, MOST_SERIES);
  const most = chart.kind === "bars" ? MOST_BARS : chart.labels.length;
  const shown: Chart = { ...chart, labels: chart.labels.slice(0, most), series };
  const left = Math.max(chart.labels.length - most, chart.series.length - series.length);
  return [
    { height: 12, draw: () => "" },
    textLine("strong", fitted(chart.title, 64)),
    ...(series.length > 1 ? [legend(series)] : []),
    chart.kind === "line" ? lines(shown) : bars(shown),
    ...(left > 0 ? [textLine("soft", wording.say("not-drawn", { COUNT: String(left) }, left))] : []),
  ];
}

function textLine(kind: string, line: string): Part {
  return { height: 24, draw: (top) => text(kind, MARGIN, top + 15, line) };
}

function legend(series: readonly Series[]): Part {
  let x = MARGIN;
  let y = 0;
  const entries = series.map(({ name }, at) => {
    const label = fitted(name, 32);
    const width = 34 + widthOf(label) * 13;
    if (x + width > WIDTH - MARGIN) [x, y] = [MARGIN, y + 22];
    const [left, below] = [x, y];
    x += width;
    return (top: number) =>
      `<rect class="s${at} bar" x="${px(left)}" y="${top + below + 4}" width="12" height="12" rx="2"/>${text("", left + 18, top + below + 15, label)}`;
  });
  return { height: y + 24, draw: (top) => entries.map((entry) => entry(top)).join("") };
}

function lines({ labels, series }: Chart): Part {
  const ticks = ticksOf(valuesOf(series), true);
  const [from, to] = [MARGIN + AXIS, WIDTH - MARGIN];
  const across = scale([0, labels.length - 1], [from + INSET, to - INSET]);
  const last = labels.length - 1;
  const step = Math.max(1, Math.ceil(last / MOST_TICKS));
  // The last day is always named; a name that would touch it gives way.
  const isNamed = (at: number): boolean => at === last || (at % step === 0 && last - at >= step * 0.7);
  return {
    height: PLOT + 48,
    draw: (top) => {
      const up = scale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [top + 14 + PLOT, top + 14]);
      const axis = ticks.map(
        (tick) =>
          grid(tick, `M${from} ${px(up(tick))}H${to}`) +
          text("soft end", from - 8, up(tick) + 4, tickText(tick, ticks)),
      );
      const names = labels.map((label, at) =>
        isNamed(at) ? text("soft mid", across(at), top + PLOT + 36, fitted(label, 10)) : "",
      );
      const hasFigures = series.length === 1 && labels.length <= FEW_POINTS;
      return [...axis, ...names, ...series.map((one, at) => line(one, at, across, up, hasFigures))].join("");
    },
  };
}

/** One line, broken where there is no figure. */
function line({ points }: Series, colour: number, across: Scale, up: Scale, hasFigures: boolean): string {
  const path: string[] = [];
  const marks: string[] = [];
  points.forEach((point, at) => {
    if (point === undefined) return;
    const [x, y] = [across(at), up(point.value)];
    const isBegun = points[at - 1] !== undefined;
    path.push(`${isBegun ? "L" : "M"}${px(x)} ${px(y)}`);
    const isAlone = !isBegun && points[at + 1] === undefined;
    if (isAlone || points.length <= MARKED_POINTS)
      marks.push(`<circle class="s${colour}" cx="${px(x)}" cy="${px(y)}" r="2.5"/>`);
    if (hasFigures) marks.push(text("soft mid", x, y - 8, point.text));
  });
  return `<path class="s${colour} line" d="${path.join("")}"/>${marks.join("")}`;
}

function bars({ labels, series }: Chart): Part {
  const ticks = ticksOf(valuesOf(series), false);
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const names = MARGIN + NAMES;
  const across = scale([low, high], [names + (low < 0 ? FIGURES : 0), WIDTH - MARGIN - FIGURES]);
  const group = series.length * BAR + 10;
  const height = labels.length * group;
  const bar = (point: Point | undefined, colour: number, y: number): string => {
    if (point === undefined) return text("soft", across(0) + 6, y + 11, "—");
    const [start, end] = [across(0), across(point.value)];
    const isLeft = end < start;
    const box = `x="${px(Math.min(start, end))}" y="${px(y)}" width="${px(Math.abs(end - start))}" height="${BAR - 3}"`;
    return `<rect class="s${colour} bar" ${box}/>${text(isLeft ? "soft end" : "soft", end + (isLeft ? -6 : 6), y + 11, point.text)}`;
  };
  return {
    height: height + 32,
    draw: (top) => {
      const axis = ticks.map(
        (tick) =>
          grid(tick, `M${px(across(tick))} ${top}V${top + height}`) +
          text("soft mid", across(tick), top + height + 16, tickText(tick, ticks)),
      );
      const rows = labels.map((label, row) => {
        const y = top + row * group + 5;
        const name = text("end", names - 8, y + (group - 10) / 2 + 3, fitted(label, (NAMES - 8) / 13));
        return name + series.map(({ points }, at) => bar(points[row], at, y + at * BAR)).join("");
      });
      return [...axis, ...rows].join("");
    },
  };
}

type Scale = (value: number) => number;

/** What lies between two values, between two places; the middle where there is but one value. */
function scale([least, most]: readonly [number, number], [from, to]: readonly [number, number]): Scale {
  return (value) =>
    most <= least ? (from + to) / 2 : from + ((to - from) * (value - least)) / (most - least);
}

function valuesOf(series: readonly Series[]): readonly number[] {
  return series.flatMap(({ points }) => points.flatMap((point) => point?.value ?? []));
}

function grid(tick: number, path: string): string {
  return `<path class="${tick === 0 ? "zero" : "grid"}" d="${path}"/>`;
}

/** Round figures from below the least to above the most. They begin with 0, unless a line would only be a flat one there. */
function ticksOf(values: readonly number[], isLine: boolean): readonly number[] {
  const [least, most] = [Math.min(...values, Infinity), Math.max(...values, -Infinity)];
  if (!Number.isFinite(least)) return [0, 1];
  const isFlat = isLine && least > 0 && most > least && (most - least) / most < 0.2;
  const [low, high] = isFlat ? [least, most] : [Math.min(0, least), Math.max(0, most)];
  const rough = (high - low || Math.abs(high) || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((times) => times * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - first);
  return Array.from({ length: count + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** With as many places as tell the ticks apart. */
function tickText(tick: number, ticks: readonly number[]): string {
  const places = Math.max(...ticks.map((one) => (String(one).split(".")[1] ?? "").length));
  return grouped(tick.toFixed(Math.min(places, 6)));
}

function text(kind: string, x: number, y: number, content: string): string {
  const name = kind === "" ? "" : ` class="${kind}"`;
  return `<text${name} x="${px(x)}" y="${px(y)}">${escaped(content)}</text>`;
}

function px(value: number): string {
  return String(Number(value.toFixed(1)));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text of XML: what it cannot hold, and what turns the direction of writing, is left out. */
function escaped(content: string): string {
  return content
    .replaceAll(/[\p{Cc}\p{Cs}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
}

/** In ems; Chinese signs and pictures are as wide as high. */
function widthOf(content: string): number {
  return Array.from(content).reduce((sum, sign) => sum + (/[\u1100-\u{10ffff}]/u.test(sign) ? 1 : 0.56), 0);
}

/** As much as has room, with a sign for what is left out. */
function fitted(content: string, ems: number): string {
  if (widthOf(content) <= ems) return content;
  const signs = Array.from(content);
  while (widthOf(signs.join("")) > ems - 1) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}

/** Lines of a width, broken at spaces or behind Chinese marks; what has no room in the last one is left out. */
function wrapped(content: string, ems: number, most: number): readonly string[] {
  const lines_: string[] = [];
  let line = "";
  for (const word of content.match(/[^\s；、，：]*[\s；、，：]?/gu) ?? []) {
    if (line !== "" && widthOf(line + word.trimEnd()) > ems) {
      lines_.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  const all = [...lines_, line.trimEnd()];
  const kept = all.slice(0, most - 1);
  const last = all.slice(most - 1).join(" ");
  return [...kept, ...(last === "" ? [] : [last])].map((one) => fitted(one, ems));
}
