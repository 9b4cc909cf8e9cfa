import { partsOf } from "./parts.ts";

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
