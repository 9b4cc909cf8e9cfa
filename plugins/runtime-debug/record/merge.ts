/** The state of the session; what is written there opens no gate, so it must not look as if it did. */
const STATUS = "item status";

/**
 * The record that shows what is `mine` now and loses nothing that people have written: `base` is what was written last,
 * `theirs` what the file holds. A part that only one side has changed is that side's; of one that both have changed
 * mine comes first (of the status nothing else), then what they have added to it: as it is where it stands behind mine, else as a quotation. What people have taken out stays out until I change it.
 */
export function merged(base: string, mine: string, theirs: string): string {
  const [before, now] = [byKey(base), byKey(mine)];
  const found = partsOf(theirs);
  const present = new Set(found.map(({ key }) => key));
  const kept = found.map(({ key, text }) =>
    key === STATUS ? (now.get(key) ?? "") : merge(before.get(key), now.get(key), text),
  );
  const added = [...now].filter(([key, text]) => !present.has(key) && before.get(key) !== text);
  return [...kept, ...added.map(([, text]) => text)].reduce(joined, "");
}

function byKey(text: string): ReadonlyMap<string, string> {
  return new Map(partsOf(text).map((part) => [part.key, part.text]));
}

function merge(base: string | undefined, mine: string | undefined, theirs: string): string {
  if (theirs === base) return mine ?? "";
  if (mine === undefined || mine === base || mine.trim() === theirs.trim()) return theirs;
  const added = behind(base, theirs);
  if (added !== undefined) return mine.trimEnd() + added;
  const quoted = linesWithout(theirs, base ?? "").map((line) => (line.startsWith(">") ? line : `> ${line}`));
  return quoted.length === 0 ? mine : `${mine.trimEnd()}\n\n${quoted.join("\n")}\n\n`;
}

/** What stands in `theirs` behind all of `base`. */
function behind(base: string | undefined, theirs: string): string | undefined {
  const start = base?.trimEnd() ?? "";
  const rest = theirs.slice(start.length);
  return start !== "" && theirs.startsWith(start) && rest.startsWith("\n") ? rest : undefined;
}

/** The lines of a text that are not lines of another one, each as often as it is there more. */
function linesWithout(text: string, other: string): readonly string[] {
  const known = new Map<string, number>();
  for (const line of lines(other)) known.set(line, (known.get(line) ?? 0) + 1);
  return lines(text).filter((line) => {
    const left = known.get(line) ?? 0;
    known.set(line, left - 1);
    return left <= 0;
  });
}

function lines(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()]));
}

/** Two parts next to each other, on lines of their own. */
function joined(text: string, part: string): string {
  if (text === "" || text.endsWith("\n") || part === "") return text + part;
  return `${text}\n${part.startsWith("##") ? "\n" : ""}${part}`;
}

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
