import type { CompoundCommand, TestExpression, Word as WordNode, WordPart } from "unbash";
import { arithmeticValue } from "./arithmetic.ts";
import { reckoned, reckonedIndex } from "./reckoned.ts";
import { loop, valuesLoop } from "./loops.ts";
import { OPEN, type Outcome, type Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { partPieces } from "./word-pieces.ts";
import { patternOf, textOf, wordsOf } from "./words.ts";

/** Reads `if`, loops, `case` and groups: every branch, since which one is taken is not known. */
export function compoundCommand(node: CompoundCommand, reader: Reader, state: ShellState): Outcome {
  const arithmetic = (expression: Parameters<typeof arithmeticValue>[0]) =>
    arithmeticValue(expression, reader, state, (parts) =>
      parts.flatMap((part) => partPieces(part, "quoted", reader, state)),
    );
  switch (node.type) {
    case "BraceGroup":
      return reader.node(node.body, state);
    case "Subshell": {
      const inner = state.clone();
      return { ...reader.node(node.body, inner), ok: false };
    }
    case "If": {
      const ends: ShellState[] = [];
      for (const { clause, then } of [node, ...node.elif]) {
        reader.node(clause, state);
        const branch = state.clone();
        reader.node(then, branch);
        ends.push(branch);
      }
      if (node.else) reader.node(node.else, state);
      for (const end of ends) state.join(end);
      return OPEN;
    }
    case "For":
    case "Select": {
      const known = node.wordlist
        ? node.wordlist.flatMap((word) => wordsOf(word, reader, state))
        : state.positional;
      const values = node.type === "For" ? known : undefined;
      return valuesLoop(node.name.value, values, () => reader.node(node.body, state), state);
    }
    case "While":
      return loop(() => {
        reader.node(node.clause, state);
        reader.node(node.body, state);
      }, state);
    case "ArithmeticFor":
      arithmetic(node.initialize);
      return loop(() => {
        arithmetic(node.test);
        reader.node(node.body, state);
        arithmetic(node.update);
      }, state);
    case "Case": {
      textOf(node.word, reader, state);
      const ends: ShellState[] = [];
      let through: ShellState | undefined;
      for (const { pattern, body, terminator } of node.items) {
        for (const each of pattern) patternOf(each, reader, state);
        const branch = state.clone();
        if (through) branch.join(through);
        reader.node(body, branch);
        ends.push(branch);
        through = terminator === undefined || terminator === ";;" ? undefined : branch;
      }
      for (const end of ends) state.join(end);
      return OPEN;
    }
    case "TestCommand":
      tested(node.expression, reader, state);
      return { output: "", ok: false };
    case "ArithmeticCommand":
      if (!node.expression && node.body.trim() !== "") reader.facts.unknown("syntax");
      arithmetic(node.expression);
      return { output: "", ok: false };
    default:
      reader.facts.unknown("syntax");
      return OPEN;
  }
}

/** `[[ … ]]` reads nothing; the words in it may start something. */
function tested(node: TestExpression, reader: Reader, state: ShellState): void {
  switch (node.type) {
    case "TestUnary":
      if (node.operator === "-v") reckonedIndex(textOf(node.operand, reader, state), reader, state);
      else word(node.operand, false);
      return;
    case "TestBinary":
      for (const side of [node.left, node.right]) word(side, /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator));
      return;
    case "TestLogical":
      for (const each of node.operands) tested(each, reader, state);
      return;
    case "TestNot":
      tested(node.operand, reader, state);
      return;
    case "TestGroup":
      tested(node.expression, reader, state);
      return;
    default:
      reader.facts.unknown("syntax");
  }

  function word(side: WordNode, counted: boolean): void {
    if (!counted && side.parts?.every(isStill)) return;
    // What is reckoned with may hold commands in an index.
    const text = textOf(side, reader, state);
    if (counted) reckoned(text, reader, state);
  }
}

/** Patterns have a grammar of their own there, and nothing in them runs. */
function isStill(part: WordPart): boolean {
  if (part.type === "ExtendedGlob" || part.type === "Glob") return (part.parts ?? []).every(isStill);
  return part.type === "Literal" || part.type === "SingleQuoted";
}
