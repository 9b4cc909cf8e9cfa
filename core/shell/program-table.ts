import { setVariable, type Call } from "./call.ts";
import type { PathList, Unknown } from "./fact-list.ts";
import { ANY } from "./paths.ts";
import { listed, readWords, type CallWords, type WordRules } from "./options.ts";
import table from "./programs.json" with { type: "json" };
import { opened, SPECIAL_PROGRAMS } from "./special-programs.ts";
import { literalWord, tailOf, type Word } from "./word.ts";

/**
 * A program, or a subcommand of one, in `programs.json`. Lists are words separated by blanks. Words without a role are
 * only printed, stored or searched for.
 */
export interface ProgramRow extends WordRules {
  /** The role of each operand, in order; the last one applies to all that follow. */
  readonly operands?: string;
  /** The role of a single operand. */
  readonly alone?: string;
  /** With one of these options the first operand is missing, like the pattern of grep. */
  readonly given?: string;
  /**
   * With one of these options, or with one that has this value, the program writes the files that it otherwise reads.
   */
  readonly inPlace?: string;
  /** With one of these options it writes nothing: its files are read. */
  readonly dry?: string;
  /** With one of these options it writes in spite of `dry`; without `dry`, only with one of them. */
  readonly wet?: string;
  /** With one of these options it only prints, whatever the other words are. */
  readonly prints?: string;
  /** It starts another program, whose words follow this many operands. */
  readonly starts?: number;
  /** Words `NAME=value` may precede the program that it starts. */
  readonly assigns?: boolean;
  /** Without operands and with only these options it lists all variables. */
  readonly lists?: string;
  /** With one of these options its operands are variables whose values it uses, also as `other=NAME`. */
  readonly shows?: string;
  /** With one of these options, or always if the list is empty, the program has another home folder. */
  readonly home?: string;
  /** With one of these options it lists all variables. */
  readonly dumps?: string;
  /** The role of its standard input. Default: data. */
  readonly input?: string;
  /** Words that begin with `+` are commands of its own language. */
  readonly plusCommands?: boolean;
  /** Files that it writes with any words. */
  readonly writes?: string;
  /** A file that it writes when it has no operands. */
  readonly default?: string;
  /** The reader of its words in `SPECIAL_PROGRAMS`. */
  readonly special?: string;
  /** The rows of its first operand; `*` stands for any other operand, and for no operand. */
  readonly subcommands?: Rows;
}

type Rows = Readonly<Record<string, ProgramRow>>;

/** A part of a word that has a role: the group of a pattern or, without a group, its match. Default: the whole word. */
interface WordPart {
  readonly pattern?: string;
  readonly role: string;
}

/** Adds the facts of a program by its row; without a row all words are unread. @throws TooMuch */
export function readProgram(call: Call): void {
  const row = rowOf(table.programs, call.name) ?? rowOf(table.programs, call.name.replace(/[\d.]+$/, ""));
  if (row) readRow(row, call, call.args);
  else unreadCall(call);
}

/** All words of a call, and its input. @throws TooMuch */
export function unreadCall(call: Call): void {
  call.unread([call.word, ...call.args, ...(call.input ? [call.input.word] : [])]);
}

/** The row of each name, created when a name of a table is first looked up; a key contains several names. */
const NAMES = new WeakMap<Rows, ReadonlyMap<string, ProgramRow>>();

function rowOf(rows: Rows, name: string): ProgramRow | undefined {
  const named = ([keys, row]: [string, ProgramRow]) => keys.split(" ").map((key) => [key, row] as const);
  const names = NAMES.get(rows) ?? new Map(Object.entries(rows).flatMap(named));
  NAMES.set(rows, names);
  return names.get(name);
}

/** The columns with names of options, also as `NAME=VALUE`. */
const NAMING = [
  "flags",
  "given",
  "inPlace",
  "dry",
  "wet",
  "prints",
  "lists",
  "shows",
  "home",
  "dumps",
] as const;

