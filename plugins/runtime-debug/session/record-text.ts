import { applyPatch, diffLines, structuredPatch } from "diff";

const IN_TITLE = /^#+\s*\[([A-Za-z]+)\]/m;
const IN_A_LINE = /^[\s>|*-]*(?:status|状态|狀態|estado|statut)[\s*_]*[:：|][\s*_`]*\[?([A-Za-z]+)/im;

/** The status that a record names, in upper case: in a line or row of its own, or in its title, in any of their shapes. */
export function statusIn(text: string): string | undefined {
  const status = (IN_A_LINE.exec(text) ?? IN_TITLE.exec(text))?.[1];
  return status?.toUpperCase() ?? (text.includes("[OPEN]") ? "OPEN" : undefined);
}

/** The state of the session; what is written there opens no gate, so it must not look as if it did. */
const STATUS_LINE = /^[-*]\s+\*\*Status(?:\*\*:|:\*\*).*$/m;

/**
 * The record that shows what is `mine` now and loses nothing that people have written: `base` is what was written last,
 * `theirs` what the file holds. In each section what has changed from `base` to `mine` is put into theirs, their lines around it
 * as they are; where they have changed the same lines, mine comes first, then what they have added, as a quotation.
 */
export function merged(base: string, mine: string, theirs: string): string {
  const [status = ""] = STATUS_LINE.exec(base) ?? [];
  const [before, now] = [sectionsOf(base), sectionsOf(mine)];
  const found = sectionsOf(theirs.replace(STATUS_LINE, () => status));
  const kept = [...found].map(([name, text]) => mergedSection(before.get(name), now.get(name), text));
  const added = [...now].filter(([name, text]) => !found.has(name) && before.get(name) !== text);
  return [...kept, ...added.map(([, text]) => text)].reduce(joined, "");
}

/** Two parts next to each other, on lines of their own. */
function joined(text: string, part: string): string {
  return text === "" || text.endsWith("\n") || part === "" ? text + part : `${text}\n\n${part}`;
}

function mergedSection(base = "", mine: string | undefined, theirs: string): string {
  if (mine === undefined || mine === base) return theirs === base && mine === undefined ? "" : theirs;
  if (theirs === base) return mine;
  const patched = applyPatch(theirs, structuredPatch("", "", base, mine), { fuzzFactor: 1 });
  if (patched !== false) return patched;
  const added = addedLines(base, theirs).filter((line) => !mine.includes(line));
  const quoted = added.map((line) => (line.startsWith(">") ? line : `> ${line}`));
  return quoted.length === 0 ? mine : `${mine.trimEnd()}\n\n${quoted.join("\n")}\n\n`;
}

/** What stands in front of the first heading, and each section under its heading; of two with one heading the text is one. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const section of text.split(/^(?=## )/m)) {
    const [, heading = ""] = /^## (.*?)\s*$/m.exec(section.startsWith("## ") ? section : "") ?? [];
    found.set(heading, (found.get(heading) ?? "") + section);
  }
  return found;
}

/** The lines of a text that stand there beside those of another one, in order, without empty ones. */
function addedLines(base: string, text: string): readonly string[] {
  return addedParts(base, text).flatMap((part) =>
    part.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()])),
  );
}

function addedParts(base: string, text: string): readonly string[] {
  return diffLines(base, text).flatMap(({ added, value }) => (added ? [value] : []));
}

/** What tools keep at the head of a record: edited there, it says nothing. */
const HEAD = /^(?:>\s*)?[-*]\s+\*\*(?:Status|Debug Server|Log File)(?:\*\*:|:\*\*)/i;

/** What people have written into a record, beside what tools have written. */
export function recordNotes(written: string, found: string): readonly string[] {
  const plain = found.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return addedParts(written, plain)
    .map((part) => part.split("\n").filter((line) => !HEAD.test(line)))
    .map((lines) => lines.join("\n").trim())
    .filter((text) => text !== "");
}
