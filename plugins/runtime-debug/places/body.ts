import type { Node } from "@vscode/tree-sitter-wasm";
import { childrenOf, type BodyRules, type Grammar } from "./grammars.ts";

/** A line that is split at the body that it contains. */
export interface OneLineBody {
  /** The text before the statement. */
  readonly head: string;
  readonly rest: string;
  /** Whether indentation delimits the body. */
  readonly isIndented: boolean;
  /** Names that are declared only in the body. */
  readonly names: readonly string[];
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The bodies of functions, conditions and loops that begin and end on a line of a text, outermost first. */
export function bodiesIn(
  { parsed, rules }: Grammar,
  text: string,
  start: number,
  end: number,
): readonly OneLineBody[] {
  const line = { text: text.slice(start, end), start, end };
  return (
    parsed(text, (root) => within(root, line).flatMap((node) => opened(rules.bodies, node, line) ?? [])) ?? []
  );
}

/** The nodes of a line, each before its children. */
function within(node: Node, line: Line): readonly Node[] {
  const { start, end } = line;
  const isIn = node.startIndex >= start && node.endIndex <= end && node.isNamed;
  const children = childrenOf(node).filter((one) => one.endIndex > start && one.startIndex < end);
  return [...(isIn ? [node] : []), ...children.flatMap((one) => within(one, line))];
}

function opened(rules: BodyRules, node: Node, line: Line): OneLineBody | undefined {
  const { indented: isIndented = false } = rules;
  const at = (index: number): number => index - line.start;
  const cut = (owner: Node | null, from: number): OneLineBody | undefined => {
    const [head, rest] = [line.text.slice(0, at(from)), line.text.slice(at(from))];
    return head.trim() === "" ? undefined : { head, rest, isIndented, names: namesOf(rules, owner, node) };
  };
  const statement = childrenOf(node).find((one) => one.isNamed && !one.isExtra);
  if (rules.blocks.includes(node.type) && statement) return cut(ownerOf(rules, node), statement.startIndex);
  const word = childrenOf(node).find(
    ({ type, nextNamedSibling: next }) =>
      rules.words?.includes(type) === true && next && next.endIndex <= line.end,
  );
  if (word?.nextNamedSibling) return cut(node, word.nextNamedSibling.startIndex);
  const { parent } = node;
  if (!parent || rules.blocks.includes(node.type) || statementBlock(node)) return undefined;
  const around = (before: string, after: string): OneLineBody => ({
    head: `${line.text.slice(0, at(node.startIndex))}{`,
    rest: `${before}${line.text.slice(at(node.startIndex), at(node.endIndex))}${after}${line.text.slice(at(node.endIndex))}`,
    isIndented,
    names: namesOf(rules, parent, node),
  });
  if (isField(node, "body") && rules.values?.includes(parent.type)) return around("return (", "); }");
  const isBare = rules.bare?.some((entry) => {
    const [kind, field] = entry.split(".", 2);
    return parent.type === kind && (field === undefined || isField(node, field));
  });
  return isBare && node.type !== "if_statement" ? around("", " }") : undefined;
}

function statementBlock({ type }: Node): boolean {
  return type.endsWith("_block") || type === "block";
}

function isField(node: Node, field: string): boolean {
  return node.parent?.childForFieldName(field)?.id === node.id;
}

/** The function or loop that has a block as its body; a node for the brackets can be between them. */
function ownerOf({ names }: BodyRules, node: Node): Node | null {
  const { parent } = node;
  return parent && !Object.hasOwn(names, parent.type) && parent.namedChildCount === 1
    ? parent.parent
    : parent;
}

/** The names that a function or loop declares for its body. */
function namesOf({ names }: BodyRules, owner: Node | null, body: Node): readonly string[] {
  const fields = names[owner?.type ?? ""] ?? [];
  return fields.flatMap((field) => {
    const place = field.startsWith("#") ? Number(field.slice(1)) - 1 : undefined;
    const node = place === undefined ? owner?.childForFieldName(field) : owner?.namedChild(place);
    return node && node.startIndex < body.startIndex ? declared(node) : [];
  });
}

/** The value or type in a declaration does not declare names. */
const NOT_DECLARED = ["value", "right", "default", "type"];

function declared(node: Node): readonly string[] {
  if (node.namedChildCount === 0) return /identifier|name|word/.test(node.type) ? [node.text] : [];
  return childrenOf(node).flatMap((child, index) =>
    NOT_DECLARED.includes(node.fieldNameForChild(index) ?? "") ? [] : declared(child),
  );
}
