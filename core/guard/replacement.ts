import { Unclear } from "./desk.ts";

/** One edit of a file: each occurrence of a text becomes another, if their number is as expected. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly count: number | "all";
}

/** Limit of characters and pieces of text, beyond which the computation of a call stops. */
const MOST_WORK = 96 * 1024 * 1024;
/** The cost of a piece of text in addition to its characters. */
const PIECE = 32;

/** Counts the work of one call. */
export class Work {
  #left = MOST_WORK;

  /** @throws Unclear beyond the limit */
  do(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new Unclear("it takes too long to compute");
  }
}

/**
 * The results of an edit by Claude Code, Cursor or Gemini CLI; none if the tool refuses it. `undefined` is a missing
 * file. Claude Code and Cursor are closed programs, and versions differ: in files with CRLF some search for the bytes
 * and some for the lines, a removed text may include the end of its line, and trailing blanks of new lines may be
 * dropped. Gemini CLI (packages/core/src/tools/edit.ts, read November 2026) compares lines, keeps CRLF and, in newer
 * versions, the end of the last line. All of these results are possible.
 * @throws Unclear
 */
export function replaced(
  text: string | undefined,
  { from, to, count }: Replacement,
  isGemini: boolean,
  work: Work,
): readonly string[] {
  if (text === undefined || (from === "" && text.trim() === "")) return from === "" ? [to] : [];
  if (from === "") throw new Unclear("the text to replace is empty");
  const found = new Set<string>();
  for (const [read, restore] of readingsOf(text, isGemini)) {
    const [whole, old] = [read(text), read(from)];
    work.do(2 * text.length);
    const occurrences = whole.split(old).length - 1;
    if (occurrences === 0 || from === to || (count !== "all" && occurrences !== 1 && occurrences !== count))
      continue;
    const puts = isGemini ? [to] : [...new Set([to, withoutBlanks(to)])];
    const pairs = puts.map((put) => [old, read(put)]);
    if (!isGemini && puts.includes("") && !old.endsWith("\n")) pairs.push([`${old}\n`, ""]);
    for (const [before = "", after = ""] of pairs) {
      const parts = whole.split(before);
      work.do(whole.length + parts.length * (after.length + PIECE));
      if (parts.length === 1) continue;
      const result = parts.join(after);
      found.add(restore(result));
      if (isGemini) found.add(restore(result.replace(/\n?$/, whole.endsWith("\n") ? "\n" : "")));
    }
  }
  if (isGemini) {
    const occurrences = withLf(text).split(withLf(from)).length - 1;
    // It then searches for similar text, or asks a model.
    if (found.size === 0 || (count !== "all" && occurrences !== count))
      throw new Unclear("its old text does not occur in the file as often as the call expects");
  } else if (found.size === 0 && !text.includes(from)) {
    work.do(8 * (text.length + from.length));
    // Some versions find a text with different blanks or quotation marks.
    if (loose(text).replaceAll("\n", "").includes(loose(from).replaceAll("\n", "")))
      throw new Unclear("its old text does not occur in the file as it is written");
  }
  return [...found];
}

type Transform = (text: string) => string;

/** How a tool may read a file, and how it then writes it. */
function readingsOf(
  text: string,
  isGemini: boolean,
): readonly (readonly [read: Transform, restore: Transform])[] {
  const same: Transform = (one) => one;
  const isCrlf = text.includes("\r\n");
  if (isGemini) return [[withLf, isCrlf ? withCrlf : same]];
  if (!isCrlf) return [[same, same]];
  const isMixed = /(?:^|[^\r])\n/.test(text);
  return [[same, same], [withLf, withCrlf], ...(isMixed ? ([[withLf, same]] as const) : [])];
}

/** Every line end as CRLF. */
export function withCrlf(text: string): string {
  return withLf(text).replaceAll("\n", "\r\n");
}

function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function withoutBlanks(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.endsWith("\r") ? `${line.trimEnd()}\r` : line.trimEnd()))
    .join("\n");
}

/** The lines of a text without the differences of blanks, quotation marks and dashes that any of the tools ignores. */
export function loose(text: string): string {
  return text.replaceAll(/[^\S\n]|["'`\-\u0085\u2010-\u201f\u2212\u00ab\u00bb]/g, "");
}
