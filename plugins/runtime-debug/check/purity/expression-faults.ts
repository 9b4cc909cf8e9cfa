import type { Language } from "../../probes/languages.ts";
import { type SyntaxNode, parse } from "../../syntax/syntax.ts";
import type { Fault } from "./fault.ts";
import { isPlain } from "./plain-expression.ts";
import { RULES } from "./rules-of.ts";
import { Walker } from "./walker.ts";

/** What stands around an expression, so that it is a whole text of its language. */
const AROUND: Readonly<Partial<Record<Language, readonly [string, string]>>> = {
  javascript: ["_(", ");"],
  jsx: ["_(", ");"],
  typescript: ["_(", ");"],
  tsx: ["_(", ");"],
  vue: ["<script>_(", ");</script>"],
  html: ["<script>_(", ");</script>"],
  python: ["_(", ")\n"],
  go: ["package p\n\nvar _ = f(", ")\n"],
  rust: ["fn f() { g(", "); }"],
  java: ["class A { Object a = f(", "); }"],
  c: ["int a = f(", ");"],
  cpp: ["int a = f(", ");"],
  csharp: ["class A { object a = f(", "); }"],
  php: ["<?php f(", ");"],
  ruby: ["_(", ")\n"],
  shell: [": ", "\n"],
};

/**
 * What an expression in a probe would do beside reading, at line 0; none when it surely only reads. Where the language
 * has no grammar, only plain expressions surely do.
 */
export async function expressionFaults(language: Language, expression: string): Promise<readonly Fault[]> {
  if (isPlain(language, expression)) return [];
  const [before, after] = AROUND[language] ?? ["", ""];
  const rules = RULES[language];
  using tree = rules && (await parse(language, before + expression + after));
  if (!rules || !tree)
    return [
      fault(
        `It is not sure that \`${expression}\` only reads: write names, members, indexes and arithmetic.`,
      ),
    ];
  const node = coveredBy(tree.root, before.length, before.length + expression.length);
  if (tree.root.hasError || !node) return [fault(`\`${expression}\` is not one expression.`)];
  return Walker.seen(node, rules).faults.map((one) => ({ ...one, line: 0 }));
}

/** The node that stands exactly there. */
function coveredBy(root: SyntaxNode, start: number, end: number): SyntaxNode | undefined {
  let node = root.namedDescendantForIndex(start, end - 1);
  while (node?.parent && node.parent.startIndex === start && node.parent.endIndex === end) node = node.parent;
  return node?.startIndex === start && node.endIndex === end ? node : undefined;
}

function fault(sentence: string): Fault {
  return { line: 0, code: "impure-expression", sentence };
}
