import type { Scene } from "../scene.ts";
import type { Language } from "./language.ts";
import { reachesOut } from "./reach.ts";
import type { Token } from "./tokens.ts";

/** What a text declares. */
export interface Declarations {
  /** What a name stands for, "" for a value of its own. */
  readonly names: Map<string, string>;
  /** Names of modules. */
  readonly modules: Set<string>;
  /** Names of the project's own modules, and of parts of them: it runs them as it would run a script. */
  readonly own: Set<string>;
  /** Where in the text a name is only declared. */
  readonly places: Set<number>;
}

/**
 * Names that the text itself gives, with what they stand for where that is a module or a part of one. `undefined` when it loads a module
 * whose parts are not known. A file of the project that is loaded is a script.
 */
export function declarations(
  list: readonly Token[],
  language: Language,
  scene: Scene,
): Declarations | undefined {
  const declared: Declarations = { names: new Map(), modules: new Set(), own: new Set(), places: new Set() };
  const { names } = declared;
  for (const [index, token] of list.entries()) {
    if (token.kind !== "name") continue;
    const name = token.text ?? "";
    const next = list[index + 1];
    const member = list[index - 1]?.kind === "mark" && /^\??\.$/.test(list[index - 1]?.text ?? "");
    if (member) continue;
    if (language.loads.has(name)) {
      const fine = language.objects
        ? loadsModule(list, index, declared, language, scene)
        : importsModule(list, index, declared, language, scene);
      if (!fine) return undefined;
    } else if (language.declares.has(name) && next?.kind === "name") give(names, next.text);
    else if (next?.kind === "mark" && /^(?:=|=>)$/.test(next.text ?? "") && !language.loads.has(name))
      give(names, name);
    else if (language.declares.has(name) && next?.text === "{") unpacked(list, index + 1, declared, language);
    if (language.objects && next?.text === ")" && list[index + 2]?.text === "=>") arrow(list, index, names);
  }
  return declared;
}

function give(names: Map<string, string>, name: string | undefined): void {
  if (name !== undefined && !names.has(name)) names.set(name, "");
}

/** `(a, b) =>`, read back from its last name. */
function arrow(list: readonly Token[], index: number, names: Map<string, string>): void {
  for (let at = index; list[at]?.kind === "name"; at -= 2) {
    give(names, list[at]?.text);
    if (list[at - 1]?.text !== ",") return;
  }
}

/** `const { a, b } = require("m")`. A part with an effect keeps its name. */
function unpacked(list: readonly Token[], from: number, declared: Declarations, language: Language): void {
  for (let at = from + 1; list[at]?.kind === "name"; at += 2) {
    const name = list[at]?.text ?? "";
    const after = list[at + 1]?.text;
    if (after !== "," && after !== "}") return;
    declared.names.set(name, Object.hasOwn(language.calls, name) ? name : "");
    declared.places.add(at);
  }
}

/** `require("m")`, `import("m")`, `import a from "m"`. */
function loadsModule(
  list: readonly Token[],
  index: number,
  declared: Declarations,
  language: Language,
  scene: Scene,
): boolean {
  const direct = list[index + 1]?.text === "(" && list[index + 1]?.kind === "mark";
  if (!direct && list[index]?.text === "require") return false;
  const at = direct ? index + 2 : list.findIndex(({ kind }, place) => place > index && kind === "string");
  const module = list[at];
  if (module?.kind !== "string" || module.text === undefined) return false;
  if (direct && list[at + 1]?.text !== ")") return false;
  if (!direct && !imported(list, index + 1, at, declared, language)) return false;
  const owner = list[index - 2];
  if (direct && list[index - 1]?.text === "=" && owner?.kind === "name" && list[at + 2]?.text !== ".")
    moduleName(owner.text ?? "", module.text, declared);
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(module.text)) {
    if (module.text.endsWith(".json")) scene.read({ text: module.text });
    else ownModule(list, index, at, declared, language, scene);
    return true;
  }
  return language.modules.has(module.text);
}

/** What is loaded of a file is its own: named behind `import`, before `=`, or as what `then` gets. */
function ownModule(
  list: readonly Token[],
  index: number,
  at: number,
  { own }: Declarations,
  language: Language,
  scene: Scene,
): void {
  scene.script({ text: list[at]?.text });
  const direct = list[index + 1]?.text === "(" && list[index + 1]?.kind === "mark";
  const add = (name: string) => isFree(name, language) && own.add(name);
  const words = (from: number, to: number) =>
    list.slice(from, to).flatMap(({ kind, text }) => (kind === "name" && text !== undefined ? [text] : []));
  if (!direct) {
    words(index + 1, at).forEach(add);
    return;
  }
  const equals = list[index - 1]?.text === "await" ? index - 2 : index - 1;
  if (list[equals]?.text === "=" && list[equals]?.kind === "mark") {
    const open = list.findLastIndex(
      ({ kind, text }, place) => place < equals && kind === "mark" && text === "{",
    );
    const from = list[equals - 1]?.text === "}" ? open : equals - 1;
    words(from, equals).forEach(add);
  }
  const [dot, then, bracket, first, second] = list.slice(at + 2, at + 7);
  if (dot?.text !== "." || then?.text !== "then" || bracket?.text !== "(") return;
  const name = first?.text === "(" ? second : first;
  if (name?.kind === "name" && name.text !== undefined) add(name.text);
}

