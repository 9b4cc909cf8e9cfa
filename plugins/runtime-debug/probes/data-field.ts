import type { Field } from "./template.ts";

const NAMED = /^([A-Za-z][\w-]{0,39})=(?![=>~])(.+)$/su;

/** Reads `name=expression` or an expression alone, whose name is made of its words; names are told apart by numbers. */
export function dataFields(words: readonly string[]): readonly Field[] {
  const taken = new Set<string>();
  return words.map((word) => {
    const [, given, named] = NAMED.exec(word) ?? [];
    const expression = (named ?? word).trim();
    const plain = given ?? nameOf(expression);
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}-${count}`;
    taken.add(name);
    return { name, expression };
  });
}

function nameOf(expression: string): string {
  const name = expression.replaceAll(/[^\w.]+/g, "-").slice(0, 40);
  return name.replace(/^[^A-Za-z]+/, "").replace(/[-.]+$/, "") || "value";
}
