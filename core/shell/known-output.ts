import { posix } from "node:path";
import { joined } from "./paths.ts";
import { echoed, printed } from "./printed-text.ts";
import type { StandardInput, Word } from "./programs/effects.ts";
import { contentOf } from "./redirections.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";

const LONGEST = 256 * 1024;
const WRAPPED = /^(-w|--wrap=)0$|^-b0$/;

/** What a program writes on standard output, for a few that only turn one text into another. */
export function knownOutput(
  name: string,
  words: readonly Word[],
  reader: Reader,
  state: ShellState,
): string | undefined {
  const args: string[] = [];
  for (const { text } of words) {
    if (text === undefined) return undefined;
    args.push(text);
  }
  const output = FILTERS[name]?.({ args, reader, state });
  return output !== undefined && output.length <= LONGEST ? output : undefined;
}

interface Call {
  readonly args: readonly string[];
  readonly reader: Reader;
  readonly state: ShellState;
}

const FILTERS: Readonly<Record<string, (call: Call) => string | undefined>> = {
  echo: ({ args }) => echoed(args),
  printf: ({ args }) => (args[0] === "--" ? printed(args.slice(1)) : printed(args)),
  ls: ({ args: [path = "", more], reader, state }) => {
    const whole = state.cwds?.length === 1 ? joined(path, state.cwds[0]) : undefined;
    const known =
      more === undefined && path !== "" && whole !== undefined && !reader.facts.mayHaveChanged(whole);
    return known && reader.files.kind(whole) === "file" ? `${path}\n` : undefined;
  },
  pwd: ({ args, reader, state }) => {
    const [cwd, ...more] = state.cwds ?? [];
    if (cwd === undefined || more.length > 0) return undefined;
    const real = args.some((arg) => /^-\w*P/.test(arg)) ? reader.files.realPath(cwd) : cwd;
    return real === undefined ? undefined : `${real}\n`;
  },
  true: () => "",
  false: () => "",
  ":": () => "",
  cat: (call) => input(call, call.args, /^-u$/),
  base64: (call) => {
    const decodes = call.args.some((arg) => /^(-d|-D|--decode)$/.test(arg));
    const files = call.args.filter((arg) => !/^(-d|-D|--decode|-i)$/.test(arg) && !WRAPPED.test(arg));
    const text = input(call, files, /^$/);
    if (text === undefined) return undefined;
    if (!decodes) return text.length < 57 ? `${Buffer.from(text).toString("base64")}\n` : undefined;
    return /^[A-Za-z0-9+/=\s]*$/.test(text) ? utf8(Buffer.from(text, "base64")) : undefined;
  },
  xxd: (call) => {
    const flags = call.args.filter((arg) => arg.startsWith("-")).join("");
    if (!/r/.test(flags) || !/p/.test(flags)) return undefined;
    const text = input(
      call,
      call.args.filter((arg) => !arg.startsWith("-")),
      /^$/,
    )?.replace(/\s/g, "");
    return text !== undefined && /^([\da-f]{2})*$/i.test(text) ? utf8(Buffer.from(text, "hex")) : undefined;
  },
  rev: (call) =>
    input(call, call.args, /^$/)
      ?.split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n"),
  tr: (call) => translated(call),
  dirname: ({ args: [path, more] }) =>
    path === undefined || more !== undefined || path.startsWith("-") ? undefined : `${posix.dirname(path)}\n`,
  basename: ({ args: [path, suffix, more] }) =>
    path === undefined || more !== undefined || path.startsWith("-")
      ? undefined
      : `${posix.basename(path, suffix === posix.basename(path) ? undefined : suffix)}\n`,
  seq: ({ args }) => {
    const [first = 1, last] = args.length === 1 ? [1, Number(args[0])] : args.map(Number);
    if (args.length > 2 || args.some((arg) => !/^-?\d{1,6}$/.test(arg)) || last === undefined)
      return undefined;
    const count = last - first + 1;
    return count > 1000
      ? undefined
      : Array.from({ length: Math.max(0, count) }, (_, at) => `${first + at}\n`).join("");
  },
};

/** Standard input, or the files that are named. */
function input({ reader, state }: Call, names: readonly string[], flags: RegExp): string | undefined {
  const files = names.filter((name) => !flags.test(name));
  if (files.length === 0) return textOf(state.stdin);
  let all = "";
  for (const name of files) {
    if (name !== "-" && name.startsWith("-")) return undefined;
    const text = textOf(name === "-" ? state.stdin : contentOf({ text: name }, reader, state));
    if (text === undefined) return undefined;
    all += text;
  }
  return all;
}

function textOf(stdin: StandardInput): string | undefined {
  if (stdin.kind === "none") return "";
  return stdin.kind === "text" ? stdin.text : undefined;
}

function utf8(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

function translated(call: Call): string | undefined {
  const [flag = "", ...rest] = call.args;
  const text = textOf(call.state.stdin);
  const deletes = flag === "-d";
  const from = setOf(deletes ? (rest[0] ?? "") : flag);
  const to = setOf(deletes ? "" : (rest[0] ?? ""));
  const expected = deletes || !flag.startsWith("-") ? 1 : -1;
  if (text === undefined || rest.length !== expected || !from || !to) return undefined;
  if (deletes) return [...text].filter((char) => !from.includes(char)).join("");
  return [...text]
    .map((char) => (from.includes(char) ? (to[Math.min(from.lastIndexOf(char), to.length - 1)] ?? "") : char))
    .join("");
}

function setOf(text: string): readonly string[] | undefined {
  if (/[[\]\\]/.test(text) && !/^\\[nt]$/.test(text)) return undefined;
  const plain = text === "\\n" ? "\n" : text === "\\t" ? "\t" : text;
  const all: string[] = [];
  for (let at = 0; at < plain.length; at++) {
    const low = plain[at] ?? "";
    const high = plain[at + 2];
    if (plain[at + 1] !== "-" || high === undefined) all.push(low);
    else {
      if (low.charCodeAt(0) > high.charCodeAt(0)) return undefined;
      for (let code = low.charCodeAt(0); code <= high.charCodeAt(0); code++)
        all.push(String.fromCharCode(code));
      at += 2;
    }
  }
  return all;
}
