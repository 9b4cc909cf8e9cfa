import type { Node } from "@vscode/tree-sitter-wasm";
import { calledBy, hasCall, nameOf } from "./called.ts";
import { consumedBy } from "./consumption.ts";
import { childrenOf, type Grammar } from "./grammars.ts";

/** The reason why a text cannot be the data of a probe. */
export interface ExpressionFault {
  /** The end of a sentence. */
  readonly reason: string;
  /** Whether it is a call that the user can allow. */
  readonly isCall?: boolean;
}

const NOT_ONE: ExpressionFault = { reason: "it is not one expression of the language" };

/**
 * The reason why an expression cannot be reported; `undefined` if it only reads. It must be one node in the brackets
 * that a probe puts around it, so that it cannot end early.
 */
export function expressionFault(
  grammar: Grammar,
  expression: string,
  allowCall: boolean,
): ExpressionFault | undefined {
  const [before = "", after = ""] = grammar.rules.expressions?.around ?? [];
  const end = before.length + expression.length;
  const look = (root: Node): ExpressionFault | undefined => {
    const node = root.descendantForIndex(before.length, end);
    const isOne = !root.hasError && node?.startIndex === before.length && node.endIndex === end;
    return isOne ? faultOf(grammar, node, allowCall) : NOT_ONE;
  };
  let fault: ExpressionFault | undefined = { reason: "it takes too long to parse" };
  grammar.parsed(`${before}${expression}${after}`, (root) => (fault = look(root)));
  return fault;
}

function faultOf(grammar: Grammar, node: Node, allowCall: boolean): ExpressionFault | undefined {
  const { calls = {}, commands = "(?!)", refused = [] } = grammar.rules.expressions ?? {};
  const fields = calls[node.type] ?? (new RegExp(commands).test(node.text) ? [] : undefined);
  if (fields) {
    const called = calledBy(node, fields);
    if (!allowCall && !isReading(grammar, node, called))
      return { reason: `it calls ${called}, and a call may have side effects`, isCall: true };
  } else if (node.isExtra) return { reason: "it holds a comment" };
  else if (node.isNamed ? !grammar.reads.has(node.type) : refused.includes(node.type)) {
    const changes = !node.isNamed || /assign|update|unary|binary/.test(node.type);
    const reason = changes
      ? "it has a side effect"
      : `it does more than read: ${node.type.replaceAll("_", " ")}`;
    return { reason };
  }
  const consumed = allowCall ? undefined : consumedBy(grammar, node);
  if (consumed)
    return { reason: `it iterates over ${consumed.text}, which consumes an iterator`, isCall: true };
  for (const child of childrenOf(node)) {
    const fault = faultOf(grammar, child, allowCall);
    if (fault) return fault;
  }
  return undefined;
}

function isReading({ rules, reading }: Grammar, node: Node, called: string): boolean {
  const [name, , member] = nameOf(called);
  const { changing } = rules.expressions ?? {};
  if (changing !== undefined && name.includes(".") && !node.childForFieldName("arguments"))
    return !new RegExp(changing).test(member);
  return hasCall(reading, called);
}
