import type { Language } from "../../probes/languages.ts";
import { type SyntaxNode, childrenOf, namedChildrenOf } from "../../syntax/syntax.ts";
import type { Fault } from "../finding.ts";
import { headFault } from "./file-head.ts";
import { type Extent, type Piece, familyOf, holdersOf, isComment, isWithin } from "./places.ts";

/** Statements that hold one statement without braces. */
const ONE_STATEMENT = /^(?:if|for|while|do|else|labeled|with|foreach|for_in|for_range|using|lock|elseif)\w*$/;

/**
 * What is wrong with the place of a region: its nodes are to be whole statements among others, and what is left is to
 * do without them.
 */
export function placeFaults(
  language: Language,
  pieces: readonly Piece[],
  line: number,
  regions: readonly Extent[],
  isOwn: boolean,
): readonly Fault[] {
  const [first] = pieces;
  if (!first) return [];
  const holders = holdersOf(language);
  const fault = (code: Fault["code"], sentence: string): readonly Fault[] => [{ line, code, sentence }];
  if (pieces.some(({ node }) => node.hasError))
    return fault("does-not-parse", "What stands in the region cannot be read as its language.");
  const others = pieces.filter(({ node, holder }) => !holder.equals(first.holder) || !isStatement(node));
  if (others.length > 0)
    return fault(
      "misplaced",
      "The region begins or ends in the middle of a statement, or holds a part of one.",
    );
  if (!holders.has(first.holder.type))
    return (ONE_STATEMENT.test(first.holder.type) || first.holder.type.endsWith("_definition")) &&
      !first.node.type.endsWith("_clause")
      ? fault("needed-statement", "Without the region something else, or nothing, would be done here.")
      : fault("misplaced", "No statement can stand where the region stands.");
  const siblings = namedChildrenOf(first.holder).filter((child) => !isComment(child));
  if (familyOf(language) === "python" && first.holder.type === "block")
    if (siblings.every((child) => regions.some((region) => isWithin(child, region))))
      return fault("needed-statement", "Without the region nothing would be left of this block.");
  if (familyOf(language) === "shell" && isAllOf(first.holder, first.node, regions))
    return fault("needed-statement", "Without the region nothing would be left of this block.");
  const last = pieces.at(-1)?.node ?? first.node;
  const next = siblings.find((child) => child.startIndex >= last.endIndex);
  const isFirst = !siblings.some((child) => child.endIndex <= first.node.startIndex);
  if (isFirst && next && isDirective(language, next))
    return fault("misplaced", "The region stands in front of a text that has to be the first thing here.");
  if (familyOf(language) === "shell" && next && !isOwn && /\$\{?\?/.test(next.text))
    return fault("misplaced", "What follows asks for the status of what stood above.");
  const head = headFault(language, first.holder, { start: first.node.startIndex, end: last.endIndex });
  if (head !== undefined) return fault("misplaced", head);
  if (next?.type === "future_import_statement")
    return fault("misplaced", "Imports of __future__ have to come before everything else.");
  if (familyOf(language) === "ruby" && isValue(first.holder) && !next)
    return fault(
      "misplaced",
      "The last thing here is the value of the method or block: put the region in front of it.",
    );
  return [];
}

function isStatement({ isNamed, type }: SyntaxNode): boolean {
  return isNamed || type === ";" || type === "&" || type.trim() === "";
}

/** A text that means something because it stands first: `"use strict"`, a docstring. */
function isDirective(language: Language, { type, firstNamedChild }: SyntaxNode): boolean {
  const family = familyOf(language);
  return (
    (family === "javascript" || family === "python") &&
    type === "expression_statement" &&
    firstNamedChild?.type === "string" &&
    firstNamedChild.nextNamedSibling === null
  );
}

/** Whether what stands last in it is the value of something. */
function isValue(holder: SyntaxNode): boolean {
  if (holder.type === "program") return false;
  const above = holder.type === "body_statement" ? holder.parent : holder;
  if (above?.type === "method")
    return !/^(?:initialize|.*=)$/.test(above.childForFieldName("name")?.text ?? "");
  return above?.type !== "class" && above?.type !== "module";
}

/** Whether nothing else stands between the words of a shell around a node, such as `then` and `fi`. */
function isAllOf(holder: SyntaxNode, node: SyntaxNode, regions: readonly Extent[]): boolean {
  if (holder.type === "program" || holder.type === "case_item") return false;
  const children = childrenOf(holder);
  const isEdge = (one: SyntaxNode): boolean =>
    /^(?:[a-z{}()]+|.*_clause)$/.test(one.type) && (!one.isNamed || one.type.endsWith("_clause"));
  const at = children.findIndex((one) => one.equals(node));
  const from = children.slice(0, at).findLastIndex(isEdge);
  const to = children.findIndex((one, index) => index > at && isEdge(one));
  // The last clause ends with the word behind it.
  return children
    .slice(from + 1, to < 0 ? undefined : to)
    .every((one) => !one.isNamed || isComment(one) || regions.some((region) => isWithin(one, region)));
}

/** Where each line begins, and the end of the text behind them. */
export function extentsOf(
  starts: readonly number[],
  regions: readonly { readonly first: number; readonly last: number }[],
): readonly Extent[] {
  return regions.map(({ first, last }) => ({ start: starts[first] ?? 0, end: starts[last + 1] ?? 0 }));
}

/** Whether a marker is a comment of its own that goes to the end of its line. */
export function isMarkerComment(root: SyntaxNode, start: number, end: number): boolean {
  let node = root.descendantForIndex(start, start);
  while (node && node.startIndex === start && !isComment(node)) {
    // Of JSX: a comment in braces.
    if (node.type === "jsx_expression") return node.endIndex >= end && childrenOf(node).some(isComment);
    node = node.parent;
  }
  if (!node || node.startIndex !== start || node.endIndex < end || !isComment(node)) return false;
  if (/[\r\n][^]*\S/.test(node.text)) return false;
  // PHP's grammar takes the last line of a here document for a comment when it looks like one.
  return !/heredoc|nowdoc|string/.test(node.parent?.type ?? "");
}
