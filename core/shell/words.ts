import type * as tree from "unbash";
import type { FactList } from "./fact-list.ts";
import type { Grammar } from "./grammar.ts";
import { ANY, MANY, ONE, OPEN } from "./paths.ts";
import type { ShellState } from "./shell-state.ts";
import { joinedWords, literalWord, unknownWord, type Word } from "./word.ts";

/** The place of a word in a command. */
export interface WordPlace {
  readonly facts: FactList;
  readonly state: ShellState;
  /** Missing if a text is read without the grammar: its words are then literal. */
  readonly grammar: Grammar | undefined;
  /** Reads the commands of a substitution. @throws TooMuch */
  readonly substitution: (script: tree.ParsedScript | undefined, source: string) => void;
}

const MOST_WORDS_OF_BRACES = 100;
/** The number of a process. */
const PROCESS = /^\$(?:[$!]|PPID|BASHPID)$/;

/** The words that a word becomes: one, or one for each item of a list in braces. @throws TooMuch */
export function expandedWords(node: tree.Word, place: WordPlace): readonly Word[] {
  const { text: source, parts } = node;
  if (!parts) return [source.startsWith("~") ? tilde(node.value, place) : literalWord(node.value, source)];
  let all: Word[][] = [[]];
  for (const [index, part] of parts.entries()) {
    const braces = part.type === "BraceExpansion" ? itemsOf(part) : undefined;
    const isFew = braces && all.length * braces.length <= MOST_WORDS_OF_BRACES;
    if (isFew) all = all.flatMap((pieces) => braces.map((item) => [...pieces, literalWord(item)]));
    else {
      const word = partOf(part, place, index === 0);
      for (const pieces of all) pieces.push(word);
    }
  }
  place.facts.step(0, all.length);
  return all.map((pieces) => ({ ...joinedWords(pieces, ""), source }));
}

/** A word that stays one word: a value, a here-string, the file of a redirection. @throws TooMuch */
export function singleWord(node: tree.Word, place: WordPlace): Word {
  const [first, ...others] = expandedWords(node, place);
  return first && others.length === 0 ? first : { ...unknownWord(node.value), source: node.text };
}

/** The text of a here-document. @throws TooMuch */
export function hereDocument({ parts, text }: tree.HereDocBody, place: WordPlace): Word {
  return parts ? partsOf(parts, place) : literalWord(text);
}

/** Reads the substitutions and variables in a construct other than a word, such as arithmetic. @throws TooMuch */
export function visit(node: tree.SyntaxNode, place: WordPlace): void {
  place.facts.step();
  if (node.type === "SimpleExpansion" || node.type === "ParameterExpansion") partOf(node, place);
  else if ("script" in node) place.substitution(node.script, node.text);
  else {
    // In arithmetic, names are variables.
    const names = node.type === "ArithmeticWord" ? (node.value.match(/[A-Za-z_]\w*/g) ?? []) : [];
    for (const name of names) valueOf(name, place);
    place.grammar?.forEachChild(node, (child) => visit(child, place));
  }
}

function partsOf(parts: readonly tree.WordPart[], place: WordPlace): Word {
  const words = parts.map((part) => partOf(part, place));
  return joinedWords(words, "");
}

function partOf(part: tree.WordPart, place: WordPlace, isFirst = false): Word {
  place.facts.step();
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      if (isFirst && part.text.startsWith("~")) return tilde(part.value, place);
      return literalWord(part.value, part.text);
    case "DoubleQuoted":
    case "LocaleString":
      return partsOf(part.parts, place);
    case "SimpleExpansion":
      if (PROCESS.test(part.text)) return unknownWord(part.text, ANY);
      return valueOf(part.text.slice(1), place) ?? unknownWord(part.text);
    case "ParameterExpansion":
      return parameter(part, place) ?? unknownWord(part.text);
    case "Glob":
      place.grammar?.forEachChild(part, (child) => visit(child, place));
      return unknownWord(part.text, place.state.hasDots ? ANY : part.kind === "star" ? MANY : ONE);
    case "ExtendedGlob":
    case "BraceExpansion":
      visit(part, place);
      return unknownWord(part.text, ANY);
    default:
      visit(part, place);
      return unknownWord(part.text);
  }
}

/**
 * The items of a list such as `{a,b}`; `undefined` for ranges, nested lists, and lists with anything except plain text.
 */
function itemsOf({ text }: tree.BraceExpansionPart): readonly string[] | undefined {
  return /^\{[^{}$`"'\\*?[]*,[^{}$`"'\\*?[]*\}$/.test(text) ? text.slice(1, -1).split(",") : undefined;
}

/** Only `${HOME}`, `${PWD}` and `${OLDPWD}` have values, also with a default. */
function parameter(part: tree.ParameterExpansionPart, place: WordPlace): Word | undefined {
  const { parameter: name, prefix, index, operation } = part;
  // `${!NAME}` may be any variable; `${!NAME[@]}` and `${!NAME@}` are keys and names.
  if (prefix === "!" && index === undefined && operation?.type !== "Names") place.facts.add("uses", "*");
  const value = valueOf(name, place);
  place.grammar?.forEachChild(part, (child) => visit(child, place));
  // `${NAME:=value}`
  if (operation?.type === "Default" && operation.operator.endsWith("=")) place.facts.add("sets", `${name}=`);
  const isDefault = operation?.type === "Default" && /^:?[-=]$/.test(operation.operator);
  if (/^\$\{(?:HOME|PWD)%%?\/\}$/.test(part.text)) return value;
  const isChanged = prefix !== undefined || index !== undefined || (operation !== undefined && !isDefault);
  return isChanged ? undefined : value;
}

/**
 * Only `$HOME`, `$PWD` and `$OLDPWD` have a value. A variable without an assignment in the text belongs to the
 * environment.
 */
function valueOf(name: string, { facts, state }: WordPlace): Word | undefined {
  const known: Readonly<Record<string, string | undefined>> = {
    HOME: state.home,
    PWD: state.cwd,
    OLDPWD: state.previous,
  };
  const value = name === "HOME" || !state.assigned.has(name) ? known[name] : undefined;
  if (value !== undefined) return literalWord(value, `$${name}`);
  if (/^[A-Za-z_]\w*$/.test(name) && !state.assigned.has(name)) facts.add("uses", name);
  return undefined;
}

function tilde(text: string, { state: { home, cwd, previous } }: WordPlace): Word {
  const end = text.includes("/") ? text.indexOf("/") : text.length;
  const folders: Readonly<Record<string, string | undefined>> = { "~": home, "~+": cwd, "~-": previous };
  const folder = folders[text.slice(0, end)];
  const rest = text.slice(end);
  return folder === undefined ? unknownWord(text, OPEN + rest) : literalWord(folder + rest, text);
}
