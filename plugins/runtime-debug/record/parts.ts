/** A part of a record that is kept or replaced as a whole. Joined in order, parts are the text. */
export interface Part {
  /** What it is, unique in the text: an item, a section, or text between. */
  readonly key: string;
  readonly text: string;
}

const ITEM = /^[-*]\s+\*\*([^*:]+)(?:\*\*:|:\*\*)/;
const SECTION = /^##\s+(.*?)\s*$/;

/** Takes a record apart: each item of the list at its beginning, each section, and what is between. */
export function partsOf(text: string): readonly Part[] {
  const parts: { key: string; text: string }[] = [];
  const seen = new Map<string, number>();
  let inSection = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const section = SECTION.exec(line)?.[1];
    const item = inSection ? undefined : ITEM.exec(line)?.[1];
    if (section !== undefined) inSection = true;
    const name = nameOf(section, item);
    const last = parts.at(-1);
    if (name === undefined && last && (inSection || last.key.startsWith("text"))) last.text += line;
    else parts.push({ key: unique(name ?? "text", seen), text: line });
  }
  return parts;
}

function nameOf(section: string | undefined, item: string | undefined): string | undefined {
  if (section !== undefined) return `section ${section.toLowerCase()}`;
  return item === undefined ? undefined : `item ${item.trim().toLowerCase()}`;
}

function unique(name: string, seen: Map<string, number>): string {
  const number = (seen.get(name) ?? 0) + 1;
  seen.set(name, number);
  return number === 1 ? name : `${name} ${number}`;
}
