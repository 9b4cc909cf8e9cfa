import { type SyntaxNode, namedChildrenOf } from "../../syntax/syntax.ts";
import type { Fault } from "../finding.ts";
import { Locals } from "../purity/locals.ts";
import type { Rules } from "../purity/rules.ts";
import { importFault, importedNames, isPlainImport } from "./imports.ts";
import { type Extent, type Piece, isWithin } from "./places.ts";

/** Names that a region declares, and what is wrong with them. */
export interface Declared {
  readonly locals: Locals;
  readonly faults: readonly Fault[];
}

/**
 * The names that belong to a region alone: they are declared in a block of it, or stand nowhere else where they are
 * seen. Others are faults: the program uses them, and would miss them.
 */
export function declaredIn(pieces: readonly Piece[], region: Extent, rules: Rules): Declared {
  const reader = new Reader(region, rules);
  for (const { node } of pieces) reader.read(node);
  return reader;
}

class Reader implements Declared {
  readonly locals = new Locals();
  readonly faults: Fault[] = [];

  constructor(
    private readonly region: Extent,
    private readonly rules: Rules,
  ) {}

  read(node: SyntaxNode): void {
    const { rules } = this;
    const binding = rules.bindings[node.type];
    if (binding) {
      const target = node.childForFieldName(binding.target);
      const value = node.childForFieldName(binding.value);
      for (const name of target ? this.#namesIn(target) : []) {
        if (name.text === "_") continue;
        if (binding.declares) this.#declare(name, value ? [value] : []);
        else if (value) this.locals.assign(name.text, value);
      }
    }
    if (rules.imports?.has(node.type)) {
      this.faults.push(...importFault(node, rules));
      for (const name of importedNames(node)) this.#declare(name, []);
    }
    if (rules.lambdas.has(node.type)) this.#parameters(node);
    for (const child of namedChildrenOf(node)) this.read(child);
  }

  #namesIn(target: SyntaxNode): readonly SyntaxNode[] {
    if (this.rules.names.has(target.type)) return [target];
    if (!this.rules.patterns.has(target.type)) return [];
    return namedChildrenOf(target).flatMap((one) => this.#namesIn(one));
  }

  #parameters(lambda: SyntaxNode): void {
    for (const field of ["parameters", "parameter"])
      for (const one of lambda.childForFieldName(field)?.descendantsOfType([...this.rules.names]) ?? []) {
        if (!one) continue;
        this.locals.parameter(one.text);
        this.#refuseHiding(one);
      }
  }

  /** A name of the region that hides a function of the language would be trusted for it. */
  #refuseHiding(name: SyntaxNode): boolean {
    if (!this.rules.reserved.test(name.text)) return false;
    const sentence = `${name.text} is the name of something else.`;
    this.faults.push({ line: name.startPosition.row, code: "declares-name", sentence });
    return true;
  }

  #declare(name: SyntaxNode, values: readonly SyntaxNode[]): void {
    const isImport = hasAbove(name, this.rules.imports);
    if (!isImport && this.#refuseHiding(name)) return;
    const scope = this.#scopeOf(name);
    const fault = isWithin(scope, this.region) ? undefined : this.#outsideUse(name, scope, isImport);
    if (!fault && !isImport && !scope.parent) {
      const sentence = `${name.text} would be a name of the whole file or class, and be seen from outside.`;
      this.faults.push({ line: name.startPosition.row, code: "declares-name", sentence });
    }
    if (fault) this.faults.push(fault);
    if (fault?.code !== "impure-expression") this.locals.declare(name.text, scope, values);
  }

  /** Where the name is seen: the block or function that it is declared in, or the whole text. */
  #scopeOf(name: SyntaxNode): SyntaxNode {
    let scope = name;
    // `var` of JavaScript belongs to the function.
    const byBlock = name.parent?.parent?.type !== "variable_declaration";
    for (let above = name.parent; above; above = above.parent) {
      scope = above;
      if (byBlock && this.rules.blocks.has(above.type)) return above;
      if (this.rules.scopes.has(above.type)) return above;
    }
    return scope;
  }

  /** What uses a name outside of the region, too. */
  #outsideUse(name: SyntaxNode, scope: SyntaxNode, isImport: boolean): Fault | undefined {
    const { region, rules } = this;
    const uses = scope
      .descendantsOfType([...rules.names])
      .filter((one) => one !== null)
      .filter((one) => one.text === name.text && !isWithin(one, region) && !isMemberName(one));
    const [first] = uses;
    if (!first) return undefined;
    const line = name.startPosition.row;
    const where = `line ${first.startPosition.row + 1}`;
    if (isImport && scope.parent) {
      const sentence = `In the whole function ${name.text} would be the one of the region, in ${where} too.`;
      return { line, code: "shadows-name", sentence };
    }
    if (isImport) {
      // The file imports the same thing: nothing changes.
      if (isPlainImport(name) && uses.some((one) => isPlainImport(one))) return undefined;
      const sentence = `${name.text} is imported in the region and used in ${where}.`;
      return { line, code: "declares-name", sentence };
    }
    if (first.startIndex < region.start && rules.blocks.size === 0) {
      const sentence = `This changes ${name.text}, which stands in ${where} too.`;
      return { line, code: "impure-expression", sentence };
    }
    const sentence = `${name.text} is declared in the region and used in ${where}.`;
    return { line, code: "declares-name", sentence };
  }
}

function isMemberName(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.type === "keyword_argument") return parent.childForFieldName("name")?.equals(node) === true;
  if (parent?.type === "pair") return parent.childForFieldName("key")?.equals(node) === true;
  return ["attribute", "property", "field"].some(
    (field) => parent?.childForFieldName(field)?.equals(node) === true,
  );
}

function hasAbove(node: SyntaxNode, types: ReadonlySet<string> | undefined): boolean {
  for (let above = node.parent; above; above = above.parent) if (types?.has(above.type)) return true;
  return false;
}
