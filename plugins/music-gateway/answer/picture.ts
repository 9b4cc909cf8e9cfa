import { clean, COLOURS, FRAMES, INK, LINE, PAGE, panelOf, SOFT, textLine, type Frame } from "./panel.ts";
import type { Chart } from "./rectangle.ts";
import type { Wording } from "./wording.ts";
import style from "./picture-style.json" with { type: "json" };

/** ECharts writes colours as attributes, which this style sheet overrides in dark mode. One per page is enough. */
export const DARK = `@media screen and (prefers-color-scheme:dark){${[
  style.page,
  style.ink,
  style.soft,
  style.grid,
  ...style.series,
]
  .map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`)
  .join("")}}`;

/** The texts of a picture. An empty title or subtitle takes no space. */
export interface Caption {
  readonly title: string;
  readonly subtitle: string;
  readonly notes: readonly string[];
}

/**
 * Draws charts below each other as SVG for light and dark mode, without scripts or references to other files; equal charts
 * give equal bytes. `name` is the prefix of the ids, which must differ between the pictures of one page.
 */
export async function picture(
  charts: readonly Chart[],
  { title: asked, subtitle, notes }: Caption,
  wording: Wording,
  name = "picture",
  frame: Frame = FRAMES.alone,
): Promise<string> {
  const { width, margin } = frame;
  const isAlone = frame === FRAMES.alone;
  const [only] = charts;
  const isTitled = charts.length === 1 && asked !== "" && only?.title.startsWith(asked) === true;
  // The title of a single chart also names the currency.
  const title = isTitled ? only.title : asked;
  const { encodeHTML, init } = await import("./echarts.ts");
  const heads = [
    ...(title === "" ? [] : [textLine(title, margin, frame, { fontSize: 18, fontWeight: 600 })]),
    ...(subtitle === "" ? [] : [textLine(subtitle, margin + LINE, frame, { color: SOFT })]),
  ];
  let height = heads.length === 0 ? 4 : margin + heads.length * LINE;
  const panels = charts.map((chart, place) => {
    const panel = panelOf(chart, { top: height, id: `${place}`, hasTitle: !isTitled, frame }, wording);
    height += panel.height;
    return panel;
  });
  const lines = notes.map((note, place) =>
    textLine(note, height + place * LINE, frame, { color: SOFT, fontSize: 12 }),
  );
  height += notes.length * LINE + 8;
  const chart = init(undefined, undefined, { renderer: "svg", ssr: true, width, height });
  chart.setOption({
    animation: false,
    backgroundColor: isAlone ? PAGE : "transparent",
    color: COLOURS,
    textStyle: { fontFamily: "inherit", color: INK },
    title: [...heads, ...panels.flatMap(({ titles }) => titles), ...lines],
    legend: panels.flatMap(({ legends }) => legends),
    grid: panels.map(({ grid }) => grid),
    xAxis: panels.map(({ xAxis }, gridIndex) => ({ ...xAxis, gridIndex })),
    yAxis: panels.map(({ yAxis }, gridIndex) => ({ ...yAxis, gridIndex })),
    series: panels.flatMap(({ series }, at) =>
      series.map((one) => ({ ...one, xAxisIndex: at, yAxisIndex: at })),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const words = [title, subtitle, ...(title === "" ? charts.map((one) => one.title) : [])].filter(Boolean);
  const opened = `role="img" aria-labelledby="${name}-title" lang="${wording.language}" style="max-width:100%;height:auto;font-family:${style.font}"`;
  // The classes are numbered per process and are only used for pointer interaction.
  return svg
    .replaceAll(/ class="[^"]*"|<style >[^]*?<\/style>\n?/g, "")
    .replaceAll(/\bzr\d+-/g, `${name}-`)
    .replace(/^<svg ([^>]*)>/, (_, attributes: string) =>
      [
        `<svg ${attributes} ${opened}>`,
        `<title id="${name}-title">${encodeHTML(clean(words.join(" · ")))}</title>`,
        ...(isAlone ? [`<style>${DARK}</style>`] : []),
      ].join("\n"),
    );
}
