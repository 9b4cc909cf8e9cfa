import { setVariable, type Call } from "./call.ts";
import type { PathList } from "./fact-list.ts";
import { listed, readWords, type CallWords, type WordRules } from "./options.ts";
import table from "./programs.json" with { type: "json" };
import { SPECIAL_PROGRAMS } from "./special-programs.ts";
import { literalWord, tailOf, type Word } from "./word.ts";

/**
 * A program, or a subcommand of one, in `programs.json`. Lists are words with blanks between them. Words without a role are
 * only printed, stored or searched for.
 */
export interface ProgramRow extends WordRules {
  /** The role of each operand, in order; the last one holds for all that follow. */
  readonly operands?: string;
  /** With one of these options the first operand is missing, as the pattern of grep is. */
  readonly given?: string;
  /** With one of these options, or with one that has this value, the files that it reads are written. */
  readonly inPlace?: string;
  /** With one of these options it writes nothing: its files are read. */
  readonly dry?: string;
  /** With one of these options it writes in spite of `dry`; without `dry`, only with one of them. */
  readonly wet?: string;
  /** It starts another program, which stands behind this many operands. */
  readonly starts?: number;
  /** Words `NAME=value` may stand before the program that it starts. */
  readonly assigns?: boolean;
  /** Without operands and with no options but these it lists all variables. */
  readonly lists?: string;
  /** With one of these options its operands are variables whose values it uses, also as `other=NAME`. */
  readonly shows?: string;
  /** With one of these options, or always where the list is empty, the program has another home folder. */
  readonly home?: string;
  /** With one of these options it lists all variables. */
  readonly dumps?: string;
  /** A pattern of uses of variables in its own language, with the name of the variable; without a name it uses all. */
  readonly environment?: string;
  /** A pattern of programs in its own language that write and run nothing, and read only its operands. */
  readonly plain?: string;
  /** Its standard input is code, commands or names of files. Default: data. */
  readonly readsCode?: boolean;
  /** Words that begin with `+` are commands of its own language. */
  readonly plusCommands?: boolean;
  /** Files that it writes with any words. */
  readonly writes?: string;
  /** A file that it writes when it has no operands. */
  readonly default?: string;
  /** The reader of its words in `SPECIAL_PROGRAMS`. */
  readonly special?: string;
  /** The rows of its first operand; `*` is any other or none. */
  readonly subcommands?: Rows;
}

type Rows = Readonly<Record<string, ProgramRow>>;
/** Settings whose value is a command, as `alias.x`, `core.pager`, `ProxyCommand` and `exec`. */
const COMMAND_SETTING =
  /^(?:alias\..*|exec|.*(?:command|pager|editor|program|external|driver|textconv|helper|askpass|fsmonitor|clean|smudge|process|cmd))$/i;

/** An address in a file of settings of curl. */
const CONFIG_URL = /^[ \t-]*url[ \t]*[=: \t][ \t]*"?([^"\s]+)/gm;

/** Adds the facts of a program by its row; of a program without a row all words are unread. @throws TooMuch */
export function readProgram(call: Call): void {
  const row = rowOf(table.programs, call.name) ?? rowOf(table.programs, call.name.replace(/[\d.]+$/, ""));
  if (row) readRow(row, call, call.args);
  else unreadCall(call);
}

/** All words of a call, and its input. @throws TooMuch */
export function unreadCall(call: Call): void {
  call.unread([call.word, ...call.args, ...(call.input ? [call.input.word] : [])]);
}

/** The keys of each table as one text, a line each with blanks around; made when a name is first looked up. */
const KEYS = new WeakMap<Rows, string>();

/** The row of a name; a key holds several names. */
function rowOf(rows: Rows, name: string): ProgramRow | undefined {
  if (!/^\S+$/.test(name)) return undefined;
  const keys = KEYS.get(rows) ?? `\n ${Object.keys(rows).join(" \n ")} \n`;
  KEYS.set(rows, keys);
  const at = keys.indexOf(` ${name} `);
  return at < 0 ? undefined : rows[keys.slice(keys.lastIndexOf("\n", at) + 2, keys.indexOf("\n", at) - 1)];
}

function readRow(row: ProgramRow, call: Call, args: readonly Word[]): void {
  const stops = row.starts !== undefined || row.subcommands !== undefined || row.stops === true;
  const isCommand = ({ text }: Word): boolean => row.plusCommands === true && text.startsWith("+");
  for (const word of args.filter(isCommand)) play("command", word, call, row);
  const plain = args.filter((word) => !isCommand(word));
  const words = readWords(plain, { ...row, stops });
  const { operands, options } = words;
  if (row.home === "" || hasAny(words, row.home)) setVariable(call.reader, "HOME=", call.own);
  playOptions(words, call, row);
  if (row.readsCode === true && call.input) call.facts.unread(call.input.word);
  if (row.subcommands) {
    const sub = rowOf(row.subcommands, operands[0]?.text ?? "");
    const other = row.subcommands["*"];
    if (sub) readRow(sub, call, operands.slice(1));
    else if (other) readRow(other, call, operands);
    else if (operands.length > 0) unreadCall(call);
    return;
  }
  const isShown = row.dry === undefined ? row.wet !== undefined : hasAny(words, row.dry);
  const isDry = isShown && !hasAny(words, row.wet);
  const files = operands.length === 0 ? [...listed(row.writes), ...listed(row.default)] : listed(row.writes);
  for (const text of isDry ? [] : files) call.path("writes", literalWord(text));
  const [first, ...others] = listed(row.operands);
  const roles = first === undefined || hasAny(words, row.given) ? others : [first, ...others];
  const written = hasAny(words, row.inPlace) ? "read" : "write";
  const isUse = hasAny(words, row.shows);
  for (const [index, word] of operands.slice(0, row.starts).entries()) {
    const role = isUse ? "use" : (roles[Math.min(index, roles.length - 1)] ?? "");
    const isWritten = role === written || role === "whole";
    const own = role === "write" ? role : "whole";
    play(isWritten ? (isDry ? "read" : own) : role, word, call, row);
  }
  const rest = operands.slice(row.starts ?? 0);
  if (row.starts !== undefined) startProgram(row, call, rest);
  const isProgram = ({ text }: Word): boolean => text !== "" && (row.assigns !== true || !/^\w+=/.test(text));
  const isOther = ({ name }: { readonly name: string }): boolean => !listed(row.lists).includes(name);
  if (row.lists !== undefined && !rest.some(isProgram) && !options.some(isOther)) call.facts.add("uses", "*");
  if (hasAny(words, row.dumps)) call.facts.add("uses", "*");
  if (row.special !== undefined && !isDry) SPECIAL_PROGRAMS[row.special]?.(call, words);
}

