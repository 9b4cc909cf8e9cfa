import { type SyntaxNode, namedChildrenOf } from "../../syntax/syntax.ts";
import type { Rules } from "./rules.ts";

/** A call, with the whole name of what is called: `fetch`, `JSON.stringify`, `fetch().catch`, `*.trim`, `new Date`. */
export interface Call {
  readonly name: string;
  /** What it is called on, when that is more than a name. */
  readonly on?: SyntaxNode;
  /** A function written in place that is called at once. */
  readonly inPlace?: SyntaxNode;
  readonly arguments: readonly SyntaxNode[];
  readonly also: readonly SyntaxNode[];
}

export function callIn(node: SyntaxNode, rules: Rules): Call | undefined {
  const shape = rules.calls[node.type];
  if (!shape) return undefined;
  const list = node.childForFieldName(shape.arguments) ?? lastOfType(node, "arguments");
  const also = (shape.also ?? []).flatMap((field) => node.childForFieldName(field) ?? []);
  const given = list ? (rules.strings.has(list.type) ? [list] : namedChildrenOf(list)) : [];
  const callee =
    shape.callee === undefined ? undefined : unwrapped(node.childForFieldName(shape.callee), rules);
  if (shape.callee !== undefined) {
    if (!callee) return { name: "*", arguments: given, also };
    if (rules.lambdas.has(callee.type)) return { name: "", inPlace: callee, arguments: given, also };
    const [field] = rules.members[callee.type] ?? [];
    const on = field === undefined ? undefined : callee.childForFieldName(field);
    const name = (shape.prefix ?? "") + nameOf(callee, rules);
    return { name, ...(on && { on }), arguments: given, also };
  }
  const on = shape.receiver === undefined ? undefined : node.childForFieldName(shape.receiver);
  const name = shape.name === undefined ? undefined : node.childForFieldName(shape.name);
  const own = (shape.prefix ?? "") + (name?.text ?? namedChildrenOf(node)[0]?.text ?? "*");
  return { name: on ? `${nameOf(on, rules)}.${own}` : own, ...(on && { on }), arguments: given, also };
}

/** The name of an expression with its members; `*` for what has none. */
function nameOf(given: SyntaxNode, rules: Rules): string {
  const node = unwrapped(given, rules) ?? given;
  if (rules.names.has(node.type)) return node.text;
  const fields = rules.members[node.type];
  if (fields) {
    const [object, name] = fields.map((field) => node.childForFieldName(field));
    if (name) return `${object ? nameOf(object, rules) : "*"}.${name.text}`;
  }
  const call = callIn(node, rules);
  return call ? `${call.name}()` : "*";
}

/** What stands in parentheses and the like. */
export function unwrapped(node: SyntaxNode | null, rules: Rules): SyntaxNode | undefined {
  let inner = node;
  while (inner && rules.wrappers.has(inner.type)) {
    const [only, ...others] = namedChildrenOf(inner);
    if (!only || others.length > 0) return inner;
    inner = only;
  }
  return inner ?? undefined;
}

function lastOfType(node: SyntaxNode, type: string): SyntaxNode | undefined {
  return namedChildrenOf(node).findLast((child) => child.type === type);
}
