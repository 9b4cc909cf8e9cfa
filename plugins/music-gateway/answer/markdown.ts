import type { Chart } from "./chart.ts";

/** What figures come to: blocks of Markdown (paragraphs, tables, lists), and what can be drawn of their tables. */
export interface Blocks {
  readonly blocks: readonly string[];
  readonly charts: readonly Chart[];
}

/** A chapter of an answer. */
export interface Section extends Blocks {
  readonly heading: string;
}

const CHINESE_NUMBERS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];

/** A chapter with its heading, and a paragraph that opens it. */
export function section(heading: string, intro: string, { blocks, charts }: Blocks): Section {
  return { heading, blocks: [intro, ...blocks].filter((block) => block !== ""), charts };
}

/** Chapters as Markdown, numbered 一、 or 1. */
export function rendered(sections: readonly Section[], isChinese: boolean): string {
  const chapters = sections.map(({ heading, blocks }, index) => {
    const number = isChinese ? `${CHINESE_NUMBERS[index] ?? index + 1}、` : `${index + 1}. `;
    return [`## ${number}${heading}`, ...blocks].join("\n\n");
  });
  return `${chapters.join("\n\n")}\n`;
}

/** A GFM table. The cells are escaped here. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapedCell).join(" | ")} |`;
  return [line(header), `| ${header.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** A song's name in title marks, unless it has them. */
export function marked(title: string): string {
  return /^《.*》$/u.test(title) ? title : `《${title}》`;
}

/** 1234567 as `1,234,567`; `—` for what is not known. */
export function count(value: number | undefined): string {
  return value === undefined ? "—" : grouped(String(Math.round(value)));
}

/** Decimal text with thousands separators. */
export function grouped(number: string): string {
  const [whole = "", places] = number.split(".");
  const separated = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return places === undefined ? separated : `${separated}.${places}`;
}

/** A share in per cent with one place. */
export function share(value: number | undefined): string {
  return value === undefined ? "—" : `${value.toFixed(1)}%`;
}

/** A change in per cent with one place and its sign. */
export function change(value: number | undefined): string {
  if (value === undefined) return "—";
  const text = Math.abs(value).toFixed(1);
  return Number(text) === 0 ? "0.0%" : `${value > 0 ? "+" : "-"}${grouped(text)}%`;
}

/** A difference with its sign. */
export function difference(value: number, places = 0): string {
  const text = places === 0 ? count(value) : grouped(value.toFixed(places));
  return value > 0 ? `+${text}` : text;
}

function escapedCell(cell: string): string {
  return cell.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll(/\s+/gu, " ").trim();
}
