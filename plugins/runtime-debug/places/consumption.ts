import type { Node } from "@vscode/tree-sitter-wasm";
import { calledBy, calledNode, hasCall } from "./called.ts";
import { childrenOf, type ConsumptionRules, type Grammar } from "./grammars.ts";

const NONE: ConsumptionRules = { fresh: [] };
const SETS = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The words of some lines. */
function setOf(lines: readonly string[] = []): ReadonlySet<string> {
  const words = SETS.get(lines) ?? new Set(lines.flatMap((line) => line.split(" ")));
  SETS.set(lines, words);
  return words;
}

/** A part of a node that is iterated to its end and may be an iterator of the program: `x` of `[...x]`, `list(x)`, `y in x`. */
export function consumedBy(grammar: Grammar, node: Node): Node | undefined {
  const { consumes = NONE, calls = {} } = grammar.rules.expressions ?? {};
  const { nodes = {}, patterns = [], words = [] } = consumes;
  const found: (Node | null | undefined)[] = [];
  const parents = nodes[node.type];
  const isThrough = parents === "" || parents?.split(" ").includes(node.parent?.type ?? "") === true;
  if (isThrough) found.push(node.namedChild(0));
  if (patterns.includes(node.type)) found.push(takenApart(grammar, node) ?? node);
  const children = childrenOf(node);
  for (const [at, child] of children.entries())
    if (!child.isNamed && words.includes(child.type)) found.push(children[at + 1]);
  const fields = calls[node.type];
  if (fields) {
    const called = calledBy(node, fields);
    const values = argumentsOf(node);
    const isAlone = hasCall(setOf(consumes.alone), called) && values.length === 1;
    if (isAlone || hasCall(setOf(consumes.calls), called)) found.push(...values);
    if (hasCall(setOf(consumes.members), called)) found.push(calledNode(node, fields));
  }
  return found.find((one) => one && !isFresh(grammar, one)) ?? undefined;
}

/** The positional arguments of a call, or a generator instead of them. */
function argumentsOf(node: Node): readonly Node[] {
  const list = node.childForFieldName("arguments");
  if (!list) return [];
  if (/generator|comprehension/.test(list.type)) return [list];
  return childrenOf(list).filter(
    ({ isNamed, type }) => isNamed && !/keyword|splat|spread|unpacking/.test(type),
  );
}

/** The values that the parameter pattern of a callback destructures: the elements of `x` in `x.map(([a]) => a)`. */
function takenApart({ rules }: Grammar, pattern: Node): Node | undefined {
  const { calls = {} } = rules.expressions ?? {};
  let node = pattern.parent;
  while (node && !calls[node.type]) node = node.parent;
  return node ? calledNode(node, calls[node.type] ?? []) : undefined;
}

/**
 * Whether a value is new, or definitely not an iterator: a literal, a part of a list, the result of a call that creates
 * a list.
 */
function isFresh(grammar: Grammar, node: Node): boolean {
  const { consumes = NONE, calls = {} } = grammar.rules.expressions ?? {};
  const fresh = setOf(consumes.fresh);
  const inner = node.namedChildCount === 1 ? node.namedChild(0) : null;
  if (inner && /^parenthesized|^argument$/.test(node.type)) return isFresh(grammar, inner);
  if (fresh.has(node.type) || childrenOf(node).some(({ type }) => fresh.has(`${node.type}>${type}`)))
    return true;
  const fields = calls[node.type];
  if (!fields) return false;
  const called = calledBy(node, fields);
  const { calls: through, alone, members, passes } = consumes;
  const made = [fresh, setOf(through), setOf(alone), setOf(members)];
  if (made.some((names) => hasCall(names, called))) return true;
  const on = hasCall(setOf(passes), called) ? calledNode(node, fields) : undefined;
  return on !== undefined && isFresh(grammar, on);
}
