/** What a file would hold after a call of a tool. */
export type Edited =
  | { readonly text: string }
  | { readonly gone: true }
  | { readonly unknown: string /* why, after "since " */ };

type Fields = Readonly<Record<string, unknown>>;

const OLD = ["oldstring", "oldstr", "oldtext", "oldsource", "search", "old"];
const NEW = ["newstring", "newstr", "newtext", "replace", "replacement", "new"];
const WHOLE = ["content", "contents", "filetext", "newcontent", "newcontents", "text", "data"];

/**
 * The text of a file after a call of an editor, of any agent: the whole text, one part for another, several of them, or a
 * patch of Codex. `name` is the tool's, `path` the file's as seen from the folder of the call, `now` its text.
 */
export function edited(name: string, input: unknown, path: string, now: string | undefined): Edited {
  const fields = fieldsOf(input);
  const patch = Object.values(fields).find(
    (value): value is string => typeof value === "string" && /^\*\*\* Begin Patch/m.test(value),
  );
  if (patch !== undefined) return patched(patch, path, now);
  if (/delete|remove|unlink/.test(plainName(name))) return { gone: true };
  const edits = Object.values(fields).find((value): value is unknown[] => Array.isArray(value));
  const [old, next, whole] = [textAt(fields, ...OLD), textAt(fields, ...NEW), textAt(fields, ...WHOLE)];
  if (edits && edits.length > 0) {
    if (old !== undefined || whole !== undefined) return { unknown: "it names both a text and edits" };
    return several(edits, now);
  }
  if (old !== undefined && next !== undefined) return replaced(now, old, next, isAll(fields));
  const isNotebook = textAt(fields, "notebookpath", "targetnotebook") !== undefined;
  if (whole === undefined || old !== undefined || isNotebook || isSet(fields, "append"))
    return { unknown: "the call does not say what the whole file would be" };
  return { text: whole };
}

/** An object of the input of a tool; empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The first text among members of these names, in lower case and without `_` and `-`: agents spell them differently. */
export function textAt(fields: Fields, ...names: readonly string[]): string | undefined {
  const plain = new Map(Object.entries(fields).map(([name, value]) => [plainName(name), value]));
  for (const name of names) {
    const value = plain.get(name);
    if (typeof value === "string") return value;
  }
  return undefined;
}

function isSet(fields: Fields, ...names: readonly string[]): boolean {
  return Object.entries(fields).some(([name, value]) => value === true && names.includes(plainName(name)));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

function several(edits: readonly unknown[], now: string | undefined): Edited {
  let text = now;
  for (const edit of edits) {
    const fields = fieldsOf(edit);
    const [old, next] = [textAt(fields, ...OLD), textAt(fields, ...NEW)];
    if (old === undefined || next === undefined)
      return { unknown: "an edit does not say what takes the place of what" };
    const after = replaced(text, old, next, isAll(fields));
    if (!("text" in after)) return after;
    ({ text } = after);
  }
  return text === undefined ? { unknown: "there is no such file" } : { text };
}

function isAll(fields: Fields): boolean {
  return isSet(fields, "replaceall", "allowmultiple", "all");
}

function replaced(now: string | undefined, old: string, next: string, all: boolean): Edited {
  if (old === "") return (now ?? "") === "" ? { text: next } : { unknown: "it does not say where" };
  if (now === undefined) return { unknown: "there is no such file" };
  // Editors of agents work on LF and keep the line ends of the file.
  const crlf = now.includes("\r\n") && !/(?<!\r)\n/.test(now);
  const [from, to] = crlf ? [lineEnds(old), lineEnds(next)] : [old, next];
  const parts = now.split(from);
  if (parts.length === 1) return { unknown: "the text that it replaces is not in the file" };
  if (parts.length > 2 && !all) return { unknown: "the text that it replaces stands there more than once" };
  return { text: parts.join(to) };
}

function lineEnds(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;

/**
 * A file after a patch in the form of Codex (`*** Begin Patch`): the part of it counts whose name the path ends with. What
 * is not surely one text is unknown.
 */
function patched(patch: string, path: string, now: string | undefined): Edited {
  const parts = partsOf(patch).filter(
    ({ name }) => path === name || path.endsWith(`/${name.replace(/^\.?\//, "")}`),
  );
  const [part] = parts;
  if (!part || parts.length > 1) return { unknown: "the patch does not name this file once" };
  if (part.kind === "Delete") return { gone: true };
  if (part.lines.some((line) => line.startsWith("*** Move to:"))) return { unknown: "the patch moves it" };
  if (part.kind === "Add") {
    const added = part.lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    return { text: added.length === 0 ? "" : `${added.join("\n")}\n` };
  }
  return now === undefined ? { unknown: "there is no such file" } : updated(part.lines, now);
}

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly lines: string[];
}

function partsOf(patch: string): readonly Part[] {
  const parts: Part[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, kind, name] = FILE.exec(line) ?? [];
    if (kind !== undefined && name !== undefined) parts.push({ kind, name: name.trim(), lines: [] });
    else if (!/^\*\*\* (?:Begin|End) (?:Patch|of File)/.test(line)) parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** Each hunk replaces the one place where its lines stand. */
function updated(lines: readonly string[], now: string): Edited {
  const hunks = lines.join("\n").split(/^@@.*$\n?/m);
  let text = now;
  for (const hunk of hunks) {
    const rows = hunk.split("\n").filter((row, index, all) => row !== "" || index < all.length - 1);
    if (rows.length === 0) continue;
    const before = rows.filter((row) => !row.startsWith("+")).map((row) => row.slice(1));
    const after = rows.filter((row) => !row.startsWith("-")).map((row) => row.slice(1));
    if (before.length === 0) return { unknown: "a part of the patch does not say where" };
    const from = `\n${before.join("\n")}\n`;
    const places = `\n${text}`.split(from);
    if (places.length !== 2) return { unknown: "a part of the patch has not one place in the file" };
    text = places.join(after.length === 0 ? "\n" : `\n${after.join("\n")}\n`).slice(1);
  }
  return { text };
}
