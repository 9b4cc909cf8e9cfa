import { inert } from "../store/event/inert-text.ts";

/** Text as XML holds it: with nothing in it that does something, or that XML cannot hold. White space is one space. */
export function xmlText(text: string): string {
  return inert(text)
    .replaceAll(/[\t\n]+/g, " ")
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** An element with its attributes; children are XML already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly string[]
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(valueText(value))}"`);
  const start = `<${name}${given.join("")}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.join("")}</${name}>`;
}

/** Numbers with at most two digits after the point. */
function valueText(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
}

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
