import type { Node } from "@vscode/tree-sitter-wasm";

/** The function of a call as written; the whole node if it has no fields. */
export function calledBy(node: Node, fields: readonly string[]): string {
  const parts = fields.flatMap((field) => {
    const place = Number(field.replace("#", "")) - 1;
    return (Number.isNaN(place) ? node.childForFieldName(field) : node.namedChild(place)) ?? [];
  });
  const [first = node, last = node] = [parts[0], parts.at(-1)];
  const text = node.text.slice(first.startIndex - node.startIndex, last.endIndex - node.startIndex);
  return `${node.child(0)?.type === "new" ? "new " : ""}${text}`;
}

/** The receiver of a method call; `undefined` for a function. */
export function calledNode(node: Node, [field = "", ...others]: readonly string[]): Node | undefined {
  const first = node.childForFieldName(field);
  if (others.length > 0) return first ?? undefined;
  return first && first.namedChildCount > 1 ? (first.namedChild(0) ?? undefined) : undefined;
}

/** The name of a call in one notation for all languages, with its receiver and its member. */
export function nameOf(called: string): readonly [name: string, owner: string, member: string] {
  const name = called
    .replaceAll(/\?\.|&\.|->|::/g, ".")
    .replace(/^new /, "new.")
    .replace(/<[^<>]*>$/, "")
    .replace(/^\\/, "");
  const [, owner = name, member = ""] = /^(.*)\.([^.]*)$/s.exec(name) ?? [];
  return [name, owner, member];
}

/** Whether a call is one of these: `name` is a function, `.name` a member, `new.Name` a constructor, `A.*` every member of A. */
export function hasCall(names: ReadonlySet<string>, called: string): boolean {
  const [name, owner, member] = nameOf(called);
  return names.has(name) || names.has(`.${member}`) || (names.has(`${owner}.*`) && name !== "Math.random");
}
