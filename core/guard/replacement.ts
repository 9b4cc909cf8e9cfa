import type { Texts, Unclear } from "./desk.ts";

/** One edit of a file: each occurrence of a text becomes another, if there are as many as expected. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly count: number | "all";
}

/** Over so many characters that are read or written, and pieces of text, a call is not computed to its end. */
const MOST_WORK = 96 * 1024 * 1024;
/** The cost of a piece of a text beside its characters. */
const PIECE = 32;

/** Counts the work of one call. */
export class Work {
  #left = MOST_WORK;

  /** Answers false when too much has been done. */
  do(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }
}

export const TOO_MUCH: Unclear = { unclear: "it takes too long to compute" };

/**
 * The results of an edit by Claude Code or Cursor; none when the tool refuses it. `undefined` is a file that is not there. Both
 * programs are closed, and versions differ: in files with CRLF some look for the bytes and some for the lines, a removed text
 * may take the end of its line along, and blanks at the ends of new lines may go. All of these results are possible.
 */
export function replaced(
  text: string | undefined,
  { from, to, count }: Replacement,
  work: Work,
): Texts | Unclear {
  if (text === undefined) return from === "" ? [to] : [];
  if (from === "") return text.trim() === "" ? [to] : { unclear: "the text to replace is empty" };
  if (!work.do(2 * text.length)) return TOO_MUCH;
  const found = new Set<string>();
  for (const reading of readingsOf(text)) {
    const old = reading.isByLine ? withLf(from) : from;
    const occurrences = reading.text.split(old).length - 1;
    if (occurrences === 0 || (count !== "all" && occurrences !== 1) || from === to) continue;
    for (const one of new Set([to, withoutBlanks(to)])) {
      const put = reading.isByLine ? withLf(one) : one;
      const pairs = [[old, put]];
      if (one === "" && !old.endsWith("\n")) pairs.push([`${old}\n`, ""]);
      for (const [before = "", after = ""] of pairs) {
        const parts = reading.text.split(before);
        if (!work.do(reading.text.length + parts.length * (after.length + PIECE))) return TOO_MUCH;
        if (parts.length > 1) found.add(reading.restore(parts.join(after)));
      }
    }
  }
  if (found.size > 0 || text.includes(from)) return [...found];
  if (!work.do(8 * (text.length + from.length))) return TOO_MUCH;
  // Some versions find a text whose blanks or quotation marks are others.
  const isLike = loose(text).includes(loose(from));
  return isLike ? { unclear: "its old text does not occur in the file as it is written" } : [];
}

/**
 * The results of an edit by Gemini CLI (packages/core/src/tools/edit.ts, read November 2026): lines are compared, the file keeps
 * CRLF and, in newer versions, the end of its last line. What does not occur as often as expected is looked for by likeness and
 * by a model.
 */
export function replacedByGemini(
  text: string | undefined,
  { from, to, count }: Replacement,
  work: Work,
): Texts | Unclear {
  if (text === undefined) return from === "" ? [to] : [];
  if (from === "") return [];
  const [lines, put] = [withLf(text), withLf(to)];
  const parts = lines.split(withLf(from));
  if (!work.do(2 * text.length + parts.length * (put.length + PIECE))) return TOO_MUCH;
  if (parts.length === 1 || (count !== "all" && parts.length - 1 !== count) || from === to)
    return { unclear: "its old text does not occur in the file as often as the call expects" };
  const plain = parts.join(put);
  const ended = lines.endsWith("\n")
    ? plain.endsWith("\n")
      ? plain
      : `${plain}\n`
    : plain.replace(/\n$/, "");
  return [plain, ended].map((one) => (text.includes("\r\n") ? withCrlf(one) : one));
}

interface Reading {
  readonly text: string;
  readonly isByLine: boolean;
  readonly restore: (text: string) => string;
}

function readingsOf(text: string): readonly Reading[] {
  const asIs = { text, isByLine: false, restore: (one: string) => one };
  if (!text.includes("\r\n")) return [asIs];
  const lines = { text: withLf(text), isByLine: true };
  const isMixed = /(?:^|[^\r])\n/.test(text);
  return [
    asIs,
    { ...lines, restore: withCrlf },
    ...(isMixed ? [{ ...lines, restore: (one: string) => one }] : []),
  ];
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

/** A text without the differences of blanks, quotation marks and dashes. */
function loose(text: string): string {
  return text.replaceAll(/[\s"'`\-\u2010-\u201f\u2212\u00ab\u00bb]/g, "");
}
