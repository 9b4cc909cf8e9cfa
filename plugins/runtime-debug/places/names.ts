import type { Node } from "@vscode/tree-sitter-wasm";
import { nearest } from "skillctl";
import { childrenOf, type Grammar, type GrammarRules } from "./grammars.ts";

const NAME = /identifier(?:_pattern)?$|^name$|^variable_name$/;
/** Nodes that initialise a name, and the fields for the name. */
const DECLARES =
  /declarator$|^(?:assignment|named_expression|short_var_declaration|var_spec|range_clause|let_declaration)$/;
const DECLARED = ["name", "left", "pattern", "declarator"];
const LOOP_OR_CATCH = /^(?:for|foreach|enhanced|catch|except|with)/;
/** Nodes that declare names in an expression. */
const OWN_NAMES =
  /lambda|arrow_function|comprehension|generator_expression|closure|function|block_parameters/;

/**
 * Remarks on names used by expressions at a place in a text: a name that only another function declares, that gets its
 * first value after the place, or that occurs nowhere else and resembles one that does. Names that may be defined
 * elsewhere, such as globals and imports, are ignored.
 */
export function nameNotes(
  grammar: Grammar,
  text: string,
  at: number,
  expressions: readonly string[],
): readonly string[] {
  const used = new Set(expressions.flatMap((one) => usedNames(grammar, one)));
  if (used.size === 0) return [];
  const look = (root: Node): readonly string[] => {
    const all = namesIn(root);
    const here = functionOf(grammar.rules, root.descendantForIndex(at) ?? root, at);
    return [...used].flatMap((name) => noteOf(grammar.rules, name, all, here, at) ?? []);
  };
  return grammar.parsed(text, look) ?? [];
}

function noteOf(
  rules: GrammarRules,
  name: string,
  all: readonly Node[],
  here: Node | undefined,
  at: number,
): string | undefined {
  const same = all.filter((one) => one.text === name);
  if (same.length === 0) {
    const guess = name.length > 3 ? nearest(name, new Set(all.map((one) => one.text))) : undefined;
    return guess && `${name} occurs nowhere else in the file: did you mean ${guess}?`;
  }
  const line = (one: Node): number => one.startPosition.row + 1;
  const [first] = same.filter((one) => isAround(functionOf(rules, one), here));
  const declared = same.find((one) => isDeclared(rules, one));
  if (!first) return declared && `${name} is declared in another function (line ${line(declared)}).`;
  const isOwn = functionOf(rules, first)?.id === here?.id && isDeclared(rules, first);
  return isOwn && first.startIndex >= at
    ? `${name} gets its first value on line ${line(first)}, after the probe.`
    : undefined;
}

/** The names that an expression reads; empty if it declares names itself. */
function usedNames({ parsed, rules }: Grammar, expression: string): readonly string[] {
  const [before = "", after = ""] = rules.expressions?.around ?? [];
  const [from, to] = [before.length, before.length + expression.length];
  const look = (root: Node): readonly string[] => {
    const node = root.descendantForIndex(from, to);
    if (!node || root.hasError || has(node, OWN_NAMES)) return [];
    // A word after a dot, or before a colon, an equals sign or a bracket, is a member, a key or a function.
    const isRead = ({ startIndex, endIndex }: Node): boolean =>
      !/(?:\.|->|::)\s*$/.test(expression.slice(0, startIndex - from)) &&
      !/^\s*(?::(?!:)|=(?!=)|\()/.test(expression.slice(endIndex - from));
    return namesIn(node)
      .filter(isRead)
      .map(({ text }) => text);
  };
  return parsed(`${before}${expression}${after}`, look) ?? [];
}

function has(node: Node, kind: RegExp): boolean {
  return kind.test(node.type) || childrenOf(node).some((one) => has(one, kind));
}

function namesIn(node: Node): readonly Node[] {
  const isName = NAME.test(node.type) && (node.namedChildCount === 0 || node.type === "variable_name");
  return node.isNamed && isName ? [node] : childrenOf(node).flatMap(namesIn);
}

/** The names that a function declares, in its parameters and its body. */
export function declaredBy(rules: GrammarRules, node: Node): readonly string[] {
  return namesIn(node)
    .filter((name) => isDeclared(rules, name))
    .map(({ text }) => text);
}

export function isFunction({ bodies }: GrammarRules, { type }: Node): boolean {
  return Object.hasOwn(bodies.names, type) && !LOOP_OR_CATCH.test(type);
}

/** The innermost function around a node, which begins before a place, if one is given; `undefined` outside all functions. */
function functionOf(rules: GrammarRules, node: Node, at = Infinity): Node | undefined {
  for (let one: Node | null = node; one; one = one.parent)
    if (isFunction(rules, one) && one.startIndex < at) return one;
  return undefined;
}

/** Whether a function is the same as another one or around it; the file is around all functions. */
function isAround(outer: Node | undefined, inner: Node | undefined): boolean {
  if (!outer) return true;
  return inner !== undefined && outer.startIndex <= inner.startIndex && inner.endIndex <= outer.endIndex;
}

/**
 * Whether a name is at the place of its first value: in a declaration, or in a part of a function or loop that declares
 * names.
 */
function isDeclared({ bodies }: GrammarRules, node: Node): boolean {
  const isIn = (owner: Node, field: string): boolean => {
    const part = field.startsWith("#")
      ? owner.namedChild(Number(field.slice(1)) - 1)
      : owner.childForFieldName(field);
    return part !== null && part.startIndex <= node.startIndex && node.endIndex <= part.endIndex;
  };
  for (let one = node.parent; one && !bodies.blocks.includes(one.type); one = one.parent) {
    const owner = one;
    const fields = DECLARES.test(owner.type) ? DECLARED : (bodies.names[owner.type] ?? []);
    if (fields.some((field) => isIn(owner, field))) return true;
  }
  return false;
}
