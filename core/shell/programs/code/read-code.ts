import type { Scene } from "../scene.ts";
import { playCall } from "./calls.ts";
import type { Language } from "./language.ts";
import type { Declarations } from "./declarations.ts";
import { declarations } from "./declarations.ts";
import { reachesOut } from "./reach.ts";
import type { Token } from "./tokens.ts";
import { tokens } from "./tokens.ts";

/** Longer texts are scripts, not one-liners. */
const MOST = 20_000;
const MARKS =
  /^(?:[()[\]{},;:.+\-*/%=<>!~&|^?]|=>|===|!==|\?\.|::|\*\*|&&|\|\||\?\?|==|!=|<=|>=|\+\+|--|\$\{|\}\$)$/;
/** Words that a template or a bracket may follow without being called or indexed. */
const BEFORE_VALUE =
  /^(?:return|typeof|of|in|case|await|from|import|void|else|default|throw|and|or|not|if|elif|while|print|yield|new|is|puts|p|echo)$/;
/** What holds the environment is taken apart, or shown whole. */
const WHOLE =
  /\benv\b[^{}]{0,200}\}\s*=\s*(?:global(?:This)?\s*\.\s*)?process\b|[(,=[]\s*process\s*[,)\]]|\.\.\.\s*process\s*[,})\]]|\bprocess\s*(?:\?\.)?\[|\benvironmentVariables\b/;
const ENVIRONMENT = /^(?:process\.env|os\.environ|ENV)$/;

/**
 * What a program text does that was given on a command line. It is known when every name in it is known, which is so for what prints
 * and computes, reads and writes named files, or starts a named program. All else is unknown code when it could call something, else
 * work that cannot be seen.
 */
export function readCode(text: string, language: Language, scene: Scene): void {
  if (language.objects && WHOLE.test(text)) scene.use(undefined);
  const list = text.length > MOST ? undefined : tokens(text, language.strings);
  if (list === undefined) return unread(text, scene);
  const declared = declarations(list, language, scene);
  const known =
    declared !== undefined &&
    list.every((token, index) => fits(token, index, list, language, declared, scene));
  if (known) return;
  unread(text, scene);
  for (const { kind, text: value } of list) {
    if (kind !== "string" || value === undefined) continue;
    if (/^[a-z]{2,5}:\/\/\S+$/i.test(value)) scene.url({ text: value });
    else if (/^(?:\/|\.{1,2}\/)\S+$/.test(value)) scene.read({ text: value });
  }
}

/** A text that is not understood. */
function unread(text: string, scene: Scene): void {
  scene.unknown(reachesOut(text) ? "code" : "unlisted");
}

function fits(
  token: Token,
  index: number,
  list: readonly Token[],
  language: Language,
  declared: Declarations,
  scene: Scene,
): boolean {
  const before = list[index - 1];
  const next = list[index + 1];
  if (token.kind === "mark")
    return MARKS.test(token.text ?? "") && bracketFits(token, before, list, index, language);
  if (token.kind === "number") return true;
  if (token.kind === "string")
    return !language.objects || before === undefined || token.first || before.kind === "mark"
      ? !/^[)\]]$/.test(
          language.objects && before?.kind === "mark" && !token.first ? (before.text ?? "") : "",
        )
      : BEFORE_VALUE.test(before.text ?? "");
  const name = token.text ?? "";
  const chain = chainTo(index, list);
  const full = declared.names.get(chain[0] ?? "") ?? chain[0] ?? "";
  const path = [full === "" ? (chain[0] ?? "") : full, ...chain.slice(1)].join(".");
  if (ENVIRONMENT.test(path)) return environment(list, index, scene);
  if (ENVIRONMENT.test(path.slice(0, path.lastIndexOf("."))) && language.objects) return true;
  const member = chain.length > 1 || isDot(before);
  const own = member || !language.objects || declared.names.get(name) === name || name === "fetch";
  const role = own ? roleOf(path, name, language, list, index) : undefined;
  const called = next?.kind === "mark" && next.text === "(";
  if (declared.places.has(index)) return true;
  if (path === "sys.path.insert" && !language.objects) return isHere(list.slice(index + 1, index + 6), scene);
  if (role !== undefined) return called && playCall(role, list, index, scene);
  if (declared.own.has(chain[0] ?? "")) return true;
  if (member) {
    if (
      !language.objects &&
      /^(?:replace|copy)$/.test(name) &&
      list.some(({ text }) => text === "Path" || text === "pathlib")
    )
      return false;
    return language.members.has(name) || (language.modules.has(path) && !language.objects);
  }
  if (language.objects && next?.text === ":" && /^[{,]$/.test(before?.text ?? "")) return true;
  if (language.loads.has(name)) return true;
  const value = declared.names.get(name);
  const module =
    declared.modules.has(name) || (value === undefined && language.objects && language.modules.has(name));
  if (module) return isDot(next) || next?.text === "=";
  if (value !== undefined) return !(called && (language.objects || value === ""));
  return language.words.has(name);
}

