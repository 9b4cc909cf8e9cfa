import { inert } from "../store/event/inert-text.ts";

/** Letters that are about twice as wide as others: those of East Asia, pictures, and a few of ours. */
const DOUBLE =
  /[MW@%\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60]|\p{Extended_Pictographic}/u;

/** A text that does nothing where it is shown and is no wider than so many letters of usual width. */
export function fitted(raw: string, most: number): string {
  const text = inert(raw);
  let width = 0;
  let kept = 0;
  for (const letter of text) {
    width += widthOf(letter);
    if (width > most) return `${text.slice(0, kept)}…`;
    kept += letter.length;
  }
  return text;
}

function widthOf(letter: string): number {
  if (DOUBLE.test(letter)) return 2;
  if (/[mw\p{Lu}]/u.test(letter)) return 1.4;
  return 1;
}
