import type { Node } from "@vscode/tree-sitter-wasm";
import { childrenOf, type Grammar, type GrammarRules } from "./grammars.ts";

/** A place for a probe in a text. */
export interface Place {
  /** The reason why no probe is possible there. */
  readonly fault?: string;
  /** Whether nothing at all may be put there, not even in place of the line. */
  readonly isClosed?: boolean;
  /** A remark on a probe at that place. */
  readonly note?: string;
}

/** An inserted text, and its position in the new text. */
export interface Put {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const IN_TEXT: Place = { fault: "The line is in the middle of a string or a comment.", isClosed: true };
const FIRST: Place = {
  fault: "The string at the line must be the first statement: it is a directive or a docstring.",
  isClosed: true,
};
const VALUE = "The last statement of a block can be its value; put the probe in front of it.";
const NEVER = "The line is unreachable after the statement above.";
const TOO_LONG: Place = { note: "Place not checked: the file takes too long to parse." };

/**
 * Whether an inserted probe is a separate statement and changes nothing else: the new tree without its nodes equals
 * the tree of the text.
 */
export function placeOf({ parsed, rules }: Grammar, text: string, put: Put): Place {
  return (
    parsed(text, (was) => parsed(put.text, (now) => placeIn(rules, was, now, put)) ?? TOO_LONG) ?? TOO_LONG
  );
}

/**
 * Whether a probe that was inserted into the body of a line consists of statements of a block, its marks are comments, and
 * the text has no new parse errors.
 */
export function isOpened(
  { parsed, rules }: Grammar,
  text: string,
  put: Put,
  marks: readonly number[],
): boolean {
  const wasBroken = parsed(text, (root) => root.hasError);
  return (
    parsed(put.text, (now) => {
      const owner = ownerOf(rules, inside(now, put));
      return (
        owner !== undefined &&
        marks.every((mark) => isComment(now, put.text, mark)) &&
        (wasBroken || !now.hasError)
      );
    }) ?? false
  );
}

function placeIn(rules: GrammarRules, was: Node, now: Node, put: Put): Place {
  const { from } = put;
  const leaf = was.descendantForIndex(from);
  if (leaf && leaf.childCount === 0 && leaf.startIndex < from && from < leaf.endIndex) return IN_TEXT;
  const owner = ownerOf(rules, inside(now, put));
  const isStatement = owner && isMarked(now, put) && isSame(was, now, put);
  if (!isStatement)
    return isBroken(rules, was, from)
      ? { note: "Place not checked: the parser cannot parse the code around it." }
      : { fault: faultAt(rules, was, put) };
  return placeAmong(rules, owner, put);
}

/** The block that has these nodes as statements. */
function ownerOf(rules: GrammarRules, nodes: readonly Node[]): Node | undefined {
  const owners = nodes
    // In JavaScript the semicolon before a probe ends a statement that has none.
    .filter((node) => !node.isExtra && node.type !== ";")
    .map((node) => (rules.lists?.includes(node.type) ? node : node.parent));
  const [owner] = owners;
  return owner && rules.blocks.includes(owner.type) && owners.every((one) => one?.id === owner.id)
    ? owner
    : undefined;
}

/** The place of a probe among its neighbours, or its fault. */
function placeAmong(rules: GrammarRules, owner: Node, { from, to }: Put): Place {
  const around = childrenOf(owner).filter(
    ({ isExtra, type, startIndex, endIndex }) =>
      !isExtra && type !== "hash_bang_line" && endIndex > startIndex,
  );
  const before = around.findLast((one) => one.endIndex <= from);
  const after = around.find((one) => one.startIndex >= to);
  const named = (one: Node | undefined): Node | undefined => (one?.isNamed ? one : undefined);
  const beside = rules.beside?.[owner.type];
  if (beside !== undefined && before?.type !== beside && after?.type !== beside) return { fault: OUTSIDE };
  if (isImpossible(rules, owner))
    return { fault: "The line is in the body of a type, where a statement does not belong." };
  if (after && rules.notBefore?.includes(after.type))
    return { fault: `No statement is possible before the ${words(after)}.` };
  if (before && rules.notBehind?.includes(before.type))
    return { fault: "The line above decorates the one below it." };
  if (rules.firstText && isText(named(after)) && (!named(before) || isText(named(before)))) return FIRST;
  if (rules.valued && isValue(rules.valued, owner, named(before), named(after))) return { fault: VALUE };
  if (!before || !leaves(rules, before)) return {};
  return rules.refusesUnreachable ? { fault: NEVER } : { note: NEVER };
}

const OUTSIDE = "The line is outside of every function.";

/** Whether a statement that ends at the place is the value of a block. */
function isValue(
  { but, clauses, ended = false }: NonNullable<GrammarRules["valued"]>,
  owner: Node,
  before: Node | undefined,
  after: Node | undefined,
): boolean {
  if (after && !clauses.includes(after.type)) return false;
  if ([owner, owner.parent].some((one) => one && but.includes(one.type))) return false;
  return !ended || (before !== undefined && !before.text.endsWith(";") && !before.type.endsWith("_item"));
}

function isText(node: Node | undefined): boolean {
  return (
    node?.type === "expression_statement" &&
    node.namedChildCount === 1 &&
    node.namedChild(0)?.type === "string"
  );
}

function leaves({ leaves: kinds }: GrammarRules, node: Node): boolean {
  const inner = node.type === "expression_statement" ? (node.namedChild(0) ?? node) : node;
  return kinds.some((entry) => {
    const [kind] = entry.split(":", 1);
    return inner.type === kind && new RegExp(entry.slice(kind.length + 1)).test(inner.text);
  });
}

function isImpossible({ impossible = [], functions = [] }: GrammarRules, owner: Node): boolean {
  for (let node: Node | null = owner; node && !functions.includes(node.type); node = node.parent)
    if (impossible.includes(node.type)) return true;
  return false;
}

/** The outermost inserted nodes. */
function inside(node: Node, put: Put): readonly Node[] {
  const { from, to } = put;
  return childrenOf(node).flatMap((child) => {
    if (isInside(child, put)) return [child];
    return child.endIndex > from && child.startIndex < to ? inside(child, put) : [];
  });
}

/** Whether the marks of a region are read as comments. */
function isMarked(now: Node, { text, from, to }: Put): boolean {
  const put = text.slice(from, to).trimEnd();
  const last = Math.max(put.lastIndexOf("\n"), put.lastIndexOf("\r")) + 1;
  return isComment(now, text, from) && isComment(now, text, from + last);
}

/** Whether the next token from a place on is a comment. */
function isComment(now: Node, text: string, from: number): boolean {
  const start = from + text.slice(from).search(/\S/);
  const node = now.descendantForIndex(start, start + 1);
  return node !== null && [node, node.parent].some((one) => one?.isExtra && one.startIndex === start);
}

/** Whether two nodes are equal without the text inserted into the second, ignoring comments. */
function isSame(was: Node, now: Node, put: Put): boolean {
  const { from, to } = put;
  const moved = (at: number): number => (at < from ? at : at - (to - from));
  if (was.typeId !== now.typeId) return false;
  const isApart = now.endIndex <= from || now.startIndex >= to;
  // The same text, parsed to the same number of nodes, is parsed in the same way.
  if (
    isApart &&
    was.startIndex === moved(now.startIndex) &&
    was.endIndex === moved(now.endIndex) &&
    was.descendantCount === now.descendantCount
  )
    return true;
  const before = childrenOf(was).filter((one) => !one.isExtra);
  const after = childrenOf(now).filter((one) => !one.isExtra && !isInside(one, put));
  if (before.length === 0 && after.length === 0) return was.startIndex === moved(now.startIndex);
  return (
    before.length === after.length &&
    before.every((one, index) => {
      const other = after[index];
      return other !== undefined && isSame(one, other, put);
    })
  );
}

function isInside({ startIndex, endIndex }: Node, { from, to }: Put): boolean {
  return startIndex >= from && endIndex <= to && startIndex < to;
}

/** Whether the code at a place has parse errors: in its block, or in the surrounding node of the line. */
function isBroken(rules: GrammarRules, was: Node, from: number): boolean {
  const node = around(rules, was, from);
  if (!node.hasError || node.isError) return node.isError;
  if (node.parent && rules.blocks.includes(node.type)) return true;
  const children = childrenOf(node);
  const next = children.findIndex((one) => one.endIndex > from);
  return children.slice(Math.max(0, next - 1), next + 2).some((one) => one.hasError);
}

/** The block around a place, or the surrounding node. */
function around({ blocks }: GrammarRules, was: Node, from: number): Node {
  let node = was.descendantForIndex(from) ?? was;
  while (node.parent && !(node.isNamed && (node.startIndex < from || blocks.includes(node.type))))
    node = node.parent;
  return node;
}

function faultAt(rules: GrammarRules, was: Node, { from }: Put): string {
  const node = around(rules, was, from);
  if (rules.blocks.includes(node.type)) return NOWHERE;
  return node.parent ? `The line is in the middle of this: ${words(node)}.` : OUTSIDE;
}

const NOWHERE = "No statement begins at the line.";

function words({ type }: Node): string {
  return type.replaceAll("_", " ");
}
