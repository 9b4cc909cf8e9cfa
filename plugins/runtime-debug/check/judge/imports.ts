import { type SyntaxNode, namedChildrenOf } from "../../syntax/syntax.ts";
import type { Fault } from "../finding.ts";
import type { Rules } from "../purity/rules.ts";

/** What may be taken out of a module by its name. */
const PARTS =
  /^(?:dumps|Request|urlopen|urlencode|Thread|datetime|time|time_ns|post|getenv|environ|Path|getpid|request|parse)$/;

/** What is wrong with an import in a region: it may do something, or give a known name to something else. */
export function importFault(node: SyntaxNode, { modules }: Rules): readonly Fault[] {
  const line = node.startPosition.row;
  const from = node.childForFieldName("module_name");
  const parts = node.childrenForFieldName("name").flatMap((one) => one ?? []);
  const named = from ? [from] : parts.map((one) => one.childForFieldName("name") ?? one);
  const other = named.find((one) => !modules?.test(one.text));
  if (other) {
    const sentence = `What ${other.text} does when it is imported is not known.`;
    return [{ line, code: "impure-expression", sentence }];
  }
  const renamed = parts.find((one) => {
    const alias = one.childForFieldName("alias")?.text;
    const name = (one.childForFieldName("name") ?? one).text;
    return (from && !PARTS.test(name)) || (alias !== undefined && alias !== name && !/^_\w*$/.test(alias));
  });
  if (!renamed) return [];
  const sentence = `\`${renamed.text}\` gives something a name that stands for something else.`;
  return [{ line, code: "declares-name", sentence }];
}

/** The names that an import makes. */
export function importedNames(node: SyntaxNode): readonly SyntaxNode[] {
  return node.childrenForFieldName("name").flatMap((one) => {
    const alias = one?.childForFieldName("alias");
    if (alias) return [alias];
    const [first] = one ? namedChildrenOf(one) : [];
    return first ? [first] : [];
  });
}

/** Whether a name is that of a module as it is imported. */
export function isPlainImport({ parent }: SyntaxNode): boolean {
  return parent?.type === "dotted_name" && parent.parent?.type === "import_statement";
}
