import type { Node, Tree } from "@vscode/tree-sitter-wasm";
import { scriptsOf } from "../probes/embedded.ts";
import { engine } from "./engine.ts";
import { GRAMMARS } from "./grammars.ts";
import type { Language } from "../probes/languages.ts";

/** A node of a syntax tree. Its places count UTF-16 units of the text, its rows lines from 0. */
export type SyntaxNode = Node;

/** A parsed text. It lies in the memory of the parser: `using` frees it, and its nodes with it. */
export interface SyntaxTree extends Disposable {
  readonly root: SyntaxNode;
}

/** Texts that are longer, in UTF-16 units, are not parsed. */
const LONGEST = 4_194_304;

/**
 * Parses a text, with errors in the tree where it is not of the language. Of pages and components the scripts are
 * parsed; nodes stand where they stand in the text. `undefined` where no grammar exists for the language, and for texts
 * of more than 4 Mi UTF-16 units.
 */
export async function parse(language: Language, text: string): Promise<SyntaxTree | undefined> {
  const grammar = GRAMMARS[language];
  if (grammar === undefined || text.length > LONGEST) return undefined;
  const parser = await (await engine()).parser(grammar);
  const parsed = embeds(language) ? scriptsOf(text) : text;
  const tree = parser.parse(parsed);
  parser.delete();
  return tree ? new Parsed(tree) : undefined;
}

/** How many nodes of a text are errors or missing; `undefined` where it is not parsed. */
export async function syntaxFaults(language: Language, text: string): Promise<number | undefined> {
  using tree = await parse(language, text);
  return tree && faultsOf(tree.root);
}

/** How many nodes below a node, itself included, are errors or missing. */
export function faultsOf(node: SyntaxNode): number {
  if (!node.hasError) return 0;
  const below = childrenOf(node).reduce((sum, child) => sum + faultsOf(child), 0);
  return below + (node.isError || node.isMissing ? 1 : 0);
}

/** The children of a node, those without a name included. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter((child) => child !== null);
}

/** The children of a node that have a name. */
export function namedChildrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.namedChildren.filter((child) => child !== null);
}

/** Whether only scripts of the language are parsed, which stand in something else. */
export function embeds(language: Language): boolean {
  return language === "html" || language === "vue";
}

class Parsed implements SyntaxTree {
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  get root(): SyntaxNode {
    return this.#tree.rootNode;
  }

  [Symbol.dispose](): void {
    this.#tree.delete();
  }
}