/** A name that stands for nothing else in the language. */
function isFree(name: string, { words, modules, loads, calls }: Language): boolean {
  return (
    !words.has(name) &&
    !modules.has(name) &&
    !loads.has(name) &&
    !Object.hasOwn(calls, name) &&
    !reachesOut(name)
  );
}

function moduleName(name: string, module: string, declared: Declarations): void {
  declared.names.set(name, plain(module));
  if (!module.startsWith(".") && !module.startsWith("/")) declared.modules.add(name);
}

/** The names of `import a, { b } from "m"`. */
function imported(
  list: readonly Token[],
  from: number,
  to: number,
  declared: Declarations,
  language: Language,
): boolean {
  let braces = false;
  for (let at = from; at < to; at++) {
    const { kind, text } = list[at] ?? { kind: "mark", text: "" };
    if (kind === "mark") braces = text === "{" || (braces && text !== "}");
    if (kind !== "name" || text === undefined || text === "from" || text === "as") continue;
    const effect = Object.hasOwn(language.calls, text);
    if (braces && effect && list[at + 1]?.text === "as") return false;
    if (braces) declared.names.set(text, effect ? text : "");
    else moduleName(text, list[to]?.text ?? "", declared);
    declared.places.add(at);
  }
  return true;
}

function plain(module: string): string {
  return /^(?:node:)?(?:child_process|https?|fs)$/.test(module) ? module.replace(/^node:/, "") : "";
}

/** `import a.b, c as d` and `from m import a as b`. */
function importsModule(
  list: readonly Token[],
  index: number,
  declared: Declarations,
  language: Language,
  scene: Scene,
): boolean {
  const end = list.findIndex(
    ({ first, text, kind }, at) => at > index && (first || (kind === "mark" && text === ";")),
  );
  const statement = list.slice(index + 1, end === -1 ? undefined : end);
  const from = list.findLastIndex(
    ({ text, first }, at) => at < index && (text === "from" || (first && at < index - 8)),
  );
  const isFrom =
    from !== -1 && list[from]?.text === "from" && !list.slice(from + 1, index + 1).some(({ first }) => first);
  const module = isFrom ? text(list.slice(from + 1, index)) : "";
  const isOwn = isFrom && ownFile(module, scene);
  if (isFrom && !isOwn && !language.modules.has(module)) return false;
  for (const part of split(statement)) {
    const as = part.findIndex((token) => token.text === "as");
    const path = text(as === -1 ? part : part.slice(0, as));
    const full = isFrom ? `${module}.${path}` : path;
    if (path === "" || path === "*") return false;
    if (isOwn || (!isFrom && ownFile(path, scene))) {
      const alias = as === -1 ? path.split(".")[0] : part[as + 1]?.text;
      if (alias === undefined || !isFree(alias, language)) return false;
      declared.names.set(alias, "");
      declared.own.add(alias);
      continue;
    }
    if (!isFrom && !language.modules.has(path)) return false;
    const known = isFrom && !Object.hasOwn(language.calls, full) && !Object.hasOwn(language.calls, path);
    if (known && !language.members.has(path) && !language.words.has(path) && !language.modules.has(full))
      return false;
    const alias = as === -1 ? path.split(".")[0] : part[as + 1]?.text;
    if (alias === undefined) continue;
    declared.names.set(alias, as === -1 && !isFrom ? alias : full);
    if (!isFrom || language.modules.has(full)) declared.modules.add(alias);
  }
  const last = end === -1 ? list.length : end;
  for (let at = isFrom ? from : index; at < last; at++) declared.places.add(at);
  return true;
}

/** Whether a module is a file of the working folder, which comes before all others; then it is run. */
function ownFile(module: string, scene: Scene): boolean {
  const path = module.replaceAll(".", "/");
  const file = [`${path}.py`, `${path}/__init__.py`].find((each) => scene.kind({ text: each }) === "file");
  if (file !== undefined) scene.script({ text: file });
  return file !== undefined;
}

function split(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === "," && token.kind === "mark") parts.push([]);
    else if (!/^[()]$/.test(token.text ?? "")) parts.at(-1)?.push(token);
  }
  return parts;
}

function text(tokens: readonly Token[]): string {
  return tokens.map((token) => token.text ?? "").join("");
}
