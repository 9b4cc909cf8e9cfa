import type { ArithmeticExpression, WordPart } from "unbash";
import type { Word } from "./programs/effects.ts";
import { reckoned } from "./reckoned.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { substituted } from "./substitutions.ts";
import { textVariable, UNKNOWN_VARIABLE } from "./variable.ts";
import { oneText, type Piece } from "./word-fields.ts";

type Parts = (parts: readonly WordPart[]) => readonly Piece[];

/** The value of an expression (Bash manual 6.5), where it is known; names that it changes are changed. */
export function arithmeticValue(
  node: ArithmeticExpression | undefined,
  reader: Reader,
  state: ShellState,
  parts: Parts,
): number | undefined {
  if (!node) return undefined;
  reader.step();
  const value = (inner: ArithmeticExpression) => arithmeticValue(inner, reader, state, parts);
  /** Of a part that may be passed over. */
  const perhaps = (inner: ArithmeticExpression) => {
    const other = state.clone();
    const result = arithmeticValue(inner, reader, other, parts);
    state.join(other);
    return result;
  };
  switch (node.type) {
    case "ArithmeticGroup":
      return value(node.expression);
    case "ArithmeticCommandExpansion":
      return number(substituted(node, reader, state).text);
    case "ArithmeticWord":
      return ofWord(node.parts ? oneText(parts(node.parts)) : { text: node.value }, reader, state);
    case "ArithmeticTernary": {
      const test = value(node.test);
      const both = [perhaps(node.consequent), perhaps(node.alternate)];
      return test === undefined ? undefined : both[test === 0 ? 1 : 0];
    }
    case "ArithmeticUnary": {
      const operand = value(node.operand);
      if (node.operator !== "++" && node.operator !== "--") return unary(node.operator, operand);
      const next = operand === undefined ? undefined : operand + (node.operator === "++" ? 1 : -1);
      assign(node.operand, next, state);
      return node.prefix ? next : operand;
    }
    case "ArithmeticBinary": {
      const { operator } = node;
      if (operator === "&&" || operator === "||") {
        value(node.left);
        perhaps(node.right);
        return undefined;
      }
      const right = value(node.right);
      const plain = node.left.type === "ArithmeticWord" && /^\w+$/.test(node.left.value);
      // What is given a value may be an element, and its index is reckoned with.
      const left = operator === "=" && plain ? undefined : value(node.left);
      if (operator === "=") return assign(node.left, right, state);
      const compound = /^(\+|-|\*|\/|%|<<|>>|&|\^|\|)=$/.exec(operator);
      if (compound) return assign(node.left, binary(compound[1] ?? "", left, right), state);
      return operator === "," ? right : binary(operator, left, right);
    }
    default:
      reader.facts.unknown("syntax");
      return undefined;
  }
}

function ofWord(word: Word, reader: Reader, state: ShellState): number | undefined {
  reckoned(word, reader, state);
  const { text } = word;
  if (text === undefined) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(text)) return number(text);
  const variable = state.variables.get(text);
  if (variable?.kind !== "text") return undefined;
  const held = variable.value.text;
  return held === "" ? 0 : number(held);
}

function number(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const plain = text.trim();
  if (/^-?(0|[1-9]\d{0,14})$/.test(plain)) return Number(plain);
  return /^0x[\da-f]{1,8}$/i.test(plain) ? Number(plain) : undefined;
}

function assign(
  target: ArithmeticExpression,
  value: number | undefined,
  state: ShellState,
): number | undefined {
  if (target.type === "ArithmeticWord") {
    const name = /^[A-Za-z_]\w*/.exec(target.value)?.[0];
    const whole = name === target.value && value !== undefined;
    if (name) state.variables.set(name, whole ? textVariable(value.toString()) : UNKNOWN_VARIABLE);
  }
  return value;
}

function unary(operator: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (operator === "-") return safe(-value);
  if (operator === "+") return value;
  return operator === "!" ? Number(value === 0) : undefined;
}

function binary(operator: string, left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case "+":
      return safe(left + right);
    case "-":
      return safe(left - right);
    case "*":
      return safe(left * right);
    case "/":
      return right === 0 ? undefined : safe(Math.trunc(left / right));
    case "%":
      return right === 0 ? undefined : safe(left % right);
    case "<":
      return Number(left < right);
    case ">":
      return Number(left > right);
    case "<=":
      return Number(left <= right);
    case ">=":
      return Number(left >= right);
    case "==":
      return Number(left === right);
    case "!=":
      return Number(left !== right);
    default:
      return undefined;
  }
}

function safe(value: number): number | undefined {
  // -0 would be written as "0" all the same.
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}
