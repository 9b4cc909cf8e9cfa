import { isAbsolute, resolve } from "node:path";
import type { Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import { Desk, Unclear, type Change, type EditPlace, type FileEdit } from "./desk.ts";
import { filesInPatch, hunksOf, patchCall, type PatchCall } from "./patch.ts";
import { Work, replaced, withCrlf, type Replacement } from "./replacement.ts";

type Input = Readonly<Record<string, unknown>>;
/** The change that a call makes to the file that it names. */
type Editor = (input: Input, isGemini: boolean) => Change;

/** Limits of the computation: files of a patch, and results of one file. */
const MAX_FILES = 100;
const MAX_RESULTS = 16;

/**
 * The results of a call of an edit tool, computed in memory: each file with its text before and after. A path occurs several
 * times where several results are possible, since versions of the tool differ. The list is empty when nothing changes: the tool
 * refuses the call, or the text stays. Undefined: the call is not to a tool that edits by itself.
 */
export async function editsOf(
  { tool, name = "", input, paths = [] }: Subject,
  place: EditPlace,
): Promise<readonly FileEdit[] | undefined> {
  if (tool !== "shell" && tool !== "write" && tool !== "edit") return undefined;
  const desk = new Desk(place);
  const editor = EDITORS[name.toLowerCase().replaceAll(/[_-]/g, "")];
  const call = editor ? undefined : patchCall(tool, input);
  if (call) await applyPatch(call, place.cwd, desk);
  else if (tool === "shell") return undefined;
  else {
    const isKnown = editor && isObject(input);
    const reason = isKnown ? ambiguity(input) : "the form of this tool is not known";
    const path = isKnown ? textIn(input, ...FILE) : undefined;
    if (reason !== undefined) for (const one of paths) await desk.change(one, unclear(reason));
    else if (isKnown && path !== undefined) await desk.change(path, editor(input, GEMINI.has(name)));
  }
  return desk.edits();
}

function unclear(reason: string): Change {
  return () => {
    throw new Unclear(reason);
  };
}

/**
 * Edit tools whose input contains the new text, by their names in lower case, without `_` and `-`: those of Claude
 * Code, Cursor and Gemini CLI (November 2026). The result of other tools, such as edits of notebook cells, is unknown.
 */
const EDITORS: Readonly<Record<string, Editor>> = {
  write,
  createfile: write,
  writefile: write,
  edit: replace,
  multiedit: replace,
  strreplace: replace,
  searchreplace: replace,
  replace,
  delete: () => () => undefined,
  deletefile: () => () => undefined,
};
const GEMINI: ReadonlySet<string> = new Set(["write_file", "replace"]);

const FILE = ["file_path", "path", "target_file"];
const CONTENT = ["content", "contents"];
const REPLACEMENT = ["old_string", "new_string", "replace_all", "allow_multiple", "expected_replacements"];
/** Further keys of these tools, which do not change the result. */
const REMARKS = ["instruction", "explanation", "description", "modified_by_user", "ai_proposed_content"];
const KEYS: ReadonlySet<string> = new Set([...FILE, ...CONTENT, ...REPLACEMENT, ...REMARKS]);

/**
 * Why an input does not determine the file or the change: which of several keys a version of the tool reads is unknown.
 */
function ambiguity(input: Input): string | undefined {
  const { edits, ...own } = input;
  const inner = Array.isArray(edits) ? edits.filter(isObject) : [];
  const all = [own, ...inner];
  const unknown = all.flatMap((one) => Object.keys(one)).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    return `it has the key ${JSON.stringify(unknown.slice(0, 100))}, which its tool does not have`;
  if (new Set(all.flatMap((one) => FILE.flatMap((key) => one[key] ?? []))).size > 1)
    return "it names its file by several keys";
  // Some versions drop such blanks.
  if (FILE.some((key) => typeof own[key] === "string" && own[key].trim() !== own[key]))
    return "the path has blanks at its end";
  const isTwofold = edits !== undefined && REPLACEMENT.some((key) => own[key] !== undefined);
  return isTwofold ? "it has two kinds of replacement" : undefined;
}

function write(input: Input, isGemini: boolean): Change {
  const content = textIn(input, ...CONTENT);
  if (content === undefined) return unclear("its new text is not given");
  // Gemini CLI keeps the line ends of a file.
  return (read) => [isGemini && read()?.[0]?.includes("\r\n") ? withCrlf(content) : content];
}

/**
 * Several edits of one call change each of the results of the previous one; no result if the tool refuses one of them.
 */
function replace(input: Input, isGemini: boolean): Change {
  const { edits = [input] } = input;
  return (read) => {
    const before = read();
    const steps = Array.isArray(edits) ? edits.map(replacementIn) : [replacementIn(edits)];
    // Gemini CLI then searches all folders for a file of that name.
    if (isGemini && !before && steps[0]?.from !== "" && !isAbsolute(textIn(input, ...FILE) ?? ""))
      throw new Unclear("there is no such file in that folder");
    const work = new Work();
    let texts: readonly (string | undefined)[] = before ?? [undefined];
    for (const step of steps) {
      const results = texts.flatMap((text) => replaced(text, step, isGemini, work));
      texts = [...new Set(results)];
      if (texts.length > MAX_RESULTS) throw new Unclear("too many results are possible");
    }
    return texts.flatMap((text) => text ?? []);
  };
}

async function applyPatch({ text, patch, folder = "." }: PatchCall, cwd: string, desk: Desk): Promise<void> {
  const start = resolve(cwd, folder);
  const hunks = patch === undefined ? undefined : hunksOf(patch, new Work());
  if (!hunks || hunks.length > MAX_FILES) {
    const reason = patch === undefined ? "the command around the patch is not read" : "the patch is not read";
    for (const path of filesInPatch(text)) await desk.change(resolve(start, path), unclear(reason));
    return;
  }
  // If a part does not fit the file, the earlier parts may have been applied.
  for (const { path, to, change } of hunks) {
    const target = to === undefined ? undefined : resolve(start, to);
    if (!(await desk.change(resolve(start, path), change, target))) return;
  }
}

/** The text of an input under one of several names; undefined if the value is not a text or occurs under two names. */
function textIn(input: Input, ...names: readonly string[]): string | undefined {
  const [found, ...more] = new Set(names.map((name) => input[name]).filter((one) => one !== undefined));
  return more.length === 0 && typeof found === "string" ? found : undefined;
}

/** @throws Unclear */
function replacementIn(input: unknown): Replacement {
  const given: Input = isObject(input) ? input : {};
  const { old_string: from, new_string: to, replace_all, allow_multiple, expected_replacements } = given;
  const all = replace_all ?? allow_multiple ?? false;
  const count = expected_replacements ?? 1;
  const isAll = all === true || all === "true";
  const isFlag = isAll || all === false || all === "false";
  if (typeof from !== "string" || typeof to !== "string" || typeof count !== "number" || !isFlag)
    throw new Unclear("its old and new text are not given");
  return { from, to, count: isAll ? "all" : count };
}
