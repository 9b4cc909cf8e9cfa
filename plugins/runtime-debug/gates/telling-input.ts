import type { Subject } from "skillctl";
import { fieldsOf, plainName, textAt } from "./fields.ts";
import { inside } from "./inside.ts";
import { isList, isSearch } from "./tool-words.ts";

/** Members that hold what is to stand in a file. */
const TEXTS: readonly string[] = (
  "content contents value data body code source newstring newstr newtext newname replacement replace insert patch " +
  "filetext payload newsource edits lines"
).split(" ");
/** What a language server does to files. */
const CHANGING = /rename|format|action|apply|execute|organi[sz]e|fix|edit|refactor/i;
/** Deeper values are not looked into. */
const DEPTH = 8;

/** Whether a tool that only looks, by its name, is handed more than what it looks for in a project. */
export function mayWriteAllTheSame({ name = "", tool, input, paths = [] }: Subject, root: string): boolean {
  const fields = fieldsOf(input);
  if (plainName(name) === "lsp") return CHANGING.test(textAt(fields, "operation", "action", "command") ?? "");
  if (isList(name)) return false;
  const texts = isSearch(name) ? TEXTS : [...TEXTS, "text"];
  const isNamed = paths.some((path) => inside(root, path) !== undefined);
  if (isNamed && Object.keys(fields).some((key) => texts.includes(plainName(key)))) return true;
  return (tool === "mcp" || name.startsWith("mcp__")) && mentions(input, root, 0);
}

/** Whether a text says a path of the project among other words, as a statement for a database does. */
function mentions(value: unknown, root: string, depth: number): boolean {
  if (typeof value === "string") {
    const at = value.toLowerCase().indexOf(root.toLowerCase());
    return at >= 0 && /[\s'"`(]/.test(value.slice(0, at));
  }
  if (typeof value !== "object" || value === null || depth > DEPTH) return false;
  return Object.values(value).some((one) => mentions(one, root, depth + 1));
}
