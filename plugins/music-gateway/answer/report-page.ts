import { clean, FRAMES } from "./panel.ts";
import { DARK, picture } from "./picture.ts";
import style from "./picture-style.json" with { type: "json" };
import css from "./report-style.json" with { type: "json" };
import { chartsOf, shownOf, type Block, type Chart, type Rectangle } from "./rectangle.ts";
import type { Section, Wording } from "./wording.ts";

/** One figure of the period, with that of the previous period. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly change: string;
  readonly before: string;
}

/** The content of a report, before it is rendered. */
export interface Report {
  readonly title: string;
  readonly period: string;
  readonly tiles: readonly Tile[];
  readonly topics: readonly Section[];
  /** The subjects without figures, and the reasons. */
  readonly absent: readonly string[];
  readonly notes: readonly string[];
  readonly wording: Wording;
}

/** Identifies a report, so that a later one may replace it. */
export const REPORT_SIGN = "<!-- Made by skillctl run music-gateway report -->\n";

const MOST_OPEN_ROWS = 12;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A report as one HTML page for screens, phones and paper, without scripts and without references to other files. */
export async function reportPage({
  title,
  period,
  tiles,
  topics,
  absent,
  notes,
  wording,
}: Report): Promise<string> {
  const chapters: string[] = [];
  const said = new Set<string>();
  for (const [at, { heading, blocks: all }] of topics.entries()) {
    // A sentence that applies to several chapters appears once.
    const blocks = all.filter((block) => typeof block !== "string" || !said.has(block));
    for (const block of blocks) if (typeof block === "string") said.add(block);
    const drawn: string[] = [];
    for (const [place, chart] of chartsOf(all).filter(isWorthDrawing).entries())
      drawn.push(await figure(chart, wording, `c${at}-${place}`));
    chapters.push(
      `<section>\n<h2>${escaped(heading)}</h2>\n${drawn.join("\n")}\n${blocks.map((block) => blockOf(block, wording)).join("\n")}\n</section>`,
    );
  }
  const body = [
    `<header><h1>${escaped(title)}</h1><p>${escaped(period)}</p></header>`,
    `<ul class="tiles">${tiles.map(tileOf).join("")}</ul>`,
    ...chapters,
    `<footer><ul>${[...absent, ...notes, wording.say("report-made")].map((note) => `<li>${escaped(note)}</li>`).join("")}</ul></footer>`,
  ];
  return [
    "<!doctype html>",
    `<html lang="${wording.language === "zh" ? "zh-CN" : "en"}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<meta name="color-scheme" content="light dark">`,
    `<title>${escaped(`${title} · ${period}`)}</title>`,
    `<style>${STYLE}</style></head>`,
    `<body>\n${body.join("\n")}\n</body>`,
    "</html>",
    REPORT_SIGN,
  ].join("\n");
}

const coloured = (mode: 0 | 1): string =>
  `:root{${(["page", "ink", "soft", "grid"] as const).map((name) => `--${name}:${style[name][mode]}`).join(";")}}`;
const STYLE = [
  coloured(0),
  `@media screen and (prefers-color-scheme:dark){${coloured(1)}}`,
  `body{font-family:${style.font}}`,
  ...css,
  DARK,
].join("\n");

/** A single bar or point shows no more than its figure. */
function isWorthDrawing({ kind, labels, series }: Chart): boolean {
  return labels.length * (kind === "line" ? 1 : series.length) > 1;
}

/** Two versions of a chart, of which CSS shows one: the text of a wide one would be illegible on a phone. */
async function figure(chart: Chart, wording: Wording, id: string): Promise<string> {
  const caption = { title: "", subtitle: "", notes: [] };
  const wide = await picture([chart], caption, wording, id, FRAMES.page);
  const narrow = await picture([chart], caption, wording, `${id}n`, FRAMES.phone);
  return `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
}

function tileOf({ name, value, change, before }: Tile): string {
  const moved = change.startsWith("+") ? "up" : change.startsWith("-") ? "down" : "same";
  const was =
    change === ""
      ? ""
      : `<span class="was"><b class="${moved}">${escaped(change)}</b> ${escaped(before)}</span>`;
  return `<li><span>${escaped(name)}</span><strong>${escaped(value)}</strong>${was}</li>`;
}

/** Renders a table of figures, a list, a bold heading or a paragraph of Markdown. */
function blockOf(block: Block, wording: Wording): string {
  if (typeof block !== "string") return tableOf(block, wording);
  if (block.startsWith("- "))
    return `<ul>${block
      .split("\n")
      .map((line) => `<li>${escaped(line.slice(2))}</li>`)
      .join("")}</ul>`;
  const [, bold] = /^\*\*(.*)\*\*$/.exec(block) ?? [];
  return bold === undefined ? `<p>${escaped(block)}</p>` : `<h3>${escaped(bold)}</h3>`;
}

/** Ids are for programs and are omitted; a long table is collapsed. */
function tableOf(of: Rectangle, wording: Wording): string {
  const shown = shownOf(of, ({ name }) => name === "song_id");
  if (shown === undefined) return "";
  const { columns, rows } = shown;
  const cells = (row: readonly string[], name: "th" | "td"): string =>
    row
      .map(
        (cell, at) =>
          `<${name}${columns[at]?.unit === "text" ? "" : ' class="n"'}>${escaped(cell)}</${name}>`,
      )
      .join("");
  const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  const table = `<div class="table"><table><thead><tr>${cells(
    columns.map(({ label }) => label),
    "th",
  )}</tr></thead><tbody>${body}</tbody></table></div>`;
  if (rows.length <= MOST_OPEN_ROWS) return table;
  return `<details><summary>${escaped(wording.say("report-table"))}</summary>${table}</details>`;
}

function escaped(text: string): string {
  return clean(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}