/** `before`: the words before `args`. */
function readRow(
  row: ProgramRow,
  call: Call,
  args: readonly Word[],
  before: Pick<CallWords, "spelled" | "isShort"> = { spelled: [], isShort: false },
): void {
  const stops = row.starts !== undefined || row.subcommands !== undefined || row.stops === true;
  const isCommand = ({ text }: Word): boolean => row.plusCommands === true && text.startsWith("+");
  for (const word of args.filter(isCommand)) play("command", word, call);
  const plain = args.filter((word) => !isCommand(word));
  const flags = NAMING.flatMap((column) => listed(row[column]?.replaceAll(/=\S*/g, ""))).join(" ");
  const words = readWords(plain, { ...row, stops, flags });
  const { operands, options } = words;
  const spelled = [...before.spelled, ...words.spelled];
  const isShort = before.isShort || words.isShort;
  if (row.home === "" || words.has(row.home)) setVariable(call.reader, "HOME=", call.own);
  // Folders first: the other words are relative to them.
  for (const isFolder of [true, false])
    for (const { value, role = "", rest } of options)
      if (value && (role === "folder") === isFolder)
        if (rest) call.start([value, ...rest].map((word) => opened(word, "{}")));
        else play(role, value, call);
  if (row.input !== undefined && call.input) play(row.input, call.input.word, call);
  if (row.subcommands) {
    const sub = rowOf(row.subcommands, operands[0]?.text ?? "");
    const other = rowOf(row.subcommands, "*");
    const [first, ...others] = operands;
    if (sub && first) return readRow(sub, call, others, { spelled: [...spelled, first.text], isShort });
    if (other) return readRow(other, call, operands, { spelled, isShort });
    return operands.length > 0 ? unreadCall(call) : undefined;
  }
  // Rules know options by their full names, one at a time.
  if (isShort) call.addProgram(call.name, [...spelled.map((text) => literalWord(text)), ...operands]);
  const isShown = row.dry === undefined ? row.wet !== undefined : words.has(row.dry);
  const isDry = words.has(row.prints) || (isShown && !words.has(row.wet));
  const files = operands.length === 0 ? [...listed(row.writes), ...listed(row.default)] : listed(row.writes);
  for (const text of isDry ? [] : files) call.facts.whole(literalWord(text), call.own.cwd);
  const [first, ...others] = listed(operands.length === 1 ? (row.alone ?? row.operands) : row.operands);
  const roles = first === undefined || words.has(row.given) ? others : [first, ...others];
  const isInPlace = words.has(row.inPlace);
  const effect = (role: string): string => {
    if (isInPlace && role === "read") return "whole";
    return isDry && (role === "write" || role === "whole") ? "read" : role;
  };
  const isUse = words.has(row.shows);
  for (const [index, word] of operands.slice(0, row.starts).entries()) {
    const role = roles[Math.min(index, roles.length - 1)] ?? "";
    play(isUse ? "use" : effect(role), word, call, isDry);
  }
  const rest = operands.slice(row.starts ?? 0);
  if (row.starts !== undefined) startProgram(row, call, rest);
  const isProgram = ({ text }: Word): boolean => text !== "" && (row.assigns !== true || !/^\w+=/.test(text));
  const isListing =
    row.lists !== undefined &&
    !rest.some(isProgram) &&
    options.every(({ name }) => listed(row.lists).includes(name));
  if (isListing || words.has(row.dumps)) call.facts.add("uses", "*");
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

/** Roles of words whose parts have effects of their own, such as `data` of curl: it sends the file of `@FILE`. */
const ROLES: Readonly<Record<string, readonly WordPart[]>> = table.roles;

/** The effect of a program on a word, by the role of the word in `programs.json`. @throws TooMuch */
function play(role: string, word: Word, call: Call, isDry = false): void {
  const parts = ROLES[role];
  if (!parts) return playPart(role, word, call);
  for (const { pattern, role: own } of parts) {
    // An unknown word may contain more than the pattern matches.
    const isWhole = pattern === undefined || (own === "unread" && !word.known);
    if (isDry && /^(?:write|prefix)$/.test(own)) continue;
    for (const part of isWhole ? [word] : partsOf(word, pattern)) playPart(own, part, call);
  }
}

/** The parts of a word that match a pattern. */
function partsOf(word: Word, pattern: string): readonly Word[] {
  return [...word.text.matchAll(new RegExp(pattern, "dgisu"))].map((match) => {
    const [whole, text = whole] = match;
    if (text === word.text) return word;
    if (word.known || word.pattern.includes(text)) return literalWord(text);
    return { ...tailOf(word, match.indices?.[1]?.[0] ?? match.index), text };
  });
}

const PATHS: Readonly<Record<string, PathList>> = { read: "reads", write: "writes", script: "scripts" };
const UNKNOWN: Readonly<Record<string, Unknown>> = { code: "code", names: "read", addresses: "address" };

function playPart(role: string, word: Word, call: Call): void {
  const { facts, input, own, state } = call;
  const [list, why] = [PATHS[role], UNKNOWN[role]];
  if (list) return call.path(list, word);
  if (why) return facts.unknown(why, word);
  switch (role) {
    case "fetch":
    case "text":
      return call[role](word);
    case "document":
      return readDocument(word.text === "-" && input ? input.word : word, call);
    case "folder":
      call.path("reads", word);
      return call.folder(word);
    case "whole":
      return facts.whole(word, own.cwd);
    // Writes files whose names begin with the word.
    case "prefix":
      return call.path("writes", { ...word, known: false, pattern: word.pattern + ANY });
    case "unread":
      return facts.unread(word);
    case "pattern":
      return facts.search(word);
    case "input":
      return input && play("settings", input.word, call);
    case "set":
    case "export":
      return call.set(word, role === "set" ? own : state);
    case "assign":
    case "unset":
      return setVariable(call.reader, `${word.text}=`, role === "unset" ? own : state);
    case "use":
      return facts.add("uses", word.text.slice(word.text.indexOf("=") + 1));
    case "environment":
      return facts.add("uses", "*");
    default:
  }
}

/** Reads the commands in a JSON document of input, as in `skillctl run runtime-debug reproduce --input JSON`. */
function readDocument(word: Word, call: Call): void {
  if (!word.known) return call.facts.unread(word);
  try {
    JSON.parse(word.text, (key, value: unknown) => {
      if (typeof value !== "string") return;
      if (/^(?:command|run|while)$/.test(key)) call.text(literalWord(value));
      if (/^(?:page|act)$/.test(key)) call.facts.unknown("code", literalWord(value));
    });
  } catch (caught) {
    if (!(caught instanceof SyntaxError)) throw caught;
    call.facts.unread(word);
  }
}
