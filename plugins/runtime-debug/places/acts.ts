import type { Node } from "@vscode/tree-sitter-wasm";
import { calledBy } from "./called.ts";
import { childrenOf, type Grammar, type GrammarRules } from "./grammars.ts";
import { declaredBy, isFunction } from "./names.ts";

/** A call, a statement that prints, or an assignment in a part of a text. */
export interface Act {
  readonly kind: "calls" | "prints" | "sets";
  /** The called function as written, or the changed variable. */
  readonly name: string;
  /** Its position in the text. */
  readonly at: number;
}

/** Assignment nodes, in all grammars. */
const SETS =
  /^(?:(?:augmented_|operator_|compound_)?assignment(?:_expression|_statement|_expr)?|(?:inc|dec)_statement|update_expression|variable_assignment)$/;
const TARGETS = ["left", "argument", "name"];

/** The calls and assignments of a part of a text; `undefined` if the parser does not understand it. */
export type PartActs = readonly Act[] | undefined;

/** The acts of each of some parts of a text, except assignments to names that a function of the part declares. */
export function actsIn(
  { parsed, rules }: Grammar,
  text: string,
  parts: readonly (readonly [from: number, to: number])[],
): readonly PartActs[] {
  return parsed(text, (root) => parts.map(([from, to]) => actsOf(root, rules, from, to))) ?? [];
}

function actsOf(root: Node, rules: GrammarRules, from: number, to: number): PartActs {
  const { prints = {}, feeds = [] } = rules;
  const { calls = {} } = rules.expressions ?? {};
  /** `outer` are the names that the functions around a node declare, each looked up when an assignment asks for it. */
  const look = (node: Node, outer: readonly (() => readonly string[])[] = []): PartActs => {
    const { startIndex: at, endIndex: end, type } = node;
    if (end <= from || at >= to || feeds.includes(type)) return [];
    if (node.isError || node.isMissing) return undefined;
    const isWhole = at >= from && end <= to;
    const own: Act[] = [];
    if (isWhole) {
      const fields = calls[type];
      const print = prints[type];
      const printing = print === undefined ? undefined : new RegExp(print).exec(node.text)?.[0];
      if (printing !== undefined) own.push({ kind: "prints", name: printing, at });
      else if (fields) own.push({ kind: "calls", name: calledBy(node, fields), at });
      const name = SETS.test(type) ? rootOf(node) : undefined;
      if (name !== undefined && !outer.some((names) => names().includes(name)))
        own.push({ kind: "sets", name, at });
    }
    const inner =
      isWhole && isFunction(rules, node) ? [...outer, once(() => declaredBy(rules, node))] : outer;
    for (const child of childrenOf(node)) {
      const acts = look(child, inner);
      if (!acts) return undefined;
      own.push(...acts);
    }
    return own;
  };
  return look(root);
}

function once<Value>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= compute());
}

/** The variable at the beginning of the assignment target. */
function rootOf(node: Node): string {
  let target = TARGETS.map((field) => node.childForFieldName(field)).find((one) => one) ?? node.namedChild(0);
  while (target?.namedChild(0) && target.type !== "variable_name") target = target.namedChild(0);
  return target?.text.replace(/^\$/, "") ?? "";
}