function startProgram(row: ProgramRow, call: Call, words: readonly Word[]): void {
  const [first, text] = words;
  // `flock FILE -c TEXT`
  if (text && /^(?:-c|--command)$/.test(first?.text ?? "")) return call.text(text);
  const count = words.findIndex(({ text }) => row.assigns !== true || !/^\w+=/.test(text));
  for (const word of words.slice(0, count < 0 ? words.length : count)) call.set(word);
  if (count >= 0) call.start(words.slice(words[count]?.text === "--" ? count + 1 : count));
}

/** Folders first: the other words are relative to them. */
function playOptions({ options }: CallWords, call: Call, row: ProgramRow): void {
  for (const isFolder of [true, false])
    for (const { value, role = "" } of options)
      if (value && (role === "folder") === isFolder) play(role, value, call, row);
}

const PATHS: Readonly<Record<string, PathList>> = { read: "reads", write: "writes", script: "scripts" };

/** The effect of a program on a word, by the role of the word; none without a role. @throws TooMuch */
function play(role: string, word: Word, call: Call, row: ProgramRow): void {
  const { facts, input, own, state } = call;
  const { text, known } = word;
  const list = PATHS[role];
  if (list) return call.path(list, word);
  switch (role) {
    case "fetch":
    case "text":
      return call[role](word);
    case "folder":
      call.path("reads", word);
      return call.folder(word);
    case "whole":
      return facts.whole(word, own.cwd);
    // Runs it as code of another language.
    case "code":
      return facts.unknown("code", word);
    case "unread":
      return facts.unread(word);
    case "set":
    case "export":
      return call.set(word, role === "set" ? own : state);
    case "assign":
    case "unset":
      return setVariable(call.reader, `${text}=`, role === "unset" ? own : state);
    case "use":
      return facts.add("uses", text.slice(text.indexOf("=") + 1));
    // `%NAME` is a variable of the environment, `NAME@FILE` a file.
    case "variable": {
      const [, name, file] = /^(?:%(\w+)|\w+@(.*))/s.exec(text) ?? [];
      if (name !== undefined) facts.add("uses", name);
      return file === undefined ? undefined : call.path("reads", tailOf(word, text.indexOf("@") + 1));
    }
    // `HOST1:PORT1:HOST2:PORT2` leads to the second one.
    case "connect": {
      const start = /^(?:\[[^\]]*\]|[^:]*):\d*:/.exec(text)?.[0].length;
      return start === undefined ? undefined : call.fetch(tailOf(word, start));
    }
    // Reads names of files, or addresses, from a file.
    case "list":
    case "config":
      if (text === "-" && input) facts.unread(input.word);
      facts.unknown(role === "list" ? "read" : "address", word);
      for (const [, url = ""] of (text === "-" &&
        role === "config" &&
        input?.word.text.matchAll(CONFIG_URL)) ||
        [])
        call.fetch(literalWord(url));
      return call.path("reads", word);
    // Sends the file of `@FILE` or `NAME=@FILE`.
    case "data": {
      const start = /^(?:[\w.-]*=)?@/.exec(text)?.[0].length;
      return start === undefined ? undefined : call.path("reads", tailOf(word, start));
    }
    // Runs a program in its own small language.
    case "program": {
      for (const [, name = "*"] of row.environment ? text.matchAll(new RegExp(row.environment, "g")) : [])
        facts.add("uses", name);
      const isPlain = known && row.plain !== undefined && new RegExp(row.plain, "s").test(text);
      return isPlain ? undefined : facts.unread(word);
    }
    // Runs a command of an editor or pager, which may be `!` and a shell command.
    case "command":
      facts.unknown("code", word);
      return text.includes("!") ? call.text(tailOf(word, text.indexOf("!") + 1)) : undefined;
    // Knows a command by a name, `NAME=COMMAND`.
    case "alias":
    case "setting": {
      facts.unread(word);
      const at = text.search(/[= ]/);
      const isCommand = at >= 0 && (role === "alias" || COMMAND_SETTING.test(text.slice(0, at)));
      return isCommand ? call.text(tailOf(word, text.charAt(at + 1) === "!" ? at + 2 : at + 1)) : undefined;
    }
    // The address of a repository, which may name a program.
    case "remote":
      return text.startsWith("ext::") ? call.text(tailOf(word, "ext::".length)) : undefined;
    default:
  }
}

/** Whether one of these options is there; `NAME=VALUE` with that value. */
function hasAny({ options }: CallWords, names: string | undefined): boolean {
  const wanted = listed(names);
  return options.some(
    ({ name, value }) => wanted.includes(name) || wanted.includes(`${name}=${value?.text}`),
  );
}
