import { linesOf, textOf } from "../regions/lines.ts";

/** Whether two texts differ in line ends and byte order marks only, and in whether the last line has an end. */
export function sameButEnds(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** A text whose last line was the last one before too, with the end that it had. */
export function withFormerEnd(text: string, before: string): string {
  const [lines, former] = [linesOf(text), linesOf(before)];
  const [last, was] = [lines.at(-1), former.at(-1)];
  if (!last || !was || last.text !== was.text || last.end === was.end) return text;
  return textOf([...lines.slice(0, -1), { text: last.text, end: was.end }]);
}

function plain(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replace(/\n$/, "");
}
