import type { Language } from "./languages.ts";
import type { SyntaxNode } from "../syntax/syntax.ts";

/** Nodes whose children are statements. */
const BODIES: Readonly<Partial<Record<Language, readonly string[]>>> = {
  javascript: ["program", "statement_block", "switch_case", "switch_default"],
  python: ["module", "block"],
  go: ["block", "statement_list", "expression_case", "default_case", "type_case", "communication_case"],
  rust: ["block"],
  java: ["block", "constructor_body", "switch_block_statement_group"],
  cpp: ["compound_statement", "case_statement"],
  csharp: ["block", "switch_section", "compilation_unit"],
  php: ["program", "compound_statement", "case_statement", "default_statement", "colon_block"],
  ruby: ["program", "body_statement", "then", "else", "do", "block_body", "begin", "ensure"],
  shell: [
    "program",
    "compound_statement",
    "do_group",
    "case_item",
    "if_statement",
    "elif_clause",
    "else_clause",
    "subshell",
  ],
  powershell: ["program", "statement_list", "statement_block", "script_block_body"],
};
const SAME: Readonly<Partial<Record<Language, Language>>> = {
  jsx: "javascript",
  typescript: "javascript",
  tsx: "javascript",
  vue: "javascript",
  html: "javascript",
  c: "cpp",
};
/** What stands in such a node without being a statement of its own. */
const NO_STATEMENT =
  /^(?:then|elif_clause|else_clause|else|elsif|when|rescue|case_clause|switch_label|case|default|php_tag|text_interpolation|using_directive|extern_alias_directive|\{|\(|do|heredoc_body)$/;
/** Bodies that begin with their first statement. */
const WITHOUT_BRACKETS = /^(?:block|body_statement|then|statement_list|block_body)$/;
const LEAVES = /^(?:return|throw|raise|break|continue)(?:_statement|_expression)?$/;
const IMPORT =
  /^(?:import_statement|import_from_statement|future_import_statement|import_declaration|use_declaration|namespace_use_declaration)$/;
const COMMENT = /comment$/;

/**
 * Why no probe can stand in front of a place of a text, as a sentence; `undefined` when it can. The place is that of the
 * first character of a line that is not blank.
 */
export function statementFault(language: Language, root: SyntaxNode, place: number): string | undefined {
  const bodies = BODIES[SAME[language] ?? language] ?? [];
  if (place >= root.endIndex) return bodies.includes(root.type) ? behind(root) : NOWHERE;
  const next = startingAt(root, place);
  if (!next) return "The line is in the middle of a text, a comment or an expression.";
  const isBody = bodies.includes(next.type) && WITHOUT_BRACKETS.test(next.type) && !next.text.startsWith("{");
  const parent = next.parent;
  if (!isBody && (!parent || !bodies.includes(parent.type) || NO_STATEMENT.test(next.type))) return NOWHERE;
  if (parent?.type === "compilation_unit" && next.type !== "global_statement") return NOWHERE;
  const first = isBody ? (next.firstNamedChild ?? next) : next;
  return beginning(first) ?? after(before(next)) ?? valueFault(language, next);
}

const NOWHERE = "No statement begins at the line.";

function behind({ type, lastNamedChild }: SyntaxNode): string | undefined {
  if (type === "compilation_unit" && lastNamedChild?.type !== "global_statement") return NOWHERE;
  return after(lastNamedChild);
}

/** The outermost node that begins at a place, the whole text left out. */
function startingAt(root: SyntaxNode, place: number): SyntaxNode | undefined {
  let node = root.descendantForIndex(place, place + 1);
  if (!node || node.startIndex !== place) return undefined;
  while (node.parent && node.parent.startIndex === place && node.parent.parent) node = node.parent;
  return node;
}

/** What has to be the first of its kind: directives, texts that document, imports, the call of another constructor. */
function beginning(node: SyntaxNode): string | undefined {
  if (node.type === "explicit_constructor_invocation")
    return "The call of another constructor has to be first.";
  const earlier = earlierThan(node);
  if (isText(node) && earlier.every(isText))
    return "The text at the line has to be the first statement: it is a directive or documents what follows.";
  if (IMPORT.test(node.type) && earlier.every((one) => isText(one) || IMPORT.test(one.type)))
    return "The line belongs to the imports of the file.";
  return undefined;
}

function earlierThan(node: SyntaxNode): readonly SyntaxNode[] {
  const earlier: SyntaxNode[] = [];
  for (let one = node.previousNamedSibling; one; one = one.previousNamedSibling)
    if (!COMMENT.test(one.type) && one.type !== "php_tag" && one.type !== "hash_bang_line") earlier.push(one);
  return earlier;
}

function isText({ type, namedChildren }: SyntaxNode): boolean {
  if (type === "declare_statement" || type === "namespace_definition") return true;
  return type === "expression_statement" && namedChildren.length === 1 && namedChildren[0]?.type === "string";
}

function before(node: SyntaxNode): SyntaxNode | null {
  let one = node.previousNamedSibling;
  while (one && COMMENT.test(one.type)) one = one.previousNamedSibling;
  return one;
}

function after(node: SyntaxNode | null): string | undefined {
  const last = node?.type === "statement_list" ? node.lastNamedChild : node;
  const inner = last?.type === "expression_statement" ? last.firstNamedChild : last;
  if (!inner || !LEAVES.test(inner.type)) return undefined;
  return "The program never comes to the line: what stands in front of it leaves.";
}

/** Rust: what a block ends with without a semicolon is its value. */
function valueFault(language: Language, next: SyntaxNode): string | undefined {
  const last = before(next);
  if (language !== "rust" || next.type !== "}" || !last) return undefined;
  const ends = /(?:;|\}|_item)$/.test(last.text) && !last.type.endsWith("_expression");
  return ends ? undefined : "What stands in front of the line is the value of its block.";
}
