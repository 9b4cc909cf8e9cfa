import { el } from "../dom.ts";
import type { Result } from "./call.ts";

/** Longer values are cut off. */
const MOST_CHARACTERS = 200_000;
const ADDRESS = /(https?:\/\/[^\s<>"'`|\\)\]}]*[\w/#=~+-])/;

/** A result in readable form, followed by its JSON. Texts become text nodes only. */
export function shown(result: Result): readonly HTMLElement[] {
  if ("page" in result) return [el("p", {}, link(result.page, "Open the page in a new tab"))];
  if ("output" in result) {
    const { text } = Object(result.output) as { readonly text?: unknown };
    if (typeof text !== "string") return [json(result.output, true)];
    return [...blocks(text), json(result.output, false)];
  }
  const { detail, hint, result: part } = result.problem;
  return [
    el("p", { class: "bad", role: "alert" }, ...linked(detail)),
    ...(hint === undefined ? [] : [el("p", {}, ...linked(hint))]),
    ...(part === undefined ? [] : [json(part, true)]),
  ];
}

/** A text with its addresses as links to new tabs. */
export function linked(text: string): readonly (Node | string)[] {
  const rest = text.length - MOST_CHARACTERS;
  const parts = text.slice(0, MOST_CHARACTERS).split(ADDRESS);
  const more = rest > 0 ? [`\n… ${rest} more characters`] : [];
  return [...parts.map((part, index) => (index % 2 === 1 ? link(part, part) : part)), ...more];
}

function link(address: string, text: string): HTMLElement {
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, text);
}

function json(value: unknown, open: boolean): HTMLElement {
  const text = JSON.stringify(value, null, 2) ?? "null";
  const content = el("pre", { tabindex: "0", "aria-label": "JSON" }, ...linked(text));
  return el("details", { open }, el("summary", {}, "JSON"), content);
}

/** A text whose Markdown tables and headings are shown as such. */
function blocks(text: string): readonly HTMLElement[] {
  const parts = text.split(/((?:^\|.*\|[^\S\n]*(?:\n|$)){2,}|^#{1,6} .*$)/m);
  return parts.flatMap((part, index) => {
    if (part.trim() === "") return [];
    if (index % 2 === 0) return [el("p", { class: "text" }, ...linked(part.trim()))];
    return [part.startsWith("#") ? el("h4", {}, part.replace(/^#+ +/, "")) : table(part)];
  });
}

function table(text: string): HTMLElement {
  const rows = text.trim().split("\n").map(cellsOf);
  const isHead = rows[1]?.every((cell) => /^:?-+:?$/.test(cell)) === true;
  const made = rows
    .filter((_, index) => !isHead || index !== 1)
    .map((cells, index) => {
      const isTitle = isHead && index === 0;
      const titles = cells.map((cell) =>
        isTitle ? el("th", { scope: "col" }, cell) : el("td", {}, ...linked(cell)),
      );
      return el("tr", {}, ...titles);
    });
  const region = { class: "wide", tabindex: "0", role: "region", "aria-label": "Table" };
  return el("div", region, el("table", {}, el("tbody", {}, ...made)));
}

/** The cells of a row; an escaped bar is part of one. */
function cellsOf(row: string): readonly string[] {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/);
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}
