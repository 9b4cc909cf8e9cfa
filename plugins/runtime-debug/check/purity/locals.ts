import type { SyntaxNode } from "../../syntax/syntax.ts";

interface Local {
  readonly values: SyntaxNode[];
  /** Where the name is the region's. */
  readonly scopes: SyntaxNode[];
}

/** The names that belong to a region, and what they stand for. */
export class Locals {
  readonly #locals = new Map<string, Local>();
  /** Names of parameters: what they stand for is not known. */
  readonly #parameters = new Set<string>();

  declare(name: string, scope: SyntaxNode, values: readonly SyntaxNode[]): void {
    const local = this.#locals.get(name) ?? { values: [], scopes: [] };
    local.values.push(...values);
    local.scopes.push(scope);
    this.#locals.set(name, local);
  }

  assign(name: string, value: SyntaxNode): void {
    this.#locals.get(name)?.values.push(value);
  }

  parameter(name: string): void {
    this.#parameters.add(name);
  }

  /** Whether a name at a place of the tree is the region's own. */
  has(node: SyntaxNode): boolean {
    const { scopes = [] } = this.#locals.get(node.text) ?? {};
    return scopes.some((scope) => scope.startIndex <= node.startIndex && node.endIndex <= scope.endIndex);
  }

  /** All that a name can stand for at a place; none when that is not known. */
  valuesAt(node: SyntaxNode): readonly SyntaxNode[] {
    if (this.#parameters.has(node.text) || !this.has(node)) return [];
    return this.#locals.get(node.text)?.values ?? [];
  }
}
