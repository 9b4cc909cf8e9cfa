import type { Node } from "@vscode/tree-sitter-wasm";
import { calledBy } from "./called.ts";
import { childrenOf, type Grammar } from "./grammars.ts";
import { declaredBy } from "./names.ts";

/** A call, a statement that prints, or an assignment in a part of a text. */
export interface Act {
  readonly kind: "calls" | "prints" | "sets";
  /** The called function as written, or the changed variable. */
  readonly name: string;
  /** Where it begins in the text. */
  readonly at: number;
}

/** Assignment nodes, in all grammars. */
const SETS =
  /^(?:(?:augmented_|operator_|compound_)?assignment(?:_expression|_statement|_expr)?|(?:inc|dec)_statement|update_expression|variable_assignment)$/;
const TARGETS = ["left", "argument", "name"];

/**
 * The calls and assignments of a part of a text, except to names that a function of the part declares; `undefined` where the parser does not
 * understand it.
 */
export function actsIn(
  { parsed, rules }: Grammar,
  text: string,
  from: number,
  to: number,
): readonly Act[] | undefined {
  const { prints = {}, feeds = [] } = rules;
  const { calls = {} } = rules.expressions ?? {};
  const look = (node: Node, outer: readonly string[] = []): readonly Act[] | undefined => {
    if (node.endIndex <= from || node.startIndex >= to || feeds.includes(node.type)) return [];
    if (node.isError || node.isMissing) return undefined;
    const at = node.startIndex;
    const isWhole = at >= from && node.endIndex <= to;
    const printing = new RegExp(prints[node.type] ?? "(?!)").exec(node.text)?.[0];
    const fields = calls[node.type];
    const own: Act[] = [];
    if (isWhole && printing !== undefined) own.push({ kind: "prints", name: printing, at });
    else if (isWhole && fields) own.push({ kind: "calls", name: calledBy(node, fields), at });
    const name = isWhole && SETS.test(node.type) ? rootOf(node) : undefined;
    if (name !== undefined && !outer.includes(name)) own.push({ kind: "sets", name, at });
    const declared = isWhole ? [...outer, ...declaredBy(rules, node)] : outer;
    for (const child of childrenOf(node)) {
      const acts = look(child, declared);
      if (!acts) return undefined;
      own.push(...acts);
    }
    return own;
  };
  return parsed(text, (root) => look(root));
}

/** The variable at the beginning of the assignment target. */
function rootOf(node: Node): string {
  let target = TARGETS.map((field) => node.childForFieldName(field)).find((one) => one) ?? node.namedChild(0);
  while (target?.namedChild(0) && target.type !== "variable_name") target = target.namedChild(0);
  return target?.text.replace(/^\$/, "") ?? "";
}
