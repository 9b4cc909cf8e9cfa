import { isAbsolute, resolve } from "node:path";
import type { Subject } from "../plugin.ts";
import { isObject } from "../schema/json.ts";
import { Desk, type EditPlace, type FileEdit, type Texts, type Unclear } from "./desk.ts";
import { filesInPatch, hunksOf, patchCall, patched, type Hunk } from "./patch.ts";
import { Work, replaced, replacedByGemini, withCrlf, type Replacement } from "./replacement.ts";

type Input = Readonly<Record<string, unknown>>;
type Editor = (input: Input, desk: Desk, isGemini: boolean) => Promise<void>;

/** Over one of these nothing is computed: so many files of a patch, and so many results of one file. */
const MAX_FILES = 100;
const MAX_RESULTS = 16;

/**
 * The results of a call of an edit tool, computed in memory: each file with its text before and after. A path comes several
 * times where several results are possible, since versions of the tool differ. The list is empty when nothing changes: the tool
 * refuses the call, or the text stays. Undefined: the call is not to a tool that edits by itself.
 */
export async function editsOf(
  { tool, name = "", input, paths = [] }: Subject,
  place: EditPlace,
): Promise<readonly FileEdit[] | undefined> {
  if (tool !== "shell" && tool !== "write" && tool !== "edit") return undefined;
  const desk = new Desk(place);
  const call = patchCall(tool, input);
  if (call) await applyPatch(call, place.cwd, desk);
  else if (tool === "shell") return undefined;
  else {
    const editor = EDITORS[name.toLowerCase().replaceAll(/[_-]/g, "")];
    const isKnown = editor && isObject(input);
    const reason = isKnown ? ambiguity(input) : "the form of this tool is not known";
    if (reason !== undefined) for (const path of paths) await desk.put(path, { unclear: reason });
    else if (isKnown) await editor(input, desk, GEMINI.has(name));
  }
  return desk.edits();
}

/**
 * By the names of tools in lower case, without `_` and `-`: those of Claude Code, Cursor and Gemini CLI whose input holds the new
 * text (November 2026). The result of the others, such as edits of notebook cells, cannot be told.
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
  delete: remove,
  deletefile: remove,
};
const GEMINI: ReadonlySet<string> = new Set(["write_file", "replace"]);

const FILE = ["file_path", "path", "target_file"];
const CONTENT = ["content", "contents"];
const REPLACEMENT = ["old_string", "new_string", "replace_all", "allow_multiple", "expected_replacements"];
/** Further keys of these tools, which do not change the result. */
const REMARKS = ["instruction", "explanation", "description", "modified_by_user", "ai_proposed_content"];
const KEYS: ReadonlySet<string> = new Set([...FILE, ...CONTENT, ...REPLACEMENT, ...REMARKS]);

/** Why an input does not say which file the tool changes, or how: which of several keys a version of the tool reads is not known. */
function ambiguity(input: Input): string | undefined {
  const { edits, ...own } = input;
  const inner = Array.isArray(edits) ? edits.filter(isObject) : [];
  const all = [own, ...inner];
  const unknown = all.flatMap((one) => Object.keys(one)).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    return `it has the key ${JSON.stringify(unknown.slice(0, 100))}, which its tool does not have`;
  if (new Set(all.flatMap((one) => FILE.flatMap((key) => one[key] ?? []))).size > 1)
    return "it names its file by several keys";
  const isTwofold = edits !== undefined && REPLACEMENT.some((key) => own[key] !== undefined);
  return isTwofold ? "it has two kinds of replacement" : undefined;
}

async function write(input: Input, desk: Desk, isGemini: boolean): Promise<void> {
  const [path, content] = [pathIn(input), textIn(input, ...CONTENT)];
  if (path === undefined) return;
  const before = await desk.content(path);
  if (content === undefined) await desk.put(path, { unclear: "its new text is not given" });
  // Gemini CLI keeps the line ends of a file.
  else if (isGemini && Array.isArray(before) && before[0]?.includes("\r\n"))
    await desk.put(path, [withCrlf(content)]);
  else await desk.put(path, [content]);
}

