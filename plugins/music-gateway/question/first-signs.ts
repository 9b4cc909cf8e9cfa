import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** The characters with which a match of a pattern can begin. @throws Error if they cannot be listed. */
export function firstSigns(pattern: string): string {
  const signs = new Set<string>();
  begins(new RegExpParser().parsePattern(pattern), signs);
  return [...signs].join("");
}

/** Adds the characters with which a match of a node can begin. @returns whether the node can match the empty text */
function begins(node: AST.Node, signs: Set<string>): boolean {
  switch (node.type) {
    case "Pattern":
    case "Group":
    case "CapturingGroup": {
      const empty = node.alternatives.filter(({ elements }) => elements.every((one) => begins(one, signs)));
      return empty.length > 0;
    }
    case "Quantifier":
      return begins(node.element, signs) || node.min === 0;
    case "Assertion":
      return true;
    case "Character":
      signs.add(String.fromCodePoint(node.value));
      return false;
    case "CharacterClassRange":
      for (let code = node.min.value; code <= node.max.value; code += 1)
        signs.add(String.fromCodePoint(code));
      return false;
    default: {
      const isList = node.type === "CharacterClass" && !node.negate;
      const isDigit = node.type === "CharacterSet" && node.kind === "digit" && !node.negate;
      if (!isList && !isDigit) throw new Error(`A date can begin with any sign: ${node.raw}`);
      for (const part of isList ? node.elements : []) begins(part, signs);
      for (const digit of isDigit ? "0123456789" : "") signs.add(digit);
      return false;
    }
  }
}
