import type { Word } from "../effects.ts";
import { play, unknownRole } from "../follow.ts";
import type { Scene } from "../scene.ts";
import { literal } from "../words.ts";
import type { Token } from "./tokens.ts";

/** Settings of a call that starts a program, with which it is another call. */
const CHANGES = /^(?:cwd|env|executable|input|stdin|shell_|preexec_fn|argv0|uid|gid)$/;

/** Plays the roles of a call's words; the name is at `index`, the bracket behind it. False when the call cannot be told. */
export function playCall(roles: string, list: readonly Token[], index: number, scene: Scene): boolean {
  const args = argumentsFrom(list, index + 2);
  if (
    args === undefined ||
    args.some(([first]) => first?.kind === "mark" && /^(?:\*{1,2}|\.)$/.test(first.text ?? ""))
  )
    return false;
  const made = madeOf(list, index);
  if (made !== undefined) play(roles.charAt(0), made, scene);
  if (roles === "m") return opened(args, scene);
  if (roles === "l") return started(args, scene);
  if (roles === "e") scene.use(word(args[0]).text);
  if (roles === "s" && args.slice(1).some((tokens) => tokens.some(({ text }) => CHANGES.test(text ?? ""))))
    return false;
  const own = made === undefined ? roles : roles.slice(1);
  for (const [at, role] of [...own].entries())
    if (role !== "v" && role !== "e") play(role, word(args[at]), scene);
  return true;
}

/** The word of `Path("x")` before `.write_text`. */
function madeOf(list: readonly Token[], index: number): Word | undefined {
  const [maker, open, text, close, dot] = list.slice(Math.max(0, index - 5), index);
  if (list[index - 1]?.text !== "." || list[index - 2]?.text !== ")") return undefined;
  const plain =
    maker?.text === "Path" &&
    open?.text === "(" &&
    text?.kind === "string" &&
    close?.text === ")" &&
    dot?.text === ".";
  if (plain) return { text: text.text };
  return list.slice(0, index).some((token) => token.text === "Path") ? { text: undefined } : undefined;
}

function argumentsFrom(list: readonly Token[], from: number): readonly (readonly Token[])[] | undefined {
  const args: Token[][] = [[]];
  let depth = 0;
  for (const token of list.slice(from)) {
    const mark = token.kind === "mark" ? (token.text ?? "") : "";
    if (/^[)\]}]$/.test(mark) && depth-- === 0) return args;
    if (/^[([{]$/.test(mark)) depth++;
    if (mark === "," && depth === 0) args.push([]);
    else args.at(-1)?.push(token);
  }
  return undefined;
}

function word(tokens: readonly Token[] | undefined): Word {
  const [token] = tokens ?? [];
  return tokens?.length === 1 && token?.kind === "string" ? { text: token.text } : { text: undefined };
}

/** `open(path, mode)` of Python and Ruby. */
function opened(args: readonly (readonly Token[])[], scene: Scene): boolean {
  const named = args.find(([name, equals]) => name?.text === "mode" && equals?.text === "=");
  const second = args[1]?.[1]?.text === "=" ? undefined : args[1];
  const mode = named === undefined ? second : named.slice(2);
  const text = mode === undefined ? "r" : word(mode).text;
  if (text === undefined || !/[wax+]/.test(text)) scene.read(word(args[0]));
  if (text === undefined || /[wax+]/.test(text)) scene.write(word(args[0]));
  return true;
}

/** `subprocess.run([...])`: a list of known words, or text for a shell. */
function started(args: readonly (readonly Token[])[], scene: Scene): boolean {
  const [first = [], ...others] = args;
  if (others.some(([name]) => CHANGES.test(name?.text ?? ""))) return false;
  const shell = others.find(([name]) => name?.text === "shell");
  const whole = word(first).text;
  if (whole !== undefined) {
    if (shell === undefined) scene.run([literal(whole)]);
    else scene.shell(literal(whole));
    return true;
  }
  const inner = first.slice(1, -1).filter(({ text, kind }) => !(kind === "mark" && text === ","));
  const list =
    first[0]?.text === "[" && first.at(-1)?.text === "]" && inner.every(({ kind }) => kind === "string");
  if (!list || shell !== undefined) unknownRole("c", scene);
  else scene.run(inner.map(({ text }) => ({ text })));
  return true;
}