async function replace(input: Input, desk: Desk, isGemini: boolean): Promise<void> {
  const path = pathIn(input);
  if (path === undefined) return;
  const { edits = [input] } = input;
  const steps = Array.isArray(edits) ? edits.map(replacementIn) : [undefined];
  const before = await desk.content(path);
  if (before && "unclear" in before) await desk.put(path, before);
  else if (!steps.every((step) => step !== undefined))
    await desk.put(path, { unclear: "its old and new text are not given" });
  // Gemini CLI then looks for a file of that name in all folders.
  else if (isGemini && !before && steps[0]?.from !== "" && !isAbsolute(path))
    await desk.put(path, { unclear: "there is no such file in that folder" });
  else {
    const after = inTurn(before ?? [undefined], steps, isGemini ? replacedByGemini : replaced);
    if ("unclear" in after || after.length > 0) await desk.put(path, after);
  }
}

/** Several edits of one call, each of the results of the one before; no result when the tool refuses one of them. */
function inTurn(
  before: readonly (string | undefined)[],
  steps: readonly Replacement[],
  apply: typeof replaced,
): Texts | Unclear {
  const work = new Work();
  let texts = before;
  for (const step of steps) {
    const found = new Set<string>();
    for (const text of texts) {
      const results = apply(text, step, work);
      if ("unclear" in results) return results;
      for (const one of results) found.add(one);
    }
    if (found.size > MAX_RESULTS) return { unclear: "too many results are possible" };
    texts = [...found];
  }
  return texts.flatMap((text) => text ?? []);
}

async function remove(input: Input, desk: Desk): Promise<void> {
  const path = pathIn(input);
  if (path !== undefined && (await desk.content(path))) await desk.put(path, undefined);
}

async function applyPatch(
  { text, patch, folder }: NonNullable<ReturnType<typeof patchCall>>,
  cwd: string,
  desk: Desk,
): Promise<void> {
  const start = folder === undefined ? cwd : resolve(cwd, folder);
  const hunks = patch === undefined ? undefined : hunksOf(patch);
  if (!hunks || hunks.length > MAX_FILES) {
    const unclear =
      patch === undefined ? "the command around the patch is not read" : "the patch is not read";
    for (const path of filesInPatch(text)) await desk.put(resolve(start, path), { unclear });
    return;
  }
  const work = new Work();
  // When a part does not fit the file, the parts before it may have been applied.
  for (const hunk of hunks) if (!(await applied(hunk, start, desk, work))) return;
}

/** Applies a part of a patch; answers false when it does not fit. */
async function applied(hunk: Hunk, folder: string, desk: Desk, work: Work): Promise<boolean> {
  const path = resolve(folder, hunk.path);
  if (hunk.kind === "add") {
    await desk.put(path, [hunk.text]);
    return true;
  }
  const content = await desk.content(path);
  if (!content) return false;
  if (hunk.kind === "remove") {
    await desk.put(path, undefined);
    return true;
  }
  const after = "unclear" in content ? content : patched(content, hunk.chunks, work);
  if (!("unclear" in after) && after.length === 0) return false;
  await desk.put(hunk.to === undefined ? path : resolve(folder, hunk.to), after);
  if (hunk.to !== undefined) await desk.put(path, undefined);
  return true;
}

function pathIn(input: Input): string | undefined {
  return textIn(input, ...FILE);
}

/** The text that an input has at one of some names; undefined when it has another value there, or two. */
function textIn(input: Input, ...names: readonly string[]): string | undefined {
  const [found, ...more] = new Set(names.map((name) => input[name]).filter((one) => one !== undefined));
  return more.length === 0 && typeof found === "string" ? found : undefined;
}

function replacementIn(input: unknown): Replacement | undefined {
  if (!isObject(input)) return undefined;
  const { old_string: from, new_string: to, replace_all, allow_multiple, expected_replacements } = input;
  const all = replace_all ?? allow_multiple ?? false;
  const count = expected_replacements ?? 1;
  if (typeof from !== "string" || typeof to !== "string" || typeof count !== "number") return undefined;
  if (all === true || all === "true") return { from, to, count: "all" };
  return all === false || all === "false" ? { from, to, count } : undefined;
}
