import type { Language } from "../../probes/languages.ts";
import { type SyntaxNode, childrenOf } from "../../syntax/syntax.ts";
import { words } from "../purity/rules.ts";

/** Nodes whose children are statements, one after the other. */
const HOLDERS: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  javascript: words("program statement_block switch_case switch_default class_static_block"),
  python: words("module block"),
  go: words("block statement_list expression_case default_case type_case communication_case"),
  rust: words("block"),
  java: words("block constructor_body switch_block_statement_group"),
  cpp: words("compound_statement case_statement"),
  csharp: words("block compilation_unit switch_section global_statement"),
  php: words("program compound_statement case_statement default_statement colon_block"),
  ruby: words("program body_statement then else do begin ensure block_body begin_block"),
  shell: words("program compound_statement do_group if_statement else_clause elif_clause case_item subshell"),
};
/** Holders that are not there when nothing stands in them. */
export const LISTS = words("block statement_list body_statement then else do block_body global_statement");
const COMMENT = /comment|^preproc_(?:end)?region$/;

export function holdersOf(language: Language): ReadonlySet<string> {
  return HOLDERS[familyOf(language)] ?? words("");
}

export function familyOf(language: Language): Language {
  if (language === "c") return "cpp";
  return /^(?:jsx|typescript|tsx|vue|html)$/.test(language) ? "javascript" : language;
}

export function isComment({ type }: SyntaxNode): boolean {
  return COMMENT.test(type);
}

/** From where to where something stands, in UTF-16 units; the end is behind it. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

export function isWithin({ startIndex, endIndex }: SyntaxNode, { start, end }: Extent): boolean {
  return startIndex >= start && endIndex <= end;
}

/** A node of a region, and the node that it stands in. */
export interface Piece {
  readonly node: SyntaxNode;
  readonly holder: SyntaxNode;
}

/** The largest nodes that stand in a region, without comments and without lists that stand in it as a whole. */
export function piecesIn(root: SyntaxNode, region: Extent, holders: ReadonlySet<string>): readonly Piece[] {
  const pieces: Piece[] = [];
  const visit = (holder: SyntaxNode): void => {
    for (const node of childrenOf(holder)) {
      if (node.endIndex <= region.start || node.startIndex >= region.end) continue;
      if (!isWithin(node, region)) visit(node);
      else if (isList(node, holders)) visit(node);
      else if (!isComment(node) && node.startIndex < node.endIndex) pieces.push({ node, holder });
    }
  };
  visit(root);
  return pieces;
}

/** Whether a node is nothing but the statements in it. */
function isList(node: SyntaxNode, holders: ReadonlySet<string>): boolean {
  return (
    LISTS.has(node.type) &&
    holders.has(node.type) &&
    childrenOf(node).every((child) => child.isNamed || child.type === ";" || child.type.trim() === "")
  );
}

/** A number for the shape of a tree without comments and without what stands in regions. */
export function shapeOf(root: SyntaxNode, regions: readonly Extent[]): string {
  const shape: string[] = [];
  const visit = (node: SyntaxNode): void => {
    const mayGo = node.parent !== null && node.endIndex > node.startIndex;
    if (isComment(node) || (mayGo && regions.some((region) => isWithin(node, region)))) return;
    const children = childrenOf(node);
    const from = shape.length;
    shape.push(node.type, "(");
    for (const child of children) visit(child);
    // A list is not there when nothing is left in it.
    if (shape.length === from + 2 && children.length > 0 && LISTS.has(node.type)) shape.length = from;
    else shape.push(children.length === 0 ? `${node.text})` : ")");
  };
  visit(root);
  return shape.join(" ");
}
