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
