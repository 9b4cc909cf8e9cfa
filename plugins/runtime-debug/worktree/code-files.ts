import { basename, extname } from "node:path";
import lists from "./code-files.json" with { type: "json" };

const setOf = (...words: readonly string[]): ReadonlySet<string> => new Set(words.join(" ").split(" "));

const { prose, texts, codeTexts, documents, pictures, logs, data, products } = lists;
const PROSE = setOf(prose);
const MENTIONING = setOf(prose, texts, codeTexts);
const NO_CODE = setOf(prose, texts, documents, pictures, logs, data, products);
const [NOTES, NAMES, RUN] = [new RegExp(lists.notes), new RegExp(lists.names), new RegExp(lists.run)];
const COMPILERS = setOf(lists.compilers);

/** The number or date in the name of a log file. */
const NUMBER = /(?:\.\d[\d-]*)+$/;
/** The first bytes of programs of Linux and macOS, one character each; no source file begins with them. */
const COMPILED =
  /^(?:\u007fELF|[\u00ce\u00cf]\u00fa\u00ed\u00fe|\u00fe\u00ed\u00fa[\u00ce\u00cf]|\u00ca\u00fe\u00ba\u00be)/;

/** Whether a new file or link counts as code by its name: code-files.json. */
export function isCode(path: string): boolean {
  const name = basename(path).toLowerCase();
  if (RUN.test(name)) return true;
  return !NO_CODE.has(endingOf(name.replace(NUMBER, ""))) && !NOTES.test(name) && !NAMES.test(name);
}

/** The same for a file whose text, or its beginning, is known. */
export function isCodeText(path: string, text: string): boolean {
  return text.startsWith("#!") || (isCode(path) && !COMPILED.test(text));
}

/** Whether a program is a compiler whose product may have a name without an ending. */
export function isProduct(path: string, program: string): boolean {
  return extname(path) === "" && COMPILERS.has(program);
}

/** Whether files with this extension are never executed and therefore cannot hold probes. */
export function hasNoProgram(path: string): boolean {
  const ending = endingOf(path.toLowerCase());
  return NO_CODE.has(ending) || MENTIONING.has(ending);
}

/** Whether a file is a document: guides and change logs only mention markers and addresses. */
export function isDocument(path: string): boolean {
  const name = basename(path).toLowerCase();
  return MENTIONING.has(endingOf(name)) || NOTES.test(name);
}

/** Whether a file is prose that no program reads, as plain text files may be. */
export function isProse(path: string): boolean {
  const name = basename(path).toLowerCase();
  return PROSE.has(endingOf(name)) || NOTES.test(name);
}

/**
 * Folders that belong to package managers, version control and tools. New files in them are not compared; without git
 * nothing in them is kept.
 */
export const TOOL_FOLDERS: readonly string[] = lists.folders.split(" ");

/** The folders of build output among them. */
export const BUILD_FOLDERS: readonly string[] = lists.builds.split(" ");

export function isInToolFolder(path: string): boolean {
  return path.split("/").some((name) => TOOL_FOLDERS.includes(name));
}

function endingOf(name: string): string {
  return extname(name).slice(1);
}