/** `(0, "folder")`, with the folder in which modules are looked for anyway. */
function isHere([open, first, comma, folder, close]: readonly Token[], scene: Scene): boolean {
  if (open?.text !== "(" || first?.text !== "0" || comma?.text !== "," || close?.text !== ")") return false;
  const here = scene.absolute("");
  return folder?.text !== undefined && here !== undefined && scene.absolute(folder.text) === here;
}

function isDot(token: Token | undefined): boolean {
  return token?.kind === "mark" && (token.text === "." || token.text === "?.");
}

/** `a.b.c` for the c at `index`; only c when what stands before the dot is no name. */
function chainTo(index: number, list: readonly Token[]): readonly string[] {
  const chain = [list[index]?.text ?? ""];
  let at = index;
  while (isDot(list[at - 1]) && list[at - 2]?.kind === "name") {
    at -= 2;
    chain.unshift(list[at]?.text ?? "");
  }
  return isDot(list[at - 1]) ? ["", ...chain] : chain;
}

function roleOf(
  path: string,
  name: string,
  language: Language,
  list: readonly Token[],
  index: number,
): string | undefined {
  const { calls } = language;
  const own = (key: string) => (Object.hasOwn(calls, key) ? calls[key] : undefined);
  const maker = path.startsWith(".") ? makerOf(list, index) : undefined;
  return (
    own(path) ??
    own(path.split(".").slice(-2).join(".")) ??
    (maker === undefined ? undefined : own(`${maker}.${name}`)) ??
    own(name)
  );
}

/** `Path` of `Path("x").write_text`, with the dot at `index - 1`. */
function makerOf(list: readonly Token[], index: number): string | undefined {
  let depth = 0;
  for (let at = index - 2; at > 0; at--) {
    const { kind, text } = list[at] ?? { kind: "mark", text: "" };
    if (kind === "mark" && text === ")") depth++;
    if (kind === "mark" && text === "(" && --depth === 0) {
      const maker = list[at - 1];
      const module = list[at + 1];
      if (maker?.text === "require")
        return module?.kind === "string" ? module.text?.replace(/^node:/, "") : undefined;
      return maker?.kind === "name" ? maker.text : undefined;
    }
  }
  return undefined;
}

function bracketFits(
  token: Token,
  before: Token | undefined,
  list: readonly Token[],
  index: number,
  language: Language,
): boolean {
  if (before?.kind === "mark" && before.text === "?.") return !/^[[(]$/.test(token.text ?? "");
  if (before === undefined || (before.kind === "mark" && !/^[)\]}]$/.test(before.text ?? ""))) return true;
  if (token.text === "(") {
    if (before.kind === "name") return true;
    return list[index + 1]?.text === ")" || (before.text === "}" && before.kind === "mark" && token.first);
  }
  if (token.text !== "[" || !language.objects) return true;
  if (before.kind === "name" && BEFORE_VALUE.test(before.text ?? "")) return true;
  if (isEnvironment(list, index)) return true;
  return (
    list[index + 1]?.kind === "number" &&
    /^\d+$/.test(list[index + 1]?.text ?? "") &&
    list[index + 2]?.text === "]"
  );
}

function isEnvironment(list: readonly Token[], index: number): boolean {
  return ENVIRONMENT.test(chainTo(index - 1, list).join("."));
}

/** A variable by its name, or all of them. */
function environment(list: readonly Token[], index: number, scene: Scene): boolean {
  const [mark, name, after] = list.slice(index + 1, index + 4);
  if (mark?.text === "." && name?.kind === "name" && name.text !== "get") scene.use(name.text);
  else if (mark?.text === "[" && name?.kind === "string") scene.use(name.text);
  else if (mark?.text === "." && after?.text === "(")
    scene.use(list[index + 4]?.kind === "string" ? list[index + 4]?.text : undefined);
  else scene.use(undefined);
  return true;
}
