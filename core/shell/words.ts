import type {
  ArrayValue,
  HereDocBody,
  ParameterExpansionPart,
  ParsedScript,
  SyntaxNode,
  Word as WordNode,
  WordPart,
} from "unbash";
import type { FactList } from "./fact-list.ts";
import { globbed } from "./globs.ts";
import type { Grammar } from "./grammar.ts";
import type { ShellState } from "./shell-state.ts";

/** A word of a command. */
export interface Word {
  /** What the shell puts in its place, where that is known; else with what is not known as it is written, `$NAME/a`. */
  readonly text: string;
  /** Whether all of it is known. */
  readonly known: boolean;
}

/** Where words stand. */
export interface WordPlace {
  readonly facts: FactList;
  readonly home: string;
  readonly state: ShellState;
  readonly grammar: Grammar;
  /** Reads the commands of a substitution. */
  readonly substituted: (script: ParsedScript | undefined) => void;
}

/** A part of a word; in `pattern` a backslash stands before what is no pattern. */
interface Piece extends Word {
  readonly pattern?: string;
}

const MOST_BRACES = 100;

/** The words that a word becomes: of braces, of files that a pattern names, of a variable that holds several. */
export function expanded(node: WordNode, place: WordPlace): readonly Word[] {
  const [only] = node.parts ?? [];
  const alternatives = bracesOf(node, place);
  if (node.parts?.length === 1 && (only?.type === "SimpleExpansion" || only?.type === "ParameterExpansion")) {
    const { text, known } = alternatives[0]?.[0] ?? { text: "", known: true };
    return known
      ? text.split(/\s+/).flatMap((each) => (each === "" ? [] : [{ text: each, known }]))
      : [{ text, known }];
  }
  return alternatives.flatMap((pieces) => {
    const word = joinedPieces(pieces);
    if (!word.known || pieces.every(({ pattern }) => pattern === undefined)) return [word];
    const pattern = pieces.map((piece) => piece.pattern ?? escaped(piece.text)).join("");
    const files = globbed(pattern, place.state.cwd);
    return files.length === 0 ? [{ ...word, known: false }] : files.map((text) => ({ text, known: true }));
  });
}

/** A word that becomes no other words: a value, a here-string, a redirection's file where no pattern stands for several. */
export function single(node: WordNode | HereDocBody, place: WordPlace): Word {
  if (node.type === "HereDocBody")
    return joinedPieces(node.parts ? node.parts.map((part) => piece(part, place)) : [literal(node.text)]);
  const all = expanded(node, place);
  return all.length === 1 && all[0] !== undefined ? all[0] : { text: node.value, known: false };
}

/** A value that is assigned: no pattern and no braces. */
export function assigned(value: WordNode | ArrayValue, place: WordPlace): Word {
  if (value.type === "Word") return joinedPieces(piecesOf(value, place));
  visit(value, place);
  return { text: "(…)", known: false };
}

/** Finds the substitutions and variables in what is not kept as a text: arithmetic, tests, operands of `${…}`. */
export function visit(node: SyntaxNode, place: WordPlace): void {
  place.facts.step();
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return place.substituted(node.script);
    case "SimpleExpansion":
      valueOf(node.text.slice(1), place);
      return;
    case "ParameterExpansion":
      parameter(node, place);
      return;
    default:
      place.grammar.forEachChild(node, (child) => visit(child, place));
  }
}

function bracesOf(node: WordNode, place: WordPlace): readonly (readonly Piece[])[] {
  let all: readonly (readonly Piece[])[] = [[]];
  for (const [index, part] of (node.parts ?? []).entries()) {
    const isList = part.type === "BraceExpansion" && /^\{[^{}$`"'\\]*,[^{}$`"'\\]*\}$/.test(part.text);
    const choices: readonly Piece[] = isList
      ? part.text
          .slice(1, -1)
          .split(",")
          .map((text) => ({ text, known: true, ...(/[*?[]/.test(text) && { pattern: text }) }))
      : [piece(part, place, index === 0)];
    if (all.length * choices.length > MOST_BRACES) return [[{ text: node.value, known: false }]];
    all = all.flatMap((pieces) => choices.map((choice) => [...pieces, choice]));
  }
  return node.parts ? all : [piecesOf(node, place)];
}

function piecesOf(node: WordNode, place: WordPlace): readonly Piece[] {
  if (node.parts) return node.parts.map((part, index) => piece(part, place, index === 0));
  return [node.text.startsWith("~") ? tilde(node.value, place) : literal(node.value)];
}

function piece(part: WordPart, place: WordPlace, isFirst = false): Piece {
  place.facts.step();
  switch (part.type) {
    case "Literal":
      return isFirst && part.text.startsWith("~") ? tilde(part.value, place) : literal(part.value);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return literal(part.value);
    case "Glob":
      return { text: part.text, known: true, pattern: part.text };
    case "DoubleQuoted":
    case "LocaleString":
      return joinedPieces(part.parts.map((child) => piece(child, place)));
    case "SimpleExpansion":
      return valueOf(part.text.slice(1), place) ?? { text: part.text, known: false };
    case "ParameterExpansion":
      return parameter(part, place) ?? { text: part.text, known: false };
    default:
      visit(part, place);
      return { text: part.text, known: false };
  }
}

function parameter(part: ParameterExpansionPart, place: WordPlace): Piece | undefined {
  const { parameter: name, prefix, index, operation } = part;
  // `${!NAME}` may be any variable; `${!NAME[@]}` and `${!NAME@}` are keys and names.
  if (prefix === "!" && index === undefined && operation?.type !== "Names") place.facts.add("uses", "*");
  const value = valueOf(name, place);
  place.grammar.forEachChild(part, (child) => visit(child, place));
  if (prefix !== undefined || index !== undefined) return undefined;
  const isDefault = operation?.type === "Default" && /^:?[-=]$/.test(operation.operator);
  return operation === undefined || (isDefault && value?.text !== "") ? value : undefined;
}

/** What a variable holds; `undefined` when that is not known. One of the environment is used. */
function valueOf(name: string, { facts, home, state }: WordPlace): Piece | undefined {
  const own = state.variables.get(name);
  if (own !== undefined) return literal(own);
  if (state.variables.has(name)) return undefined;
  if (name === "HOME") return literal(home);
  if (name === "PWD") return state.cwd === undefined ? undefined : literal(state.cwd);
  if (/^[A-Za-z_]\w*$/.test(name)) facts.add("uses", name);
  return undefined;
}

function tilde(text: string, { home, state }: WordPlace): Piece {
  const [, name = "", rest = ""] = /^~([^/]*)([^]*)$/.exec(text) ?? [];
  const folder = name === "" ? home : name === "+" ? state.cwd : undefined;
  return folder === undefined ? { text, known: false } : literal(folder + rest);
}

function literal(text: string): Piece {
  return { text, known: true };
}

function joinedPieces(pieces: readonly Piece[]): Word {
  return { text: pieces.map(({ text }) => text).join(""), known: pieces.every(({ known }) => known) };
}

function escaped(text: string): string {
  return text.replace(/[*?[\]\\!^-]/g, "\\$&");
}
