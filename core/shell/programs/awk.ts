import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";

const OPTIONS =
  "F: v: f:x file:x field-separator: assign: i: include: l:c load:c E:x exec:x e: source: d::w dump-variables::w o::w pretty-print::w p::w profile::w D!c debug!c W:c";

/** awk, gawk and mawk: output redirected, commands started, files changed in place. */
export function awk(scene: Scene): void {
  const line = follow(`v | + ${OPTIONS}`, scene);
  const operands = [...line.operands];
  const programs = [...line.all("e", "source")];
  for (const file of line.all("f", "file", "E", "exec")) programs.push({ text: scene.text(file) });
  const own = programs.length === 0 ? operands.shift() : undefined;
  if (own !== undefined) programs.push(own);
  for (const { text } of programs) {
    if (text === undefined) scene.unknown("code", "write");
    else readAwk(text, scene);
  }
  const includes = line.all("i", "include");
  const inPlace = includes.some(({ text }) => text === "inplace");
  if (includes.some(({ text }) => text !== "inplace")) scene.unknown("code", "write");
  for (const word of operands) {
    if (/^[A-Za-z_]\w*=/.test(word.text ?? "")) continue;
    if (inPlace) scene.write(word);
    else scene.read(word);
  }
}

const MOST = 4000;
/** A string, a regular expression after something that a division cannot follow, a name, or one mark. */
const TOKEN =
  /"(?:\\[^]|[^"\\])*"|#[^\n]*|(?:(?<=(?:^|[(,!~;{&|]|\n)[ \t]{0,20})\/(?:\\[^]|\[(?:\^?\]|\^(?!\])|(?![\]^]))(?:\\[^]|[^\]\\\n]){0,200}\]|[^/\\\n[]){0,500}\/)|[A-Za-z_]\w*|>>|\|\||\|&|[<>=!]=|[^\s]|\n/g;
const FILES = /^"(\/dev\/(?:stdout|stderr|null)|-)"$/;

function readAwk(program: string, scene: Scene): void {
  if (program.length > MOST) return scene.unknown("code", "write");
  const tokens = (program.match(TOKEN) ?? []).filter((token) => !token.startsWith("#"));
  let prints = false;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? "";
    if (token === "print" || token === "printf") [prints, depth] = [true, 0];
    else if (/^[;{}\n]$/.test(token)) prints = false;
    else if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (token === "system" && next === "(") start(tokens, index + 2, /^\)$/, scene);
    else if (token === "@" || token === "system") scene.unknown("code", "write");
    else if (token === "ENVIRON") scene.use(next === "[" ? unquoted(tokens[index + 2] ?? "") : undefined);
    else if (token === "|" || token === "|&") {
      if (next === "getline") start(tokens, index - 1, /^\|&?$/, scene);
      else start(tokens, index + 1, /^[;}\n]?$/, scene);
    } else if (token === "<" && tokens.slice(Math.max(0, index - 2), index).includes("getline"))
      file(next, "", scene);
    else if ((token === ">" || token === ">>") && prints && depth === 0)
      file(next, tokens[index + 2] ?? "", scene, true);
  }
}

function file(token: string, after: string, scene: Scene, writes = false): void {
  if (FILES.test(token)) return;
  const text = /^[;}\n]?$/.test(after) ? unquoted(token) : undefined;
  if (writes) scene.write({ text });
  else scene.read({ text });
}

function start(tokens: readonly string[], index: number, end: RegExp, scene: Scene): void {
  const text = unquoted(tokens[index] ?? "");
  const after = tokens[index + 1] ?? "";
  const before = tokens[index - 1] ?? "";
  if (text === undefined || !end.test(after) || /^["\w)\]$]/.test(before)) scene.unknown("code", "write");
  else scene.shell({ text });
}

function unquoted(token: string): string | undefined {
  if (!/^"[^]*"$/.test(token)) return undefined;
  const inner = token.slice(1, -1).replace(/\\(["\\/])/g, "$1");
  return /\\/.test(inner) ? undefined : inner;
}
