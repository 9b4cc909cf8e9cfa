import type { Edited } from "./edited.ts";
import { fieldsOf, isSet, plainName, textAt } from "./fields.ts";
import { patched } from "./patch.ts";

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

function isAll(fields: Readonly<Record<string, unknown>>): boolean {
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
