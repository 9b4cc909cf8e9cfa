import { partsOf } from "./parts.ts";

/**
 * The record that shows what is `mine` now and loses nothing that people have written: `base` is what was written last,
 * `theirs` what the file holds. A part that only one side has changed is that side's; of one that both have changed
 * mine comes first, then theirs as a quotation. What people have taken out stays out until I change it.
 */
export function merged(base: string, mine: string, theirs: string): string {
  const [before, now] = [byKey(base), byKey(mine)];
  const found = partsOf(theirs);
  const present = new Set(found.map(({ key }) => key));
  const kept = found.map(({ key, text }) => merge(before.get(key), now.get(key), text));
  const added = [...now].filter(([key, text]) => !present.has(key) && before.get(key) !== text);
  return [...kept, ...added.map(([, text]) => text)].reduce(joined, "");
}

function byKey(text: string): ReadonlyMap<string, string> {
  return new Map(partsOf(text).map((part) => [part.key, part.text]));
}

function merge(base: string | undefined, mine: string | undefined, theirs: string): string {
  if (theirs === base) return mine ?? "";
  if (mine === undefined || mine === base || mine.trim() === theirs.trim()) return theirs;
  const quoted = theirs
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd());
  return `${mine.trimEnd()}\n\n${[...quoted].join("\n")}\n\n`;
}

/** Two parts next to each other, on lines of their own. */
function joined(text: string, part: string): string {
  if (text === "" || text.endsWith("\n") || part === "") return text + part;
  return `${text}\n${part.startsWith("##") ? "\n" : ""}${part}`;
}
